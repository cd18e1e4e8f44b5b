//! A case: a seed of a kind under a setting, and what the judges say of it.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::contact::ContactScene;
use crate::mechanism::Mechanism;
use crate::program::Program;
use crate::setting::Setting;
use crate::verdict::Verdict;

/// What a case is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// Bodies on joints.
    Mechanisms,
    /// Shapes that fall, slide and pile up.
    Contacts,
    /// Programs of calls.
    Programs,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Mechanisms, Self::Contacts, Self::Programs];

    /// Name in reports and for `--kind`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mechanisms => "mechanisms",
            Self::Contacts => "contacts",
            Self::Programs => "programs",
        }
    }
}

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps what a panic says for the report of its case, instead of printing it.
pub fn keep_panics() {
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string().replace('\n', " ");
        PANIC.with(|kept| *kept.borrow_mut() = text);
    }));
}

/// Runs a case of at most so many steps (programs: calls). A panic is a failure.
#[must_use]
pub fn run(kind: Kind, seed: u64, setting: &Setting, steps: usize) -> Verdict {
    let outcome = catch_unwind(AssertUnwindSafe(|| match kind {
        Kind::Mechanisms => Mechanism::new(seed, setting).judge(setting.affordable(steps)),
        Kind::Contacts => ContactScene::new(seed, setting).judge(setting.affordable(steps)),
        Kind::Programs => Program::new(seed, setting).judge(steps),
    }));
    outcome.unwrap_or_else(|_| {
        let mut verdict = Verdict::default();
        verdict.fail("panic", PANIC.with(|kept| kept.borrow().clone()));
        verdict
    })
}
