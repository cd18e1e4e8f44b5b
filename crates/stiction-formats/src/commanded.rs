//! Joints that controllers outside of this program command, as URDF files list them.

use crate::description::{Setting, WorldDescription};
use crate::diagnostic::{Diagnostic, Location};

/// A joint of a `<transmission>` or of a `<ros2_control>`: what a controller may command, and through which hardware.
/// It says what is meant to drive the joint; a run drives it by `--command` or by a plugin.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandedJointDescription {
    /// Index of the joint.
    pub joint: usize,
    /// `transmission` or `ros2_control`.
    pub kind: String,
    /// Name of that element; may be empty.
    pub holder: String,
    /// What can be commanded, in the order of the file: `position`, `velocity`, `effort`, or another word of the file.
    pub command_interfaces: Vec<String>,
    /// What is read back; only `<ros2_control>` says so.
    pub state_interfaces: Vec<String>,
    /// The hardware interface of a transmission, or the plugin of `<hardware>`; empty if there is none.
    pub hardware: String,
    /// Turns of the motor for one of the joint; nothing is computed from it.
    pub mechanical_reduction: Option<Setting<f64>>,
    /// Where the joint is named.
    pub location: Location,
}

impl CommandedJointDescription {
    /// In one line, without the name of the joint.
    #[must_use]
    pub fn text(&self) -> String {
        let interfaces = match self.command_interfaces.join(", ") {
            none if none.is_empty() => "no command interface".to_owned(),
            some => some,
        };
        let mut text = format!("{interfaces}; {}", self.kind);
        if !self.holder.is_empty() {
            text += &format!(" `{}`", self.holder);
        }
        if !self.hardware.is_empty() {
            text += &format!(", hardware {}", self.hardware);
        }
        if let Some(reduction) = &self.mechanical_reduction {
            text += &format!(", reduction {}", reduction.value);
        }
        text
    }

    /// What `check` says of it.
    #[must_use]
    pub fn finding(&self, world: &WorldDescription) -> Diagnostic {
        let name = &world.joints[self.joint].name;
        Diagnostic::note("commanded-joint", format!("joint `{name}` is commanded: {}", self.text())).at(&self.location)
    }
}
