//! How the values of two surfaces became those of their contact.

use stiction::contact::compliance::NormalForce;
use stiction::contact::friction::FrictionBound;
use stiction::contact::torsional::Patch;
use stiction::material::{ContactSurface, NormalLaw};
use stiction_formats::description::{CollisionDescription, Setting, SurfaceDescription};
use stiction_formats::usage::{self, How};

use super::super::numbers::short;
use crate::values::origin_text;

/// A value of a contact and the two that it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Combined {
    /// Path below a collision.
    pub name: String,
    /// Value and origin of each surface.
    pub surfaces: [(String, String); 2],
    /// How two become one.
    pub rule: String,
    /// What the contact has; `-` where the engine has no such value.
    pub result: String,
    /// Unit; empty or `1` for none.
    pub unit: &'static str,
    /// What the engine does with it.
    pub how: How,
}

/// A value of a surface as text, with its origin.
type Read = fn(&SurfaceDescription) -> (String, String);

fn number(setting: &Setting<f64>) -> (String, String) {
    (short(setting.value), origin_text(&setting.origin))
}

fn given(setting: &Setting<f64>) -> (String, String) {
    match setting.given() {
        Some(value) => (short(*value), origin_text(&setting.origin)),
        None => ("-".to_owned(), "not given".to_owned()),
    }
}

