//! `<joint>`.

use std::sync::Arc;

use stiction::math::{DVec3, Pose};

use crate::description::{JointAxisDescription, JointDescription, JointType, MimicDescription, Setting};
use crate::diagnostic::Diagnostic;
use crate::suggest::did_you_mean;

use super::drake;
use super::element::{Element, Payload};
use super::frames::{Body, Frames, Target};
use super::read::Reader;
use super::report::Report;
use super::scope::{Kind, Reference};

const TYPES: [(&str, JointType, usize); 10] = [
    ("revolute", JointType::Revolute, 1),
    ("continuous", JointType::Continuous, 1),
    ("prismatic", JointType::Prismatic, 1),
    ("revolute2", JointType::Revolute2, 2),
    ("universal", JointType::Universal, 2),
    ("ball", JointType::Ball, 0),
    ("screw", JointType::Screw, 1),
    ("gearbox", JointType::Gearbox, 2),
    ("fixed", JointType::Fixed, 0),
    ("planar", JointType::Planar, 1),
];

/// Mark of a fixed joint of a URDF file whose links are to stay two bodies.
pub(crate) const KEPT_APART: &str = "urdf.kept_apart";

/// A joint with the scope that holds it.
pub(crate) struct JointInScope<'a> {
    pub scope: usize,
    pub element: &'a Element,
    /// Pose of the scope's frame in the world.
    pub scope_pose: Pose,
    /// Pose of the joint in the world.
    pub pose: Pose,
}

