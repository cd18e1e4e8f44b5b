//! How often topics are recorded.

use std::str::FromStr;

use crate::error::{Request, RunError};

/// What a recording holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Topic {
    /// Poses and velocities of links.
    Links,
    /// Contact points with their forces.
    Contacts,
    /// Positions, rates and efforts of joints.
    Joints,
    /// Nodes of wires.
    Wires,
    /// Readings of sensors, and odometry.
    Sensors,
}

impl Topic {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Links, Self::Contacts, Self::Joints, Self::Wires, Self::Sensors];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Links => "links",
            Self::Contacts => "contacts",
            Self::Joints => "joints",
            Self::Wires => "wires",
            Self::Sensors => "sensors",
        }
    }
}

/// Rates of topics \[Hz\]; those without one are recorded in every step, those of rate 0 never. Contacts are recorded only if
/// they have a rate of their own, or with [`RecordRates::with_contacts`].
///
/// ```
/// use stiction_run::{RecordRates, Topic};
///
/// let rates: RecordRates = "100,joints=500".parse().unwrap();
/// assert_eq!(rates.of(Topic::Links), Some(100.0));
/// assert_eq!(rates.of(Topic::Joints), Some(500.0));
/// assert_eq!(rates.of(Topic::Contacts), Some(0.0));
/// assert_eq!(rates.with_contacts().of(Topic::Contacts), Some(100.0));
/// assert_eq!(RecordRates::default().of(Topic::Links), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordRates {
    /// Rates of topics that are named.
    named: [Option<f64>; Topic::ALL.len()],
    /// The rate of all others.
    others: Option<f64>,
    has_contacts: bool,
}

impl RecordRates {
    /// The same rate for all topics \[Hz\], contacts included.
    #[must_use]
    pub const fn all(rate: f64) -> Self {
        Self { named: [None; Topic::ALL.len()], others: Some(rate), has_contacts: true }
    }

    /// Records contacts too: at their own rate, else at the rate of all topics, else in every step.
    #[must_use]
    pub const fn with_contacts(self) -> Self {
        Self { has_contacts: true, ..self }
    }

    /// Rate of a topic \[Hz\]; without one it is recorded in every step, with 0 never.
    #[must_use]
    pub fn of(&self, topic: Topic) -> Option<f64> {
        let is_left_out = topic == Topic::Contacts && !self.has_contacts;
        self.named[topic as usize].or(if is_left_out { Some(0.0) } else { self.others })
    }
}

impl FromStr for RecordRates {
    type Err = RunError;

    /// Reads `HZ`, `TOPIC=HZ`, or several of them with commas; a rate without a topic is that of all topics that are not named.
    fn from_str(text: &str) -> Result<Self, RunError> {
        let wrong = |reason: String| RunError::Text { request: Request::RecordRate, text: text.to_owned(), reason };
        let (mut named, mut others): ([Option<f64>; Topic::ALL.len()], _) = Default::default();
        for part in text.split(',') {
            let (topic, rate) = part.split_once('=').map_or((None, part), |(topic, rate)| (Some(topic.trim()), rate));
            let rate = rate.trim().parse::<f64>().ok().filter(|rate| rate.is_finite() && *rate >= 0.0);
            let rate =
                rate.ok_or_else(|| wrong(format!("`{part}` is not HZ or TOPIC=HZ with a number of 0 or more")))?;
            let place = match topic {
                None if rate == 0.0 => {
                    return Err(wrong("a rate of 0 records nothing: expected more than 0".to_owned()));
                }
                None => &mut others,
                Some(name) => {
                    let topic = Topic::ALL.into_iter().find(|topic| topic.name() == name).ok_or_else(|| {
                        let names = Topic::ALL.map(Topic::name).join(", ");
                        wrong(format!("`{name}` is not one of {names}"))
                    })?;
                    &mut named[topic as usize]
                }
            };
            if place.replace(rate).is_some() {
                return Err(wrong(format!("`{part}` is a second rate of the same topic")));
            }
        }
        Ok(Self { named, others, has_contacts: false })
    }
}

/// When a topic is next recorded.
pub(super) struct Schedule {
    /// Time between two samples \[s\]; 0 is every step, none is never.
    period: Option<f64>,
    start: f64,
    taken: u64,
    /// Time of the last sample \[s\].
    last: f64,
}

impl Schedule {
    pub(super) fn new(rate: Option<f64>, start: f64) -> Self {
        let period = match rate {
            None => Some(0.0),
            Some(0.0) => None,
            Some(rate) => Some(1.0 / rate),
        };
        Self { period, start, taken: 0, last: f64::NEG_INFINITY }
    }

    /// The time of the sample before, if it is time for one; that of less than half a step later is taken now. Steps longer
    /// than the period are all taken.
    pub(super) fn due(&mut self, time: f64, slack: f64) -> Option<f64> {
        let period = self.period?;
        // A product, not a sum over periods, so that rounding does not add up.
        if time < self.start + self.taken as f64 * period - slack {
            return None;
        }
        self.taken += 1;
        Some(std::mem::replace(&mut self.last, time))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn rates_are_read() {
        let rates: RecordRates = "links=50, joints=1000,2".parse().unwrap();
        assert_eq!(
            Topic::ALL.map(|topic| rates.of(topic)),
            [Some(50.0), Some(0.0), Some(1000.0), Some(2.0), Some(2.0)]
        );
        assert_eq!(rates.with_contacts().of(Topic::Contacts), Some(2.0));
        let rates: RecordRates = "contacts=7".parse().unwrap();
        assert_eq!([Topic::Links, Topic::Contacts].map(|topic| rates.of(topic)), [None, Some(7.0)]);
        assert_eq!(rates.with_contacts().of(Topic::Contacts), Some(7.0));
        assert_eq!(RecordRates::default().with_contacts().of(Topic::Contacts), None);
        for wrong in
            ["", "x", "links", "links=", "links=-1", "feet=3", "0", "1,2", "links=1,links=2", "inf", "links=nan"]
        {
            assert!(wrong.parse::<RecordRates>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn samples_keep_their_rate() {
        let mut schedule = Schedule::new(Some(30.0), 2.0);
        let taken = (0..=100_000).filter(|i| schedule.due(2.0 + f64::from(*i) * 1e-3, 5e-4).is_some()).count();
        assert_eq!(taken, 3001);
        let mut never = Schedule::new(Some(0.0), 0.0);
        assert!(never.due(1e9, 1.0).is_none());
    }
}