/// Key of the table of use, the value of a surface, and that of the contact.
type Row = (&'static str, Read, fn(&ContactSurface) -> Option<String>);

const ROWS: [Row; 24] = [
    (
        "surface/contact/ode kp",
        |s| number(&s.kp),
        |c| match c.normal {
            NormalLaw::Spring { stiffness, .. } => Some(short(stiffness)),
            NormalLaw::Spook { compliance, .. } => Some(short(1.0 / compliance)),
            NormalLaw::Compliant { force: NormalForce::KelvinVoigt { stiffness, .. }, .. } => Some(short(stiffness)),
            _ => None,
        },
    ),
    (
        "surface/contact/ode kd",
        |s| number(&s.kd),
        |c| match c.normal {
            NormalLaw::Spring { damping, .. } => Some(short(damping)),
            NormalLaw::Spook { compliance, damping_time, .. } => Some(short(damping_time / compliance)),
            NormalLaw::Compliant { force: NormalForce::KelvinVoigt { damping, .. }, .. } => Some(short(damping)),
            _ => None,
        },
    ),
    (
        "surface/contact/ode soft_erp",
        |s| number(&s.soft_erp),
        |c| match c.normal {
            NormalLaw::ErpCfm { erp, .. } => erp.map(short),
            _ => None,
        },
    ),
    (
        "surface/contact/ode soft_cfm",
        |s| number(&s.soft_cfm),
        |c| match c.normal {
            NormalLaw::ErpCfm { cfm, .. } => cfm.map(short),
            _ => None,
        },
    ),
    ("surface/contact/ode max_vel", |s| number(&s.max_vel), |c| c.max_correcting_velocity.map(short)),
    ("surface/contact/ode min_depth", |s| number(&s.min_depth), |c| c.surface_layer.map(short)),
    ("surface/contact elastic_modulus", |s| number(&s.elastic_modulus), |_| None),
    ("surface/contact poissons_ratio", |s| number(&s.poissons_ratio), |_| None),
    ("surface/friction/ode mu", |s| number(&s.mu), |c| Some(bound(c, 0))),
    ("surface/friction/ode mu2", |s| number(&s.mu2), |c| Some(bound(c, 1))),
    (
        "surface/friction/ode fdir1",
        |s| {
            let d = s.fdir1.value;
            (format!("{} {} {}", d.x, d.y, d.z), origin_text(&s.fdir1.origin))
        },
        |c| c.direction.map(|d| format!("{} {} {}", short(d.x), short(d.y), short(d.z))),
    ),
    ("surface/friction/ode slip1", |s| number(&s.slip1), |c| Some(short(c.slip[0]))),
    ("surface/friction/ode slip2", |s| number(&s.slip2), |c| Some(short(c.slip[1]))),
    (
        "surface/friction/torsional coefficient",
        |s| number(&s.torsional_coefficient),
        |c| Some(short(c.torsional.coefficient)),
    ),
    (
        "surface/friction/torsional patch_radius",
        |s| number(&s.patch_radius),
        |c| match c.torsional.patch {
            Patch::Radius(radius) => Some(short(radius)),
            _ => None,
        },
    ),
    (
        "surface/friction/torsional surface_radius",
        |s| number(&s.surface_radius),
        |c| match c.torsional.patch {
            Patch::Curvature(radius) => Some(short(radius)),
            _ => None,
        },
    ),
    ("surface/friction/torsional/ode slip", |s| number(&s.torsional_slip), |c| Some(short(c.torsional.slip))),
    ("surface/bounce restitution_coefficient", |s| number(&s.restitution), |c| c.bounce.map(|b| short(b.coefficient))),
    ("surface/bounce threshold", |s| number(&s.restitution_threshold), |c| c.bounce.map(|b| short(b.threshold))),
    (
        "collision/drake.proximity_properties drake.point_contact_stiffness",
        |s| given(&s.proximity.stiffness),
        |c| match c.normal {
            NormalLaw::Compliant { force: NormalForce::HuntCrossley { stiffness, .. }, .. } => Some(short(stiffness)),
            _ => None,
        },
    ),
    (
        "collision/drake.proximity_properties drake.hunt_crossley_dissipation",
        |s| given(&s.proximity.dissipation),
        |c| match c.normal {
            NormalLaw::Compliant { force: NormalForce::HuntCrossley { dissipation, .. }, .. } => {
                Some(short(dissipation))
            }
            _ => None,
        },
    ),
    (
        "collision/drake.proximity_properties drake.mu_static",
        |s| given(&s.proximity.static_friction),
        |c| c.stribeck.map(|s| short(s.static_coefficient)),
    ),
    (
        "collision/drake.proximity_properties drake.mu_dynamic",
        |s| given(&s.proximity.dynamic_friction),
        |c| c.stribeck.map(|s| short(s.dynamic_coefficient)),
    ),
    (
        "surface/contact collide_bitmask",
        |s| (s.collide_bitmask.value.to_string(), origin_text(&s.collide_bitmask.origin)),
        |_| None,
    ),
];

fn bound(contact: &ContactSurface, axis: usize) -> String {
    match contact.friction[axis] {
        FrictionBound::Force(force) => format!("{} N", short(force)),
        other => short(other.value()),
    }
}

/// The values that are given on a surface or have a part in the contact.
pub(super) fn combined(engine: &str, surfaces: [&CollisionDescription; 2], contact: &ContactSurface) -> Vec<Combined> {
    let rows = ROWS.iter().filter_map(|(key, read, result)| {
        let leaf = usage::find(key)?;
        let how = usage::of(leaf, engine).map_or(How::Ignored, |u| u.how);
        let values = surfaces.map(|collision| read(&collision.surface));
        let is_given = values.iter().any(|(_, origin)| origin != "default" && origin != "not given");
        if !is_given && how == How::Ignored {
            return None;
        }
        let result = if how == How::Ignored { None } else { result(contact) };
        Some(Combined {
            name: leaf.path(),
            surfaces: values,
            rule: rule(engine, key, leaf.parameter.map_or("", |p| p.combination)).to_owned(),
            result: result.unwrap_or_else(|| "-".to_owned()),
            unit: leaf.unit,
            how,
        })
    });
    rows.collect()
}

/// The rule of an engine; that of the table of parameters where it has none of its own.
fn rule(engine: &str, key: &str, usual: &'static str) -> &'static str {
    let is_drake = engine.starts_with("drake");
    match (engine, key) {
        ("agx", "surface/contact/ode kd") => "the larger τ = kd/kp, times the stiffness in series",
        ("bullet" | "bullet-featherstone" | "dart", "surface/bounce restitution_coefficient") => "product",
        ("bullet" | "bullet-featherstone" | "dart", "surface/bounce threshold") => "the engine's own",
        (_, "surface/friction/ode mu" | "surface/friction/ode mu2") if is_drake || engine == "simbody" => {
            "2 μ₁ μ₂/(μ₁ + μ₂)"
        }
        (_, k) if k.ends_with("point_contact_stiffness") => "in series",
        (_, k) if k.ends_with("hunt_crossley_dissipation") => "(k₂ d₁ + k₁ d₂)/(k₁ + k₂)",
        (_, k) if k.ends_with("mu_static") || k.ends_with("mu_dynamic") => "2 μ₁ μ₂/(μ₁ + μ₂)",
        _ => usual,
    }
}