impl JointInScope<'_> {
    /// Reads the joint; `None` if it cannot be one (reported).
    pub(crate) fn read(&self, frames: &mut Frames<'_>, report: &mut Report) -> Option<JointDescription> {
        let (joint_type, axis_count) = self.joint_type(report)?;
        let parent = self.side("parent", frames, report);
        let child = self.side("child", frames, report);
        let (parent, child) = (parent?, child?);
        self.check_sides(parent, child, report);
        let r = Reader::new(Some(self.element), "joint");
        let mut axes = Vec::new();
        for name in ["axis", "axis2"].into_iter().take(axis_count) {
            axes.push(self.axis(name, joint_type, frames, report));
        }
        let link = |body: Body| match body {
            Body::World => None,
            Body::Link(index) => Some(index),
        };
        let mut implicit = r.boolean("physics/ode/implicit_spring_damper");
        if !implicit.is_given() {
            implicit = r.boolean("physics/ode/cfm_damping");
        }
        let mut feedback = r.boolean("physics/provide_feedback");
        if !feedback.is_given() {
            feedback = r.boolean("physics/ode/provide_feedback");
        }
        let spook = self.element.children.iter().find_map(|child| match &child.payload {
            Some(Payload::Joint(spook)) => Some(Arc::clone(spook)),
            _ => None,
        });
        Some(JointDescription {
            spook,
            name: frames.all.scopes[self.scope].scoped(self.element.named()),
            model: self.scope.checked_sub(1),
            joint_type,
            parent: link(parent),
            child: link(child),
            pose: self.pose,
            axes,
            screw_pitch: screw_pitch(&r, self.element, joint_type, report),
            gearbox_ratio: r.real("gearbox_ratio"),
            gearbox_reference: self.gearbox_reference(joint_type, frames, report),
            cfm: r.real("physics/ode/cfm"),
            erp: r.real("physics/ode/erp"),
            has_ode: has_ode(self.element),
            limit_cfm: r.real("physics/ode/limit/cfm"),
            limit_erp: r.real("physics/ode/limit/erp"),
            suspension_cfm: r.real("physics/ode/suspension/cfm"),
            suspension_erp: r.real("physics/ode/suspension/erp"),
            bounce: r.real("physics/ode/bounce"),
            motor_max_force: r.real("physics/ode/max_force"),
            motor_velocity: r.real("physics/ode/velocity"),
            fudge_factor: r.real("physics/ode/fudge_factor"),
            implicit_spring_damper: implicit,
            provide_feedback: feedback,
            is_lumped: joint_type == JointType::Fixed
                && self.element.from_urdf
                && self.element.child(KEPT_APART).is_none(),
            location: self.element.location.clone(),
        })
    }

    fn joint_type(&self, report: &mut Report) -> Option<(JointType, usize)> {
        let attribute = self.element.attribute("type");
        let word = attribute.map_or("", |a| a.value.trim()).to_ascii_lowercase();
        let is_known = |kind: JointType| kind != JointType::Planar || self.element.from_urdf;
        if let Some((_, kind, axes)) = TYPES.iter().find(|(n, kind, _)| *n == word && is_known(*kind)) {
            return Some((*kind, *axes));
        }
        let message =
            if word.is_empty() { "<joint> has no type".to_owned() } else { format!("`{word}` is not a type of joint") };
        let mut finding = Diagnostic::error("joint-type", message)
            .at(attribute.map_or(&self.element.location, |a| &a.location))
            .element(self.element.path.as_str());
        let all: Vec<&str> = TYPES.iter().filter(|(_, kind, _)| is_known(*kind)).map(|(n, _, _)| *n).collect();
        finding.help = did_you_mean(&word, all.iter().copied()).or_else(|| Some(format!("one of: {}", all.join(", "))));
        report.add(finding);
        None
    }

    /// The body that `<parent>` or `<child>` means.
    fn side(&self, which: &'static str, frames: &Frames<'_>, report: &mut Report) -> Option<Body> {
        let element = self.element;
        let Some(side) = element.child(which).filter(|s| !s.text.is_empty()) else {
            let message = format!("joint `{}` has no <{which}>", element.named());
            report.add(
                Diagnostic::error("missing-element", message).at(&element.location).element(element.path.as_str()),
            );
            return None;
        };
        let name = side.text.as_str();
        let code = if which == "parent" { "joint-parent" } else { "joint-child" };
        let fault =
            |message: String| Diagnostic::error(code, message).at(&side.text_location).element(element.path.as_str());
        if name == "world" {
            if which == "child" {
                report
                    .strict(fault("the child of a joint cannot be the world".into()).help("swap <parent> and <child>"));
            }
            return Some(Body::World);
        }
        if name == element.named() && !matches!(self.kind_of(name, frames), Some(Kind::Link(_))) {
            report.add(fault(format!("joint `{name}` names itself as its {which}")));
            return None;
        }
        let reserved = name == "__root__" || name == "__model__" || name.ends_with("::__model__");
        let target = if reserved { None } else { self.find_side(name, frames) };
        let Some(target) = target else {
            let here = &frames.all.scopes[self.scope];
            let links = here.entries.iter().filter(|e| !matches!(e.kind, Kind::Joint(_))).map(|e| e.name);
            let mut finding =
                fault(format!("the {which} of joint `{}` is `{name}`, which does not exist here", element.named()))
                    .label("no such link or frame");
            finding.help = did_you_mean(name, links);
            report.add(finding);
            return None;
        };
        match frames.body(target) {
            Some(Body::World) if which == "child" => {
                report.add(fault(format!("`{name}`, the child of a joint, is attached to the world")));
                Some(Body::World)
            }
            Some(body) => Some(body),
            None => {
                report.add(fault(format!("`{name}` is not attached to any link")));
                None
            }
        }
    }

    /// Old files may put the name of their own model before that of a link.
    fn find_side(&self, name: &str, frames: &Frames<'_>) -> Option<Target> {
        frames.find(self.scope, name).or_else(|| {
            let own = &frames.all.scopes[self.scope];
            let inner = name.strip_prefix(own.element.named())?.strip_prefix("::")?;
            (!own.is_world()).then(|| frames.find(self.scope, inner)).flatten()
        })
    }

    fn kind_of(&self, name: &str, frames: &Frames<'_>) -> Option<Kind> {
        let here = &frames.all.scopes[self.scope];
        here.names.get(name).map(|i| here.entries[*i].kind)
    }

    fn check_sides(&self, parent: Body, child: Body, report: &mut Report) {
        if parent == child && child != Body::World {
            let place = self.element.child("child").map_or(&self.element.location, |c| &c.text_location);
            let message = format!("joint `{}` joins a link to itself", self.element.named());
            report.add(Diagnostic::error("joint-sides", message).at(place).element(self.element.path.as_str()));
        }
    }

    fn axis(
        &self,
        name: &str,
        joint_type: JointType,
        frames: &mut Frames<'_>,
        report: &mut Report,
    ) -> JointAxisDescription {
        let element = self.element.child(name);
        if element.is_none() {
            let taken = default_axis(name, joint_type);
            let message = format!("joint `{}` has no <{name}>: it is taken as {}", self.element.named(), words(taken));
            report.add(
                Diagnostic::warning("missing-axis", message)
                    .at(&self.element.location)
                    .element(self.element.path.as_str()),
            );
        }
        let r = Reader::new(element, "joint/axis");
        let mut lower = r.limit("limit/lower");
        let mut upper = r.limit("limit/upper");
        if joint_type == JointType::Continuous {
            lower.value = f64::NEG_INFINITY;
            upper.value = f64::INFINITY;
        }
        if lower.value > upper.value {
            let place =
                element.and_then(|e| e.find("limit/lower")).map_or(&self.element.location, |l| &l.text_location);
            let message = format!(
                "the lower limit {} lies above the upper limit {}: there is no limit",
                lower.value, upper.value
            );
            report.add(Diagnostic::warning("joint-limits", message).at(place).element(self.element.path.as_str()));
            lower.value = f64::NEG_INFINITY;
            upper.value = f64::INFINITY;
        }
        let none_if_negative = |mut s: Setting<f64>| {
            if s.value < 0.0 {
                s.value = f64::INFINITY;
            }
            s
        };
        JointAxisDescription {
            xyz: self.axis_direction(element, (name, joint_type), &r, frames, report),
            damping: r.real("dynamics/damping"),
            friction: r.real("dynamics/friction"),
            spring_reference: r.real("dynamics/spring_reference"),
            spring_stiffness: r.real("dynamics/spring_stiffness"),
            lower,
            upper,
            effort: none_if_negative(r.limit("limit/effort")),
            velocity: none_if_negative(r.limit("limit/velocity")),
            limit_stiffness: r.real("limit/stiffness"),
            limit_dissipation: r.real("limit/dissipation"),
            mimic: self.mimic(element, frames, report),
            initial_position: r.real("initial_position"),
            position: element
                .and_then(|e| e.child("stiction.position"))
                .and_then(|e| super::value::real(&e.text))
                .filter(|position| position.is_finite())
                .unwrap_or(0.0),
            armature: drake::armature(self.element, element, report),
        }
    }

    /// Unit vector in the world.
    fn axis_direction(
        &self,
        axis: Option<&Element>,
        (name, joint_type): (&str, JointType),
        r: &Reader<'_>,
        frames: &mut Frames<'_>,
        report: &mut Report,
    ) -> DVec3 {
        let xyz = axis.and_then(|a| a.child("xyz"));
        let place = xyz.map_or(&self.element.location, |x| &x.text_location);
        let given = match axis {
            Some(_) => r.vector("xyz").value,
            None => default_axis(name, joint_type),
        };
        let local = given.try_normalize().unwrap_or_else(|| {
            report.add(
                Diagnostic::error("zero-vector", "the axis of a joint has no length")
                    .at(place)
                    .label("expected a direction")
                    .element(self.element.path.as_str()),
            );
            DVec3::Z
        });
        let expressed_in = xyz.and_then(|x| x.attribute("expressed_in")).filter(|a| !a.value.trim().is_empty());
        let Some(attribute) = expressed_in else { return self.pose.direction(local) };
        let reference = Reference { name: attribute.value.trim().to_owned(), location: attribute.location.clone() };
        match frames.find(self.scope, &reference.name) {
            Some(target) => {
                let pose = frames.pose(self.scope, target, report).unwrap_or(Pose::IDENTITY);
                self.scope_pose.direction(pose.direction(local))
            }
            None => {
                frames.report_unknown("expressed_in", self.scope, &reference, self.element, report);
                local
            }
        }
    }

    fn mimic(&self, axis: Option<&Element>, frames: &Frames<'_>, report: &mut Report) -> Option<MimicDescription> {
        let element = axis?.child("mimic")?;
        let name = element.value("joint").unwrap_or("");
        // A link of a URDF file may have the same name.
        let here = frames.all.scopes[self.scope].entries.iter().find(|e| e.name == name && e.element.name == "joint");
        let found = here.or_else(|| match frames.find(self.scope, name)? {
            Target::Entry(s, e) => Some(&frames.all.scopes[s].entries[e]),
            Target::Base(_) => None,
        });
        let leader = found.filter(|e| !std::ptr::eq(e.element, self.element)).and_then(|e| match e.kind {
            Kind::Joint(index) => Some(index),
            _ => None,
        });
        let Some(joint) = leader else {
            let place = element.attribute("joint").map_or(&element.location, |a| &a.location);
            let message = format!("<mimic> names `{name}`, which is not another joint here");
            let mut finding = Diagnostic::error("mimic-joint", message).at(place).element(element.path.as_str());
            let others = frames.all.scopes[self.scope].entries.iter().filter(|e| e.element.name == "joint");
            let others = others.filter(|e| !std::ptr::eq(e.element, self.element)).map(|e| e.name);
            finding.help = did_you_mean(name, others);
            // Readers of URDF that take no notice of <mimic> load such files.
            if self.element.from_urdf {
                let near = finding.help.take().map_or_else(String::new, |near| format!("{near} "));
                report.tolerated(finding.help(format!("{near}`run` leaves the joint free")));
            } else {
                report.add(finding);
            }
            return None;
        };
        let r = Reader::new(axis, "joint/axis");
        Some(MimicDescription {
            joint,
            axis: usize::from(element.value("axis") == Some("axis2")),
            multiplier: r.real("mimic/multiplier").value,
            offset: r.real("mimic/offset").value,
            reference: r.real("mimic/reference").value,
        })
    }

    fn gearbox_reference(&self, joint_type: JointType, frames: &Frames<'_>, report: &mut Report) -> Option<usize> {
        if joint_type != JointType::Gearbox {
            return None;
        }
        let Some(element) = self.element.child("gearbox_reference_body").filter(|e| !e.text.is_empty()) else {
            let message = format!("gearbox `{}` has no <gearbox_reference_body>", self.element.named());
            let help = "it is the link that holds both axes: the speeds ω of the two links count relative to it";
            report.add(Diagnostic::error("gearbox-reference", message).at(&self.element.location).help(help));
            return None;
        };
        match self.find_side(&element.text, frames).and_then(|t| frames.body(t)) {
            Some(Body::Link(index)) => Some(index),
            _ if element.text == "world" => None,
            _ => {
                let message = format!("<gearbox_reference_body> names `{}`, which does not exist here", element.text);
                let mut finding = Diagnostic::error("unknown-frame", message).at(&element.text_location);
                let links = frames.all.scopes[self.scope].entries.iter().filter(|e| e.element.name == "link");
                finding.help = did_you_mean(&element.text, links.map(|e| e.name));
                report.add(finding);
                None
            }
        }
    }
}

