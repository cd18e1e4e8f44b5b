//! Files of Choreonoid for tests: bodies, and the project that simulates them.

use std::path::{Path, PathBuf};

/// A folder for a project's files, and the items of its world.
pub struct Project {
    folder: tempfile::TempDir,
    world: String,
    items: Vec<[String; 3]>,
}

impl Project {
    /// A world under AGX with the simulator's keys, such as `timeStep: 0.005`.
    pub fn new(simulator: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let simulator = ["AGX", "AGXSimulatorItem", simulator].map(str::to_owned);
        Self { folder, world: String::new(), items: vec![simulator] }
    }

    /// Writes a file beside the project.
    pub fn file(self, name: &str, text: &str) -> Self {
        std::fs::write(self.folder().join(name), text).expect("a file");
        self
    }

    /// Names the table of the world.
    pub fn materials(mut self, table: &str) -> Self {
        self.world = "      data: { materialTableFile: m.yaml }\n".to_owned();
        self.file("m.yaml", table)
    }

    /// A body of links, and the keys of its item.
    pub fn body(self, name: &str, links: &str, item: &str) -> Self {
        let head = "format: ChoreonoidBody\nformatVersion: 1.0\nangleUnit: degree\nname: b\nlinks:\n";
        self.item(name, &format!("modelFile: {name}.body, {item}"))
            .file(&format!("{name}.body"), &format!("{head}{links}"))
    }

    /// A body of another file, which the keys of its item name.
    pub fn item(mut self, name: &str, item: &str) -> Self {
        self.items.push([name, "BodyItem", item].map(str::to_owned));
        self
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Writes the project itself. The folder and its files go with `self`.
    pub fn write(&self) -> PathBuf {
        let mut text =
            "items:\n  id: 0\n  name: Root\n  plugin: Base\n  class: RootItem\n  children:\n    - id: 1\n      \
                        name: World\n      plugin: Body\n      class: WorldItem\n"
                .to_owned();
        text += &self.world;
        text += "      children:\n";
        for (id, [name, class, data]) in self.items.iter().enumerate() {
            let id = id + 2;
            text +=
                &format!("        - {{ id: {id}, name: {name}, plugin: Body, class: {class}, data: {{ {data} }} }}\n");
        }
        let path = self.folder().join("p.cnoid");
        std::fs::write(&path, text).expect("a file");
        path
    }
}
