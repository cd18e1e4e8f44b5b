//! One contact of two shapes in every language.

mod combined;
mod contact;
mod languages;

use stiction::contact::friction::{Coupling, FrictionBound};
use stiction::material::ContactSurface;
use stiction::world::{GeomId, PairContact};
use stiction_formats::description::{CollisionDescription, GeometryDescription, LinkDescription, WorldDescription};
use stiction_formats::nearest;
use stiction_formats::simulation::{Simulation, apply_materials};
use stiction_formats::usage;
use thiserror::Error;

pub use combined::Combined;
pub use contact::{EngineContact, PairMasses, largest_explicit_step};
pub use languages::{Language, Quantity as LanguageValue, SOLIMP, impedance, solref_direct};

use super::numbers::short;
use crate::engine::Engine;
use crate::error::RunError;
use crate::setup::Project;

/// A contact of two shapes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PairExplanation {
    /// Scoped names of the two collisions.
    pub collisions: [String; 2],
    /// Masses on the contact.
    pub masses: PairMasses,
    /// Contact points that share the load, and how their number is known.
    pub points: (usize, &'static str),
    /// How the values of the surfaces combine under the engine.
    pub combined: Vec<Combined>,
    /// The friction law in words.
    pub friction: String,
    /// Restitution, its threshold and the drop from which it acts.
    pub restitution: String,
    /// Torsional friction; empty where there is none.
    pub torsion: String,
    /// The contact under the engine.
    pub contact: EngineContact,
    /// The same in the words of other systems.
    pub languages: Vec<Language>,
    /// The contact under every engine that takes the world.
    pub engines: Vec<EngineContact>,
    /// What is worth saying.
    pub notes: Vec<String>,
}

/// Why a pair cannot be explained.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PairError {
    /// No link and no collision has the name.
    #[error("no link or collision is called `{name}`{}", if near.is_empty() { String::new() } else { format!("; the nearest: {}", near.join(", ")) })]
    Unknown {
        /// The name.
        name: String,
        /// Names like it.
        near: Vec<String>,
    },
    /// A link or model without a shape that the engine has.
    #[error("`{0}` has no collision shape")]
    NoShape(String),
    /// The two never touch.
    #[error(
        "`{0}` and `{1}` never touch: bitmasks, a joint between them, one model that does not collide with itself, or both are static"
    )]
    Apart(String, String),
    /// The world does not run.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl Project {
    /// One contact of two shapes, by the scoped names of collisions, links or models; a link or model stands for its first shape.
    ///
    /// # Errors
    /// Names that do not exist, shapes that never touch, findings that stop a run.
    pub fn explain_pair(&self, engine: &Engine, names: [&str; 2]) -> Result<PairExplanation, PairError> {
        let description = self.description()?;
        let collisions = [collision(description, names[0])?, collision(description, names[1])?];
        let apart = || PairError::Apart(collisions[0].name.clone(), collisions[1].name.clone());
        let mut notes = Vec::new();
        for (name, collision) in names.iter().zip(&collisions) {
            if *name != collision.name {
                notes.push(format!("`{name}` means its collision `{}`", collision.name));
            }
        }
        if self.materials.is_some() {
            notes.push("the material table has the law of the pair: values of the surfaces do not count".to_owned());
        }
        let (count, known) = self.points(engine, collisions)?;
        let shown = self.under(engine, collisions, count)?.ok_or_else(apart)?;
        let Shown { contact, law, masses } = shown;
        if masses.bodies.iter().all(|m| m.is_infinite()) {
            return Err(apart());
        }
        if masses.bodies.iter().all(|m| m.is_finite()) {
            notes.push("both bodies move: the upper one is the load, without the bodies on top of it".to_owned());
        }
        if !law.acts {
            notes.push("contacts of this pair are found and reported, and do not act".to_owned());
        }
        let mut engines = Vec::new();
        for name in usage::engines() {
            // An engine may refuse a world.
            let Ok(other) = self.engine_of(name) else { continue };
            if let Ok(Some(other)) = self.under(&other, collisions, count) {
                engines.push(other.contact);
            }
        }
        let gravity = engine.parameters.gravity.length();
        Ok(PairExplanation {
            collisions: collisions.map(|c| c.name.clone()),
            points: (contact.points, if contact.points == count { known } else { "the engine has single points" }),
            combined: combined::combined(engine.name(), collisions, &law.surface),
            friction: friction(&law.surface),
            restitution: restitution(&law.surface, gravity),
            torsion: torsion(&law.surface, contact.depth),
            languages: languages::languages(&contact, &masses),
            contact,
            masses,
            engines,
            notes,
        })
    }

    /// The contact under an engine; `None` where the two never touch.
    fn under(
        &self,
        engine: &Engine,
        collisions: [&CollisionDescription; 2],
        of_faces: usize,
    ) -> Result<Option<Shown>, RunError> {
        let simulation = self.simulation_of(engine)?;
        let Some(geoms) = geoms(&simulation, collisions) else { return Ok(None) };
        let masses = PairMasses::of(&simulation.world, geoms);
        let law = |points| simulation.world.pair_contact(geoms, points);
        let Some(first) = law(of_faces) else { return Ok(None) };
        let points = first.points(of_faces);
        let law = law(points).unwrap_or(first);
        let contact = EngineContact::of(engine, &law, &masses, points);
        Ok(Some(Shown { contact, law, masses }))
    }

    fn simulation_of(&self, engine: &Engine) -> Result<Simulation, RunError> {
        let description = self.description()?;
        let mut simulation = self.world(engine)?;
        if let Some(table) = &self.materials {
            drop(apply_materials(&mut simulation, description, table));
        }
        Ok(simulation)
    }

    /// Contact points of two shapes: as they touch in the first step, otherwise as such shapes rest.
    fn points(
        &self,
        engine: &Engine,
        collisions: [&CollisionDescription; 2],
    ) -> Result<(usize, &'static str), RunError> {
        let mut simulation = self.simulation_of(engine)?;
        if let Some([a, b]) = geoms(&simulation, collisions) {
            simulation.world.step(engine.step);
            let reports = simulation.world.contact_reports().iter().filter_map(|r| r.geoms);
            let count = reports.filter(|pair| *pair == [a, b] || *pair == [b, a]).count();
            if count > 0 {
                return Ok((count, "as the two touch in the first step"));
            }
        }
        let count = collisions.iter().map(|c| c.geometry.resting_points()).min().unwrap_or(1);
        Ok((count, "assumed: the two do not touch in the first step"))
    }
}

