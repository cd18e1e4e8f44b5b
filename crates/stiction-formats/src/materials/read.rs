//! Reads a material table, with every finding.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use stiction::math::DVec3;

use super::contact::SOLVE_TYPES;
use super::{
    CONTACT_KEYS, ContactMaterial, DEFAULT, Defaults, FrictionWord, Key, MATERIAL_KEYS, Material, MaterialTable,
    Reduction, ReductionMode, WORD_KEYS,
};
use crate::bundled;
use crate::description::Origin;
use crate::diagnostic::Diagnostic;
use crate::source::Sources;
use crate::suggest::did_you_mean;
use crate::yaml::{self, Entry, Mapping, Node};

/// A table that was read, and what there is to say of it.
#[derive(Clone, Debug, Default)]
pub struct TableRead {
    /// The table; `None` if the text is no table at all. Values that are refused are left at their defaults.
    pub table: Option<MaterialTable>,
    /// Findings in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
    /// The text, for excerpts.
    pub sources: Sources,
}

impl TableRead {
    /// Nothing in the table keeps a run from it.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.table.is_some() && !self.diagnostics.iter().any(|d| d.blocks_run)
    }
}

/// Keys at the top of a table.
const MATERIALS: &str = "materials";
const CONTACTS: [&str; 2] = ["contact_materials", "contactMaterials"];

/// Other keys of a contact material.
const OTHER_CONTACT_KEYS: [&str; 24] = [
    "materials",
    "frictionModel",
    "friction_model",
    "contactReductionMode",
    "contact_reduction_mode",
    "contactReductionBinResolution",
    "contact_reduction_bin_resolution",
    "primaryDirection",
    "primary_direction",
    "referenceBodyName",
    "reference_body_name",
    "reference_body",
    "referenceLinkName",
    "reference_link_name",
    "reference_link",
    "contactArea",
    "contact_area",
    "dynamic_friction",
    "dynamicFriction",
    "cullingDistance",
    "cullingDepth",
    "culling_distance",
    "culling_depth",
    "max_num_contact_points",
];

/// Keys of a contact material that AGX does not read.
const KEYS_OF_OTHERS: [(&str, &str); 7] = [
    ("dynamic_friction", "friction has one coefficient: `friction`"),
    ("dynamicFriction", "friction has one coefficient: `friction`"),
    ("cullingDistance", "of Choreonoid's own simulator"),
    ("cullingDepth", "of Choreonoid's own simulator"),
    ("culling_distance", "of Choreonoid's own simulator"),
    ("culling_depth", "of Choreonoid's own simulator"),
    ("max_num_contact_points", "of Choreonoid's own simulator"),
];

impl MaterialTable {
    /// Reads a table from a file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(path: &Path, defaults: Defaults) -> std::io::Result<TableRead> {
        let text = match bundled::text(path) {
            Some(text) => text.to_owned(),
            // A pipe would be waited for.
            None if !std::fs::metadata(path)?.is_file() => {
                return Err(std::io::Error::other("it is not a regular file"));
            }
            None => std::fs::read_to_string(path)?,
        };
        Ok(Self::parse(path, &text, defaults))
    }

    /// Reads a table from a text; `path` is what findings name.
    #[must_use]
    pub fn parse(path: &Path, text: &str, defaults: Defaults) -> TableRead {
        let mut read = TableRead::default();
        read.sources.insert(path, Arc::from(text));
        let root = match yaml::parse(path, text, &mut read.diagnostics) {
            Ok(root) => root,
            Err(error) => {
                read.diagnostics.push(*error);
                return read;
            }
        };
        let Some(mapping) = root.mapping() else {
            let message = format!("a material table is a mapping; found {}", root.kind());
            read.diagnostics.push(Diagnostic::error("material-table", message).at(&root.location));
            return read;
        };
        let mut reader = Reader {
            defaults,
            table: MaterialTable::default(),
            findings: &mut read.diagnostics,
            told: BTreeSet::new(),
        };
        reader.table(mapping);
        read.table = Some(reader.table);
        read
    }
}

