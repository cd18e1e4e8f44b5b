//! Masses and materials in force as JSON.

use serde_json::{Map, Value, json};

use stiction_formats::in_force::{MassInForce, MaterialsInForce, ValueInForce};

/// Masses of links: mass \[kg\], centre \[m\] and inertia \[kg m²\] in the frame of each, with their origin.
#[must_use]
pub fn masses_json(masses: &[MassInForce]) -> Value {
    let one = |m: &MassInForce| {
        let [xx, yy, zz, xy, xz, yz] = m.inertia;
        json!({
            "link": m.link,
            "mass": m.mass,
            "center": m.center.to_array(),
            "inertia": {"ixx": xx, "iyy": yy, "izz": zz, "ixy": xy, "ixz": xz, "iyz": yz},
            "density": m.density,
            "origin": m.origin,
        })
    };
    masses.iter().map(one).collect()
}

/// Materials and pairs of them: every key with value, unit and origin.
#[must_use]
pub fn materials_json(in_force: &MaterialsInForce) -> Value {
    let materials: Map<String, Value> = in_force
        .materials
        .iter()
        .map(|m| (m.name.clone(), json!({"used": m.is_used, "values": values(&m.values)})))
        .collect();
    let pairs: Vec<Value> = in_force
        .pairs
        .iter()
        .map(|p| {
            json!({
                "materials": p.materials,
                "derived": p.is_derived,
                "may_meet": p.may_meet,
                "restitution_rests_on_default_viscosity": p.is_derived && p.rests_on_default_viscosity,
                "values": values(&p.values),
            })
        })
        .collect();
    json!({"materials": materials, "pairs": pairs})
}

fn values(values: &[ValueInForce]) -> Value {
    let one = |v: &ValueInForce| {
        let number: Option<f64> = v.value.parse().ok().filter(|x: &f64| x.is_finite());
        let value = number.map_or_else(|| Value::from(v.value.as_str()), Value::from);
        let mut entry = json!({"value": value, "unit": v.unit, "origin": v.origin});
        if !v.is_used {
            entry["used"] = Value::Bool(false);
        }
        (v.key.to_owned(), entry)
    };
    Value::Object(values.iter().map(one).collect())
}
