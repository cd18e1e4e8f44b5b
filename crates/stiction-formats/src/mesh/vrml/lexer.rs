//! Words, numbers and brackets of a VRML file.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// `{`, `}`, `[` or `]`.
    Bracket(char),
    Number(f64),
    /// Between quotation marks, escapes resolved.
    Text(String),
    /// An identifier or a keyword, dots included.
    Word(String),
    End,
}

/// A token and its bytes.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
}

/// Reads tokens one after the other.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The next token; an error is a message with its bytes.
    pub(super) fn next(&mut self) -> Result<Token, (String, Range<usize>)> {
        self.skip_space();
        let start = self.at;
        let Some(first) = self.text[start..].chars().next() else {
            return Ok(Token { kind: Kind::End, span: start..start });
        };
        let kind = match first {
            '{' | '}' | '[' | ']' => {
                self.at += 1;
                Kind::Bracket(first)
            }
            '"' => self.quoted(start)?,
            _ => {
                let rest = &self.text[start..];
                let end = rest.find(|c: char| is_space(c) || "{}[]\"#".contains(c)).unwrap_or(rest.len());
                // A character that begins nothing stands alone.
                let end = end.max(first.len_utf8());
                self.at += end;
                word(&rest[..end])
            }
        };
        Ok(Token { kind, span: start..self.at })
    }

    fn skip_space(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.find(|c: char| !is_space(c)).unwrap_or(rest.len());
            let rest = &self.text[self.at..];
            if !rest.starts_with('#') {
                return;
            }
            self.at += rest.find(['\n', '\r']).unwrap_or(rest.len());
        }
    }

    fn quoted(&mut self, start: usize) -> Result<Kind, (String, Range<usize>)> {
        let mut text = String::new();
        let mut is_escaped = false;
        for (offset, c) in self.text[start + 1..].char_indices() {
            match c {
                _ if is_escaped => {
                    text.push(c);
                    is_escaped = false;
                }
                '\\' => is_escaped = true,
                '"' => {
                    self.at = start + 1 + offset + 1;
                    return Ok(Kind::Text(text));
                }
                _ => text.push(c),
            }
        }
        Err(("the text has no closing quotation mark".to_owned(), start..start + 1))
    }
}

/// Commas are white space.
const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | ',' | '\u{feff}')
}

/// A word is a number if it reads as one; hexadecimal numbers are whole.
fn word(text: &str) -> Kind {
    let is_numeric = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let number = match hexadecimal {
        Some(digits) => u32::from_str_radix(digits, 16).ok().map(f64::from),
        None => text.parse().ok().filter(|_| is_numeric),
    };
    number.map_or_else(|| Kind::Word(text.to_owned()), Kind::Number)
}
