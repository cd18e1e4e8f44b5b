//! Masses of links and what they follow from.

use stiction::math::DVec3;

use crate::bodies;
use crate::description::{InertialDescription, WorldDescription};
use crate::diagnostic::{Diagnostic, Location};
use crate::render::rounded;
use crate::sdf::element::inertia_values;

/// Mass properties of a link, in its frame.
#[derive(Clone, Debug, PartialEq)]
pub struct MassInForce {
    /// Scoped name of the link.
    pub link: String,
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass in the frame of the link \[m\].
    pub center: DVec3,
    /// Inertia about the centre in the axes of the link: xx, yy, zz, xy, xz, yz \[kg m²\].
    pub inertia: [f64; 6],
    /// Density \[kg/m³\] that all follows from, if it does.
    pub density: Option<f64>,
    /// Where the mass or the density comes from, in words.
    pub origin: String,
    /// The link.
    pub location: Location,
}

/// Of the links that move, each alone, in the order of the files.
#[must_use]
pub fn masses(world: &WorldDescription) -> Vec<MassInForce> {
    let moves = |link: &&crate::description::LinkDescription| {
        !world.models[link.model].is_static && !link.is_fixed_to_world && link.inertial.mass.value != 0.0
    };
    let of = |link: &crate::description::LinkDescription| {
        let own = bodies::mass_properties(&link.inertial);
        MassInForce {
            link: link.name.clone(),
            mass: own.mass,
            center: own.center_of_mass,
            inertia: inertia_values(&own.inertia),
            density: link.inertial.density.as_ref().map(|of| of.density.value),
            origin: origin(&link.inertial),
            location: link.location.clone(),
        }
    };
    world.links.iter().filter(moves).map(of).collect()
}

fn origin(inertial: &InertialDescription) -> String {
    match &inertial.density {
        Some(of) => {
            let whose = match &of.material {
                Some(material) => format!("of material `{material}`"),
                None if of.density.is_given() => "of the link".to_owned(),
                None => "of no material".to_owned(),
            };
            format!("density {} kg/m³ {whose}, {}", of.density.value, of.density.origin.words())
        }
        None => format!("mass {}", inertial.mass.origin.words()),
    }
}

impl MassInForce {
    /// Mass, centre and inertia in one line.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { mass, center, inertia, origin, .. } = self;
        // Products that are nothing but rounding are none.
        let largest = inertia.iter().fold(0.0_f64, |largest, i| largest.max(libm::fabs(*i)));
        let shown: Vec<String> =
            inertia.iter().map(|i| if libm::fabs(*i) < 1e-15 * largest { 0.0 } else { *i }).map(rounded).collect();
        format!(
            "{} kg ({origin}), centre {} {} {} m, inertia {} kg m²",
            rounded(*mass),
            rounded(center.x),
            rounded(center.y),
            rounded(center.z),
            shown.join(" ")
        )
    }

    /// A note for what follows from a density.
    #[must_use]
    pub fn finding(&self) -> Option<Diagnostic> {
        self.density?;
        let message = format!("`{}`: {}", self.link, self.text());
        Some(Diagnostic::note("mass-from-density", message).at(&self.location))
    }
}