struct Reader<'a> {
    defaults: Defaults,
    table: MaterialTable,
    findings: &'a mut Vec<Diagnostic>,
    /// Where keys stand of which something was said: merge keys bring them to several mappings.
    told: BTreeSet<usize>,
}

impl Reader<'_> {
    fn say(&mut self, finding: Diagnostic) {
        self.findings.push(finding);
    }

    fn table(&mut self, root: &Mapping) {
        let contacts = CONTACTS.into_iter().find_map(|name| root.entry(name));
        for entry in root.iter() {
            let known = [MATERIALS, CONTACTS[0], CONTACTS[1]];
            if !known.contains(&entry.key.as_str())
                && let Some(near) = did_you_mean(&entry.key, known)
            {
                let message = format!("`{}` is not a part of a material table", entry.key);
                self.say(Diagnostic::warning("unknown-key", message).at(&entry.key_location).help(near));
            }
            let is_second = entry.key == CONTACTS[1] && contacts.is_some_and(|read| read.key != entry.key);
            if is_second {
                let message = format!("`{}` is ignored because `{}` is present", CONTACTS[1], CONTACTS[0]);
                self.say(Diagnostic::warning("two-lists", message).at(&entry.key_location));
            }
        }
        if root.entry(MATERIALS).is_none()
            && contacts.is_none()
            && !self.findings.iter().any(|finding| finding.code == "unknown-key")
            && let Some(first) = root.iter().next()
        {
            let message = "the table has neither `materials` nor `contact_materials`";
            self.say(Diagnostic::warning("material-table", message).at(&first.key_location));
        }
        for node in self.list(root.entry(MATERIALS)) {
            self.material(&node);
        }
        // Every table of Choreonoid has this material, as its keys' defaults make it.
        if self.table.material(DEFAULT).is_none() {
            self.table.insert(Material::new(DEFAULT, self.defaults));
        }
        for node in self.list(contacts) {
            self.contact(&node);
        }
    }

    /// The mappings of a list.
    fn list(&mut self, entry: Option<&Entry>) -> Vec<std::rc::Rc<Node>> {
        let Some(entry) = entry.filter(|entry| !entry.value.is_null()) else { return Vec::new() };
        let Some(items) = entry.value.items() else {
            let message = format!("`{}` is {}; expected a list", entry.key, entry.value.kind());
            self.say(Diagnostic::error("wrong-type", message).at(&entry.value.location));
            return Vec::new();
        };
        let (mappings, others): (Vec<_>, Vec<_>) = items.iter().cloned().partition(|item| item.mapping().is_some());
        for other in others {
            let message = format!("an item of `{}` is {}; expected a mapping", entry.key, other.kind());
            self.say(Diagnostic::error("wrong-type", message).at(&other.location));
        }
        mappings
    }

    fn material(&mut self, node: &Node) {
        let Some(mapping) = node.mapping() else { return };
        let name = mapping.get("name").and_then(|name| name.text().map(str::to_owned)).filter(|name| !name.is_empty());
        let Some(name) = name else {
            let message = "a material has no name: it is left out";
            self.say(Diagnostic::error("material-name", message).at(&node.location).help("give it a `name`"));
            return;
        };
        let mut material = Material::new(name.clone(), self.defaults);
        material.location = Some(node.location.clone());
        material.is_viscosity_default = mapping.entry("viscosity").is_none();
        let element = format!("material[{name}]");
        material.origins = self.numbers(mapping, MATERIAL_KEYS, &["name"], &mut material, &element);
        for (key, help) in [
            ("poissonRatio", "contacts are springs of `youngsModulus`"),
            ("poisson_ratio", "contacts are springs of `youngs_modulus`"),
            ("stiffness", "use `youngsModulus`"),
            ("damping", "use `spookDamping`"),
        ] {
            if let Some(entry) = mapping.entry(key).filter(|entry| !entry.is_merged) {
                let message = format!("`{key}` has no effect");
                self.say(Diagnostic::note("no-effect", message).at(&entry.key_location).help(help).element(&element));
            }
        }
        if let Some(earlier) = self.table.insert(material) {
            let mut error = Diagnostic::error("duplicate-material", format!("material `{name}` is defined twice"))
                .at(&node.location)
                .element(element)
                .help(match &earlier.location {
                    Some(place) => format!("first in line {}; the last one counts", place.line),
                    None => "the last one counts".to_owned(),
                });
            error.blocks_run = false;
            self.say(error);
        }
    }

    /// The numbers of a material or contact material.
    fn numbers<T>(
        &mut self,
        mapping: &Mapping,
        keys: &[Key<T>],
        others: &[&str],
        into: &mut T,
        element: &str,
    ) -> BTreeMap<&'static str, Origin> {
        let mut origins = Vec::new();
        for entry in mapping.iter() {
            let Some(key) = Key::find(keys, &entry.key) else {
                // What a merge key brings is told at each place once.
                if !others.contains(&entry.key.as_str()) && self.told.insert(entry.key_location.span.start) {
                    let known = keys.iter().flat_map(|key| key.names.iter().copied()).chain(others.iter().copied());
                    let message =
                        format!("`{}` is not a key of a {}", entry.key, element.split('[').next().unwrap_or(""));
                    let mut finding =
                        Diagnostic::warning("unknown-key", message).at(&entry.key_location).element(element);
                    finding.help = did_you_mean(&entry.key, known);
                    self.say(finding);
                }
                continue;
            };
            if entry.value.is_null() {
                continue;
            }
            // Of two spellings the current one, with underscores, counts, else the first one of the key's list.
            if self.is_second_spelling(mapping, key.names, entry, element) {
                continue;
            }
            match entry.value.number() {
                Some(number) if key.range.has(number) => {
                    (key.set)(into, number);
                    origins.push((key.names[0], Origin::File(entry.value.location.clone())));
                }
                _ => {
                    let found = entry.value.text().map_or(entry.value.kind().to_owned(), |text| format!("`{text}`"));
                    let message = format!("`{}` is {found}; expected {}", entry.key, key.range.words());
                    let error = Diagnostic::error("material-value", message).at(&entry.value.location);
                    self.say(error.element(element));
                }
            }
        }
        origins.into_iter().collect()
    }

    /// Another spelling of the key counts; says so.
    fn is_second_spelling(&mut self, mapping: &Mapping, names: &[&str], entry: &Entry, element: &str) -> bool {
        let Some(counts) = chosen(mapping, names).filter(|counts| counts.key != entry.key) else { return false };
        let message = format!("`{}` is given in two spellings; `{}` counts", entry.key, counts.key);
        self.say(Diagnostic::warning("two-spellings", message).at(&entry.key_location).element(element));
        true
    }

    fn contact(&mut self, node: &Node) {
        let Some(mapping) = node.mapping() else { return };
        let Some(names) = self.names(mapping, node) else { return };
        let element = format!("contact_material[{}]", names.join(", "));
        let mut contact = ContactMaterial { location: Some(node.location.clone()), ..ContactMaterial::default() };
        contact.origins = self.numbers(
            mapping,
            CONTACT_KEYS,
            &[&OTHER_CONTACT_KEYS[..], &["collisionHandler"]].concat(),
            &mut contact,
            &element,
        );
        self.friction_model(mapping, &mut contact);
        contact.reduction = self.reduction(mapping);
        for key in &WORD_KEYS {
            for entry in key.names.iter().filter_map(|name| mapping.entry(name)).filter(|e| !e.value.is_null()) {
                self.is_second_spelling(mapping, key.names, entry, &element);
            }
            if let Some(entry) = chosen(mapping, key.names) {
                contact.origins.insert(key.names[0], Origin::File(entry.value.location.clone()));
            }
        }
        self.direction(mapping, &mut contact);
        contact.has_area_law = self.switch(mapping, &["contactArea", "contact_area"]);
        for (key, help) in KEYS_OF_OTHERS {
            if let Some(entry) = mapping.entry(key).filter(|entry| !entry.is_merged) {
                let message = format!("`{key}` has no effect");
                self.say(Diagnostic::note("no-effect", message).at(&entry.key_location).help(help).element(&element));
            }
        }
        if let Some(entry) = mapping.entry("collisionHandler") {
            let name = entry.value.text().unwrap_or_default();
            let message = format!("collision handlers are programs of Choreonoid: `{name}` is left out");
            self.say(Diagnostic::note("no-effect", message).at(&entry.value.location).element(&element));
        }
        for (i, a) in names.iter().enumerate() {
            for b in &names[i + 1..] {
                let Some(earlier) = self.table.insert_contact(a, b, contact.clone()) else { continue };
                let message = format!("the pair `{a}`, `{b}` is listed twice; the last one counts");
                let first = earlier.location.map_or(String::new(), |place| format!("first in line {}", place.line));
                self.say(
                    Diagnostic::warning("duplicate-pair", message).at(&node.location).help(first).element(&element),
                );
            }
        }
    }

    /// The materials of a contact material: two or more.
    fn names(&mut self, mapping: &Mapping, node: &Node) -> Option<Vec<String>> {
        let Some(entry) = mapping.entry("materials") else {
            let message = "a contact material has no `materials`: it is left out";
            self.say(Diagnostic::error("contact-materials", message).at(&node.location).help("materials: [ A, B ]"));
            return None;
        };
        let items = entry.value.items().unwrap_or_default();
        let names: Vec<String> = items.iter().filter_map(|item| item.text().map(str::to_owned)).collect();
        if names.len() < 2 || names.len() != items.len() {
            let found = if entry.value.items().is_some() {
                format!("{} names", names.len())
            } else {
                entry.value.kind().into()
            };
            let message = format!("`materials` has {found}; expected a list of two or more names");
            self.say(Diagnostic::error("contact-materials", message).at(&entry.value.location));
            return None;
        }
        Some(names)
    }

    /// `frictionModel: [ model, solve type ]`.
    fn friction_model(&mut self, mapping: &Mapping, contact: &mut ContactMaterial) {
        let Some(entry) = chosen(mapping, &["friction_model", "frictionModel"]) else { return };
        let words: Option<Vec<&str>> =
            entry.value.items().and_then(|items| items.iter().map(|item| item.text()).collect());
        let Some([model, solve]) = words.as_deref() else {
            let message = "`frictionModel` is a list of two words, a model and a solve type";
            let help = "for example frictionModel: [ cone, split ]";
            self.say(Diagnostic::error("friction-model", message).at(&entry.value.location).help(help));
            return;
        };
        let places = entry.value.items().unwrap_or_default();
        if let Some(model) = self.word(model, &FrictionWord::WORDS, "friction model", &places[0]) {
            contact.friction_model = model;
        }
        if let Some(solve) = self.word(solve, &SOLVE_TYPES, "solve type", &places[1]) {
            contact.solve_type = solve;
        }
    }

    /// The meaning of a word.
    fn word<T: Copy>(&mut self, word: &str, words: &[(&'static str, T)], what: &str, node: &Node) -> Option<T> {
        let found = words.iter().find(|(known, _)| *known == word);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).filter(|word| !word.is_empty()).collect();
            let near = did_you_mean(word, known.iter().copied());
            let message = format!("`{word}` is not a {what}");
            let help = near.unwrap_or_else(|| format!("one of: {}", known.join(", ")));
            self.say(Diagnostic::error("unknown-word", message).at(&node.location).help(help));
        }
        found.map(|(_, meaning)| *meaning)
    }

    fn reduction(&mut self, mapping: &Mapping) -> Reduction {
        let mut reduction = Reduction::default();
        if let Some(entry) = chosen(mapping, &["contact_reduction_mode", "contactReductionMode"]) {
            let mode = self.name(entry);
            let mode =
                mode.and_then(|word| self.word(&word, &ReductionMode::WORDS, "contact reduction mode", &entry.value));
            reduction.mode = mode.unwrap_or_default();
        }
        if let Some(entry) = chosen(mapping, &["contact_reduction_bin_resolution", "contactReductionBinResolution"]) {
            match entry.value.number() {
                Some(bins) if bins.fract() == 0.0 && (0.0..=10.0).contains(&bins) => reduction.bins = bins as u32,
                _ => {
                    let found = entry.value.text().unwrap_or("a list").to_owned();
                    let message = format!("`{}` is `{found}`; expected a whole number from 0 to 10", entry.key);
                    self.say(Diagnostic::error("material-value", message).at(&entry.value.location));
                }
            }
        }
        reduction
    }

    /// The primary direction and the link in whose frame it is.
    fn direction(&mut self, mapping: &Mapping, contact: &mut ContactMaterial) {
        if let Some(entry) = chosen(mapping, &["primary_direction", "primaryDirection"]) {
            match entry.value.numbers().as_deref() {
                Some([x, y, z]) => contact.primary_direction = in_reach(DVec3::new(*x, *y, *z)),
                _ => {
                    let message = format!("`{}` is not a list of three numbers", entry.key);
                    self.say(Diagnostic::error("wrong-type", message).at(&entry.value.location));
                }
            }
        }
        for (keys, field) in [
            (&["reference_body", "reference_body_name", "referenceBodyName"], &mut contact.reference_body),
            (&["reference_link", "reference_link_name", "referenceLinkName"], &mut contact.reference_link),
        ] {
            *field = chosen(mapping, keys).and_then(|entry| self.name(entry)).unwrap_or_default();
        }
        if contact.friction_model.is_oriented()
            && contact.primary_direction == DVec3::ZERO
            && let Some(place) = &contact.location
        {
            let message = "the friction model is oriented and has no `primaryDirection`: it is taken without one";
            let finding = Diagnostic::warning("primary-direction", message).at(place);
            self.say(finding.help("primaryDirection: [ x, y, z ] in the frame of `referenceLinkName`"));
        }
    }

    /// A name or word.
    fn name(&mut self, entry: &Entry) -> Option<String> {
        let name = entry.value.text().map(str::to_owned);
        if name.is_none() {
            let message = format!("`{}` is {}; expected a name", entry.key, entry.value.kind());
            self.say(Diagnostic::error("wrong-type", message).at(&entry.value.location));
        }
        name
    }

    fn switch(&mut self, mapping: &Mapping, keys: &[&str]) -> bool {
        let Some(entry) = chosen(mapping, keys) else { return false };
        entry.value.switch().unwrap_or_else(|| {
            let message = format!("`{}` is {}; expected true or false", entry.key, entry.value.kind());
            self.say(Diagnostic::error("wrong-type", message).at(&entry.value.location));
            false
        })
    }
}

/// The entry of a key with several spellings: of those that give something one with underscores, else the first.
fn chosen<'a>(mapping: &'a Mapping, names: &[&str]) -> Option<&'a Entry> {
    let given = || names.iter().filter_map(|name| mapping.entry(name)).filter(|entry| !entry.value.is_null());
    let is_current = |entry: &&Entry| !entry.key.chars().any(|c| c.is_ascii_uppercase());
    given().find(is_current).or_else(|| given().next())
}

/// A direction whose square neither vanishes nor overflows.
fn in_reach(direction: DVec3) -> DVec3 {
    let largest = direction.abs().max_element();
    if largest == 0.0 || (1e-100..1e100).contains(&largest) { direction } else { direction / largest }
}