/// An axis that the file does not give. Gazebo classic leaves those of a universal joint as ODE makes them, along x and y
/// (`dJointCreateUniversal`); all others have the format's default.
fn default_axis(name: &str, joint_type: JointType) -> DVec3 {
    match (joint_type, name) {
        (JointType::Universal, "axis") => DVec3::X,
        (JointType::Universal, _) => DVec3::Y,
        _ => DVec3::Z,
    }
}

fn words(axis: DVec3) -> String {
    format!("{} {} {}", axis.x, axis.y, axis.z)
}

/// The file has a `<physics><ode>`: one that `--set` made for a value of its own changes no other value.
pub(super) fn has_ode(joint: &Element) -> bool {
    joint.find("physics/ode").is_some_and(|ode| ode.override_path.is_none())
}

/// Metres per turn. The old `thread_pitch` is in radians per metre, negative for a right-handed screw.
fn screw_pitch(r: &Reader<'_>, joint: &Element, joint_type: JointType, report: &mut Report) -> Setting<f64> {
    let mut pitch = r.real("screw_thread_pitch");
    let old = r.real("thread_pitch");
    if !pitch.is_given() && old.is_given() {
        pitch = Setting { value: -core::f64::consts::TAU / old.value, origin: old.origin };
    }
    if joint_type == JointType::Screw && (pitch.value == 0.0 || !pitch.value.is_finite()) {
        let place = ["screw_thread_pitch", "thread_pitch"]
            .iter()
            .find_map(|n| joint.child(n))
            .map_or(&joint.location, |e| &e.text_location);
        report.add(
            Diagnostic::error("out-of-range", "the pitch of a screw cannot be 0")
                .at(place)
                .element(joint.path.as_str()),
        );
        pitch.value = 1.0;
    }
    pitch
}
