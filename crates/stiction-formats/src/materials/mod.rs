//! Material tables of Choreonoid and AGX: materials in physical units, and what two of them make of a contact.
//!
//! A table lists materials (density, Young's modulus, damping time, roughness …) and *contact materials*: the law of a pair
//! of them. A pair that is not listed is derived from its two materials:
//!
//! | | |
//! |---|---|
//! | Young's modulus | `E = E₁ E₂ / (E₁ + E₂)` |
//! | restitution | `e = √((1 − v₁)(1 − v₂))`, v the viscosities |
//! | damping time | `τ = max(τ₁, τ₂)` |
//! | friction | `μ = √(r₁ r₂)`, r the roughnesses |
//! | surface viscosity | `γ = γ₁ + γ₂` |
//! | adhesion | `F = F₁ + F₂`, the larger overlap |
//!
//! A listed pair replaces all of them: what it leaves out has the contact materials' defaults, not derived values.
//!
//! ```
//! use stiction_formats::materials::{Defaults, MaterialTable};
//!
//! let text = "
//! materials:
//!   - { name: steel, youngsModulus: 2e11, viscosity: 0.2, roughness: 0.8 }
//!   - { name: rubber, youngs_modulus: 1e7, viscosity: 0.5, roughness: 1.2 }
//! ";
//! let read = MaterialTable::parse("table.yaml".as_ref(), text, Defaults::Seed);
//! let table = read.table.ok_or("the table is fine")?;
//! let pair = table.pair("steel", "rubber");
//! assert!((pair.youngs_modulus - 9_999_500.0).abs() < 1.0);
//! assert!((pair.restitution - 0.4_f64.sqrt()).abs() < 1e-12);
//! # Ok::<(), &str>(())
//! ```

mod contact;
mod keys;
mod material;
mod read;
mod set;

pub use contact::{ContactMaterial, FrictionWord, Pair, Reduction, ReductionMode};
pub use keys::{CONTACT_KEYS, Key, MATERIAL_KEYS, Range, SIMULATOR_KEYS, WORD_KEYS, WordKey};
pub use material::{Defaults, Material, WireMaterial};
pub use read::TableRead;
pub use set::{MaterialOptions, SetMaterialError};

use std::collections::BTreeMap;

/// Materials and contact materials, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialTable {
    materials: BTreeMap<String, Material>,
    /// By the two names in order.
    contacts: BTreeMap<[String; 2], ContactMaterial>,
}

/// The name of the material of what names none. `default` is the same.
pub const DEFAULT: &str = "Default";

/// The one spelling of a name.
fn canonical(name: &str) -> &str {
    if name == "default" { DEFAULT } else { name }
}

/// The key of a pair.
fn key(a: &str, b: &str) -> [String; 2] {
    let mut pair = [canonical(a).to_owned(), canonical(b).to_owned()];
    pair.sort();
    pair
}

impl MaterialTable {
    /// The table that holds where a world names materials and no table.
    #[must_use]
    pub fn bundled() -> Self {
        let text = include_str!("default.yaml");
        Self::parse("default.yaml".as_ref(), text, Defaults::Choreonoid).table.unwrap_or_default()
    }

    /// Adds a material, or replaces the one of its name.
    pub fn insert(&mut self, material: Material) -> Option<Material> {
        self.materials.insert(canonical(&material.name).to_owned(), material)
    }

    /// Lists a pair, or replaces what was listed. The names need not be those of materials in the table.
    pub fn insert_contact(&mut self, a: &str, b: &str, contact: ContactMaterial) -> Option<ContactMaterial> {
        self.contacts.insert(key(a, b), contact)
    }

    /// A material of the table.
    #[must_use]
    pub fn material(&self, name: &str) -> Option<&Material> {
        self.materials.get(canonical(name))
    }

    /// The name of a material, or of one side of a listed pair.
    #[must_use]
    pub fn knows(&self, name: &str) -> bool {
        let own = canonical(name);
        self.materials.contains_key(own) || self.contacts.keys().any(|pair| pair.iter().any(|side| side == own))
    }

    /// A material of the table, to change.
    pub fn material_mut(&mut self, name: &str) -> Option<&mut Material> {
        self.materials.get_mut(canonical(name))
    }

    /// The contact material of a listed pair.
    #[must_use]
    pub fn contact(&self, a: &str, b: &str) -> Option<&ContactMaterial> {
        self.contacts.get(&key(a, b))
    }

    /// The same, to change.
    pub fn contact_mut(&mut self, a: &str, b: &str) -> Option<&mut ContactMaterial> {
        self.contacts.get_mut(&key(a, b))
    }

    /// All materials, by name.
    pub fn materials(&self) -> impl Iterator<Item = &Material> {
        self.materials.values()
    }

    /// All listed pairs, by name.
    pub fn contacts(&self) -> impl Iterator<Item = (&[String; 2], &ContactMaterial)> {
        self.contacts.iter()
    }

    /// Contact parameters of two materials: the listed pair, or values derived from the two materials. A name without a
    /// material stands for AGX's own default material.
    #[must_use]
    pub fn pair(&self, a: &str, b: &str) -> Pair {
        if let Some(contact) = self.contact(a, b) {
            return Pair::listed(contact);
        }
        let of = |name: &str| self.material(name).cloned().unwrap_or_else(|| Material::unknown(name));
        Pair::derived(&of(a), &of(b))
    }
}
