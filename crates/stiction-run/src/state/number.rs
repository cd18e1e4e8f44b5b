//! Numbers in JSON that keep their bits: what is not finite is a word.

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A number of any kind; `inf`, `-inf` and `nan` are strings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            serializer.serialize_f64(self.0)
        } else {
            serializer.serialize_str(&self.0.to_string().to_lowercase())
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl Visitor<'_> for Read {
            type Value = Number;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, `inf`, `-inf` or `nan`")
            }
            fn visit_f64<E: de::Error>(self, x: f64) -> Result<Number, E> {
                Ok(Number(x))
            }
            fn visit_i64<E: de::Error>(self, x: i64) -> Result<Number, E> {
                Ok(Number(x as f64))
            }
            fn visit_u64<E: de::Error>(self, x: u64) -> Result<Number, E> {
                Ok(Number(x as f64))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
                match text {
                    "inf" => Ok(Number(f64::INFINITY)),
                    "-inf" => Ok(Number(f64::NEG_INFINITY)),
                    "nan" => Ok(Number(f64::NAN)),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
        }
        deserializer.deserialize_any(Read)
    }
}