struct Shown {
    contact: EngineContact,
    law: PairContact,
    masses: PairMasses,
}

fn collision<'a>(description: &'a WorldDescription, name: &str) -> Result<&'a CollisionDescription, PairError> {
    let all = || description.links.iter().flat_map(|link| &link.collisions);
    if let Some(found) = all().find(|c| c.name == name) {
        return Ok(found);
    }
    let solid = |c: &&CollisionDescription| {
        !matches!(c.geometry, GeometryDescription::Empty | GeometryDescription::Unsupported(_))
    };
    let first_shape = |link: &'a LinkDescription| link.collisions.iter().find(solid);
    if let Some(link) = description.links.iter().find(|link| link.name == name) {
        return first_shape(link).ok_or_else(|| PairError::NoShape(name.to_owned()));
    }
    if let Some(model) = description.models.iter().position(|model| model.name == name) {
        let shape = description.links.iter().filter(|link| link.model == model).find_map(first_shape);
        return shape.ok_or_else(|| PairError::NoShape(name.to_owned()));
    }
    let names = description.links.iter().map(|l| l.name.as_str()).chain(all().map(|c| c.name.as_str()));
    // A bare name of a model, link or collision stands for those that have it.
    let has_part = |whole: &&str| whole.split("::").any(|part| part == name);
    let mut near: Vec<String> = names.clone().filter(has_part).map(str::to_owned).collect();
    if near.is_empty() {
        near = nearest(name, names).into_iter().map(str::to_owned).collect();
    }
    near.truncate(4);
    Err(PairError::Unknown { name: name.to_owned(), near })
}

fn geoms(simulation: &Simulation, collisions: [&CollisionDescription; 2]) -> Option<[GeomId; 2]> {
    let [a, b] = collisions.map(|collision| simulation.geom(&collision.name));
    Some([a?, b?])
}

fn friction(surface: &ContactSurface) -> String {
    if let Some(s) = surface.stribeck {
        return format!(
            "Stribeck: static {}, dynamic {}, stiction tolerance {} m/s",
            short(s.static_coefficient),
            short(s.dynamic_coefficient),
            short(s.tolerance)
        );
    }
    let [a, b] = surface.friction.map(|bound| match bound {
        FrictionBound::Force(force) => format!("{} N", short(force)),
        FrictionBound::LastNormal(mu) => format!("{} times the normal force of the last step", short(mu)),
        other => format!("{} times the normal force", short(other.value())),
    });
    let form = match (surface.coupling, surface.friction[0]) {
        (Coupling::Ellipse, _) => "cone",
        (Coupling::Independent, FrictionBound::Force(_)) => "box",
        _ => "pyramid",
    };
    let slip = match surface.slip {
        [0.0, 0.0] => String::new(),
        [s1, s2] => format!(", slip {} and {} m/s/N", short(s1), short(s2)),
    };
    if a == b { format!("{form}: {a}{slip}") } else { format!("{form}: {a}; {b} across{slip}") }
}

fn restitution(surface: &ContactSurface, gravity: f64) -> String {
    match surface.bounce {
        Some(bounce) if bounce.coefficient > 0.0 => {
            let drop =
                if gravity > 0.0 { bounce.threshold * bounce.threshold / (2.0 * gravity) } else { f64::INFINITY };
            let (e, threshold) = (short(bounce.coefficient), short(bounce.threshold));
            format!("{e} above {threshold} m/s: from a drop of {} m", short(drop))
        }
        Some(_) => "none".to_owned(),
        None => "by the dissipation of the normal law".to_owned(),
    }
}

fn torsion(surface: &ContactSurface, depth: f64) -> String {
    let arm = surface.torsional.moment_arm(depth);
    if arm > 0.0 {
        let mu = short(surface.torsional.coefficient);
        format!("coefficient {mu}: at most {} N m for each N, 3π/16 a μ₃ at this depth", short(arm))
    } else {
        String::new()
    }
}
