//! One value of a table by its path: `material.rubber.roughness`, `contact_material.rubber,steel.restitution`.

use std::path::Path;

use thiserror::Error;

use super::{CONTACT_KEYS, ContactMaterial, Defaults, Key, MATERIAL_KEYS, MaterialTable, WORD_KEYS};
use crate::Override;
use crate::description::Origin;
use crate::suggest::did_you_mean;

/// Beginnings of the paths.
const MATERIAL: &str = "material.";
const CONTACT: &str = "contact_material.";

/// Why a value cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SetMaterialError {
    /// Neither of the forms.
    #[error("expected material.NAME.KEY or contact_material.NAME,NAME.KEY")]
    Path,
    /// A material that the table does not have.
    #[error("there is no material `{name}`: {help}")]
    Material {
        /// The name.
        name: String,
        /// The nearest name, or those that there are.
        help: String,
    },
    /// A key that materials or contact materials do not have.
    #[error("`{key}` is not a key of a {of}: {help}")]
    Key {
        /// The key.
        key: String,
        /// `material` or `contact material`.
        of: &'static str,
        /// The nearest key, or those that there are.
        help: String,
    },
    /// A value that the key cannot have.
    #[error("`{key}` is `{found}`; expected {expected}")]
    Value {
        /// The key.
        key: String,
        /// The value.
        found: String,
        /// What it can have.
        expected: String,
    },
}

/// A table in place of those of files, and values in place of those of the table.
#[derive(Clone, Debug, Default)]
pub struct MaterialOptions {
    /// Holds whatever the files name.
    pub table: Option<MaterialTable>,
    /// What stands for keys that the files' own tables leave out.
    pub defaults: Defaults,
    /// Paths and values, the later ones win.
    pub settings: Vec<Override>,
}

impl MaterialOptions {
    /// True for a path of a value of a table.
    #[must_use]
    pub fn is_path(path: &str) -> bool {
        path.starts_with(MATERIAL) || path.starts_with(CONTACT)
    }

    /// The table in force: the given one, else that of the files, else the bundled one; with the values that fit it.
    pub(crate) fn in_force(&self, of_files: Option<MaterialTable>) -> MaterialTable {
        let mut table = self.table.clone().or(of_files).unwrap_or_else(MaterialTable::bundled);
        for setting in &self.settings {
            // What does not fit is told where the table itself is asked for.
            let _ = table.set(setting);
        }
        table
    }
}

impl MaterialTable {
    /// Sets one value. `*` stands for every material of the table. A pair that is not listed becomes one, with the values
    /// that were derived for it and the new one.
    ///
    /// # Errors
    /// A material or key that does not exist, a value that the key cannot have. The table is as it was then.
    pub fn set(&mut self, setting: &Override) -> Result<(), SetMaterialError> {
        let path = setting.path.as_str();
        let (rest, is_pair) = match path.strip_prefix(MATERIAL) {
            Some(rest) => (rest, false),
            None => (path.strip_prefix(CONTACT).ok_or(SetMaterialError::Path)?, true),
        };
        let (names, key) = rest.rsplit_once('.').ok_or(SetMaterialError::Path)?;
        if !is_pair {
            let names = self.named(names)?;
            let (key, number) = number(MATERIAL_KEYS, key, &[], "material", &setting.value)?;
            for name in names {
                let Some(material) = self.material_mut(&name) else { continue };
                (key.set)(material, number);
                material.is_viscosity_default &= key.names[0] != "viscosity";
                material.origins.insert(key.names[0], Origin::Override(path.to_owned()));
            }
            return Ok(());
        }
        let (first, second) = names.split_once(',').ok_or(SetMaterialError::Path)?;
        let pairs = (self.paired(first.trim())?, self.paired(second.trim())?);
        let change = Change::of(key, &setting.value)?;
        for a in &pairs.0 {
            for b in &pairs.1 {
                let mut contact = self.pair(a, b).values;
                change.apply(&mut contact);
                contact.origins.insert(change.key(), Origin::Override(path.to_owned()));
                self.insert_contact(a, b, contact);
            }
        }
        Ok(())
    }

    /// The material of a name, or all.
    fn named(&self, name: &str) -> Result<Vec<String>, SetMaterialError> {
        if name == "*" {
            return Ok(self.materials().map(|material| material.name.clone()).collect());
        }
        if self.material(name).is_some() {
            return Ok(vec![name.to_owned()]);
        }
        let known: Vec<&str> = self.materials().map(|material| material.name.as_str()).collect();
        let help = did_you_mean(name, known.iter().copied()).unwrap_or_else(|| format!("one of: {}", known.join(", ")));
        Err(SetMaterialError::Material { name: name.to_owned(), help })
    }

