//! Explanations as JSON.

use serde_json::{Value, json};

use super::{
    Combined, EngineContact, ExplainedValue, Explanation, FrictionDirections, Language, Page, PairExplanation,
};

impl Explanation {
    /// As one object: `engine`, `step_size`, `departures`, `elements` with their `parameters`.
    #[must_use]
    pub fn json(&self) -> Value {
        let value = |v: &ExplainedValue| {
            json!({
                "path": v.path,
                "name": v.name,
                "value": v.value,
                "unit": v.unit,
                "origin": v.origin,
                "use": v.how.word(),
                "reason": v.reason,
                "numbers": v.numbers,
            })
        };
        let element = |group: &super::Group| json!({"element": group.element, "parameters": group.values.iter().map(value).collect::<Vec<_>>()});
        json!({
            "engine": self.engine,
            "step_size": self.step,
            "departures": self.departures,
            "elements": self.groups.iter().map(element).collect::<Vec<_>>(),
        })
    }
}

impl Page {
    /// As one object.
    #[must_use]
    pub fn json(&self) -> Value {
        let uses: Vec<Value> = self
            .uses
            .iter()
            .map(|(engine, how, text)| json!({"engine": engine, "use": how.word(), "reason": text}))
            .collect();
        json!({
            "path": self.path,
            "pattern": self.pattern,
            "meaning": self.meaning,
            "unit": self.unit,
            "default": self.default,
            "range": self.range,
            "combination": self.combination,
            "equation": self.equation,
            "source": self.source,
            "engines": uses,
            "aliases": self.aliases,
            "related": self.related,
            "directions": self.directions.iter().map(directions).collect::<Vec<_>>(),
            "proof": self.proof,
        })
    }
}

fn directions(d: &FrictionDirections) -> Value {
    json!({"engines": d.engines, "level_ground": d.level, "rule": d.rule})
}

/// A number, or nothing where it is not finite.
fn number(x: f64) -> Value {
    if x.is_finite() { json!(x) } else { Value::Null }
}

impl EngineContact {
    fn json(&self) -> Value {
        json!({
            "engine": self.engine,
            "law": self.law,
            "step_size": self.step,
            "points": self.points,
            "stiffness": number(self.stiffness),
            "damping": number(self.damping),
            "depth": number(self.depth),
            "rest_depth": number(self.rest_depth),
            "frequency": number(self.frequency),
            "damping_ratio": number(self.damping_ratio),
            "explicit_step": number(self.explicit_step),
        })
    }
}

impl PairExplanation {
    /// As one object; numbers that are not finite are null.
    #[must_use]
    pub fn json(&self) -> Value {
        let combined = |c: &Combined| {
            let of = |i: usize| json!({"value": c.surfaces[i].0, "origin": c.surfaces[i].1});
            json!({
                "name": c.name, "unit": c.unit, "surfaces": [of(0), of(1)], "rule": c.rule, "result": c.result, "use": c.how.word(),
            })
        };
        let language = |l: &Language| {
            let values: Vec<Value> = l
                .values
                .iter()
                .map(|v| json!({"symbol": v.symbol, "value": number(v.value), "unit": v.unit}))
                .collect();
            json!({"name": l.name, "values": values, "formula": l.formula, "assumes": l.assumes})
        };
        json!({
            "collisions": self.collisions,
            "masses": {
                "bodies": self.masses.bodies.map(number), "reduced": number(self.masses.reduced), "load": number(self.masses.load),
            },
            "points": {"count": self.points.0, "known": self.points.1},
            "combined": self.combined.iter().map(combined).collect::<Vec<_>>(),
            "friction": self.friction,
            "restitution": self.restitution,
            "torsion": self.torsion,
            "contact": self.contact.json(),
            "languages": self.languages.iter().map(language).collect::<Vec<_>>(),
            "engines": self.engines.iter().map(EngineContact::json).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
}
