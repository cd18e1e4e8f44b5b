//! Gains of commands of positions: `--set model.MODEL.joint.JOINT.command.kp=…` and `.kd`.

use std::collections::BTreeSet;

use stiction::joints::DriveGains;
use stiction_formats::{Override, matches};

use crate::error::{Request, RunError};

/// Time in which a command of a position closes its error, as long as nothing limits it \[s\]: `kd = CLOSING_TIME kp`.
pub(crate) const CLOSING_TIME: f64 = 0.02;

/// What gains a command has, as its paths end.
const NAMES: [&str; 2] = ["kp", "kd"];

/// A gain for the joints that a pattern means.
#[derive(Clone, Debug)]
pub(crate) struct GainRequest {
    setting: Override,
    /// Scoped name of the joints, with `*`.
    joints: String,
    /// Number of the gain in [`NAMES`].
    which: usize,
    value: f64,
}

impl GainRequest {
    /// A setting of a gain; `None` for every other.
    ///
    /// # Errors
    /// The value is no finite number, 0 or more.
    pub(crate) fn parse(setting: &Override) -> Result<Option<Self>, RunError> {
        let place = |(k, name): (usize, &&str)| {
            let joint = setting.path.strip_suffix(name)?.strip_suffix(".command.")?;
            let joint = joint.strip_prefix("world.").unwrap_or(joint);
            let (model, joint) = match joint.strip_prefix("joint.") {
                Some(joint) => (None, joint),
                None => joint.strip_prefix("model.")?.split_once(".joint.").map(|(m, j)| (Some(m), j))?,
            };
            Some((k, model.map_or_else(|| joint.to_owned(), |model| format!("{model}::{joint}"))))
        };
        let Some((which, joints)) = NAMES.iter().enumerate().find_map(place) else { return Ok(None) };
        let value = setting.value.parse::<f64>().ok().filter(|gain| gain.is_finite() && *gain >= 0.0);
        let value = value.ok_or_else(|| wrong(setting, "expected a finite number, 0 or more"))?;
        Ok(Some(Self { setting: setting.clone(), joints, which, value }))
    }
}

fn wrong(setting: &Override, reason: &str) -> RunError {
    let text = format!("{}={}", setting.path, setting.value);
    RunError::Text { request: Request::Set, text, reason: reason.to_owned() }
}

/// The gains that are given for a joint.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GivenGains([Option<f64>; 2]);

impl GivenGains {
    /// Of a position. Without any the drive is as hard as its effort allows, or gives by the slip of its motor
    /// \[m/(N s) or rad/(N m s)\]; with one of two the other is that of the closing time.
    pub(super) fn position(&self, slip: Option<f64>) -> DriveGains {
        match (self.0, slip) {
            ([None, None], None) => DriveGains::Rigid { closing: 1.0 / CLOSING_TIME },
            ([None, None], Some(slip)) => {
                DriveGains::Soft { stiffness: 1.0 / (slip * CLOSING_TIME), damping: 1.0 / slip }
            }
            ([kp, kd], _) => {
                let stiffness = kp.or_else(|| kd.map(|kd| kd / CLOSING_TIME)).unwrap_or(0.0);
                DriveGains::Soft { stiffness, damping: kd.unwrap_or(CLOSING_TIME * stiffness) }
            }
        }
    }

    /// Of a velocity.
    pub(super) fn velocity(slip: Option<f64>) -> DriveGains {
        slip.map_or(DriveGains::Rigid { closing: 0.0 }, |slip| DriveGains::Soft { stiffness: 0.0, damping: 1.0 / slip })
    }
}

/// All gains that were set, and which of them a command has taken.
pub(super) struct Gains<'a> {
    requests: &'a [GainRequest],
    used: BTreeSet<usize>,
}

impl<'a> Gains<'a> {
    pub(super) const fn new(requests: &'a [GainRequest]) -> Self {
        Self { requests, used: BTreeSet::new() }
    }

    /// Those of a joint; the last one counts.
    pub(super) fn of(&mut self, joint: &str) -> GivenGains {
        let mut given = GivenGains::default();
        for (number, request) in self.requests.iter().enumerate() {
            if matches(&request.joints, joint) {
                self.used.insert(number);
                given.0[request.which] = Some(request.value);
            }
        }
        given
    }

    /// # Errors
    /// A gain is for no joint with a command of its position.
    pub(super) fn all_used(&self) -> Result<(), RunError> {
        match self.requests.iter().enumerate().find(|(number, _)| !self.used.contains(number)) {
            Some((_, unused)) => {
                let reason = "no joint of this name has a `--command JOINT:position=` of its own; the gains of a plugin are those of its file";
                Err(wrong(&unused.setting, reason))
            }
            None => Ok(()),
        }
    }
}