    /// The same; pairs may be listed of names without a material.
    fn paired(&self, name: &str) -> Result<Vec<String>, SetMaterialError> {
        let is_listed = self.contacts().any(|(pair, _)| pair.iter().any(|own| own == super::canonical(name)));
        if is_listed && self.material(name).is_none() { Ok(vec![name.to_owned()]) } else { self.named(name) }
    }
}

/// The key of a spelling and a number in its range.
fn number<'k, T>(
    keys: &'k [Key<T>],
    key: &str,
    others: &[&str],
    of: &'static str,
    value: &str,
) -> Result<(&'k Key<T>, f64), SetMaterialError> {
    let Some(found) = Key::find(keys, key) else {
        let known = keys.iter().flat_map(|key| key.names).copied().chain(others.iter().copied());
        let help = did_you_mean(key, known).unwrap_or_else(|| {
            let first: Vec<&str> = keys.iter().map(|key| key.names[0]).chain(others.iter().copied()).collect();
            format!("one of: {}", first.join(", "))
        });
        return Err(SetMaterialError::Key { key: key.to_owned(), of, help });
    };
    let number = value.trim().parse().ok().filter(|number| found.range.has(*number));
    let wrong = || SetMaterialError::Value {
        key: key.to_owned(),
        found: value.to_owned(),
        expected: found.range.words().to_owned(),
    };
    Ok((found, number.ok_or_else(wrong)?))
}

/// A new value of a contact material.
enum Change {
    Number(&'static Key<ContactMaterial>, f64),
    /// A key that is no number, and a contact material with its value.
    Word(&'static str, Box<ContactMaterial>),
}

impl Change {
    fn of(key: &str, value: &str) -> Result<Self, SetMaterialError> {
        let Some(word) = WORD_KEYS.iter().find(|word| word.names.contains(&key)).map(|word| word.names[0]) else {
            let others: Vec<&str> = WORD_KEYS.iter().map(|word| word.names[0]).collect();
            let (key, number) = number(CONTACT_KEYS, key, &others, "contact material", value)?;
            return Ok(Self::Number(key, number));
        };
        let is_list = matches!(word, "frictionModel" | "primaryDirection");
        let value = if is_list && !value.contains('[') { format!("[ {value} ]") } else { value.to_owned() };
        let text = format!("contact_materials: [ {{ materials: [ a, b ], {key}: {value} }} ]\n");
        let read = Self::read(&text);
        read.map(|contact| Self::Word(word, Box::new(contact))).map_err(|expected| SetMaterialError::Value {
            key: key.to_owned(),
            found: value.clone(),
            expected,
        })
    }

    /// The one contact material of a table's text; else what is wrong with it.
    fn read(text: &str) -> Result<ContactMaterial, String> {
        let read = MaterialTable::parse(Path::new("--set"), text, Defaults::default());
        let error = read.diagnostics.iter().find(|d| d.blocks_run);
        if let Some(error) = error {
            return Err(error.help.clone().unwrap_or_else(|| error.message.clone()));
        }
        let contact = read.table.as_ref().and_then(|table| table.contact("a", "b")).cloned();
        contact.ok_or_else(|| "a value of a table".to_owned())
    }

    fn key(&self) -> &'static str {
        match self {
            Self::Number(key, _) => key.names[0],
            Self::Word(word, _) => word,
        }
    }

    fn apply(&self, contact: &mut ContactMaterial) {
        match self {
            Self::Number(key, number) => (key.set)(contact, *number),
            Self::Word(word, from) => match *word {
                "frictionModel" => {
                    contact.friction_model = from.friction_model;
                    contact.solve_type = from.solve_type;
                }
                "contactReductionMode" => contact.reduction.mode = from.reduction.mode,
                "contactReductionBinResolution" => contact.reduction.bins = from.reduction.bins,
                "primaryDirection" => contact.primary_direction = from.primary_direction,
                "referenceBodyName" => contact.reference_body.clone_from(&from.reference_body),
                "referenceLinkName" => contact.reference_link.clone_from(&from.reference_link),
                _ => contact.has_area_law = from.has_area_law,
            },
        }
    }
}
