//! A first look at XML text, before a parser builds anything from it.
//!
//! It refuses what costs a parser too much (document types, depth, attributes by the thousand), and rewrites the
//! colon of `prefix:name` to a dot: SDFormat files use prefixes that they never declare, which is an error in XML
//! with namespaces. What Gazebo's parsers let pass and XML does not is made good and told: `--` in comments, an XML
//! declaration that is not at the start, values of attributes without quotes. Bytes keep their places but for such quotes.

/// Deepest nesting of elements.
pub(crate) const MAX_DEPTH: usize = 64;
/// Most attributes of one element.
const MAX_ATTRIBUTES: usize = 1000;

/// Why a text is refused, and at which byte.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub code: &'static str,
    pub message: String,
    pub offset: usize,
}

/// A text that a parser takes.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub text: String,
    /// Places in `text`, rising, of quotes that the file does not have.
    inserted: Vec<usize>,
    /// What was made good: code, message, place in the file.
    pub oddities: Vec<(&'static str, &'static str, usize)>,
}

impl Prepared {
    /// Place in the file of a place in the text.
    pub(crate) fn original(&self, offset: usize) -> usize {
        offset - self.inserted.partition_point(|place| *place < offset)
    }

    /// Every byte is at its place.
    pub(crate) fn is_aligned(&self) -> bool {
        self.inserted.is_empty()
    }
}

/// The text with dots for the colons in names, or a refusal.
pub(crate) fn prepare(text: &str) -> Result<Prepared, Refusal> {
    let (quoted, inserted, mut oddities) = with_quotes(text);
    let bytes = quoted.as_bytes();
    let mut out = bytes.to_vec();
    let mut open: Vec<usize> = Vec::new();
    let mut i = 0;
    while let Some(start) = bytes[i..].iter().position(|b| *b == b'<').map(|p| p + i) {
        let rest = &bytes[start..];
        let skipped = [(&b"<!--"[..], &b"-->"[..]), (b"<![CDATA[", b"]]>"), (b"<?", b"?>")]
            .into_iter()
            .find(|(head, _)| rest.starts_with(head));
        if let Some((head, tail)) = skipped {
            let Some(end) = find(&rest[head.len()..], tail) else { break };
            i = start + head.len() + end + tail.len();
            let content = &bytes[start + head.len()..i - tail.len()];
            if head == b"<!--" && (find(content, b"--").is_some() || content.ends_with(b"-")) {
                oddities.push(("xml-comment", "`--` in a comment is not XML", start));
                blank(&mut out[start..i]);
            }
            if start > 0 && head == b"<?" && is_declaration(content) {
                oddities.push(("xml-declaration", "the XML declaration is not at the start of the file", start));
                blank(&mut out[start..i]);
            }
            continue;
        }
        if rest.starts_with(b"<!") {
            return Err(Refusal {
                code: "xml-doctype",
                message: "document types (DTD) and entity declarations are not accepted".into(),
                offset: start,
            });
        }
        let Some(tag) = scan_tag(&mut out, start)? else { break };
        if rest.starts_with(b"</") {
            open.pop();
        } else if !tag.is_empty {
            open.push(start);
            if open.len() > MAX_DEPTH {
                return Err(Refusal {
                    code: "xml-depth",
                    message: format!("elements are nested deeper than {MAX_DEPTH}"),
                    offset: start,
                });
            }
        }
        i = tag.end;
    }
    let prepared = Prepared { text: String::new(), inserted, oddities };
    let oddities =
        prepared.oddities.iter().map(|(code, message, at)| (*code, *message, prepared.original(*at))).collect();
    let text = String::from_utf8(out).unwrap_or(quoted);
    Ok(Prepared { text, inserted: prepared.inserted, oddities })
}

/// Spaces in the place of everything but ends of lines.
fn blank(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|b| !matches!(**b, b'\n' | b'\r')).for_each(|b| *b = b' ');
}

fn is_declaration(content: &[u8]) -> bool {
    content.strip_prefix(b"xml").is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

type Oddities = Vec<(&'static str, &'static str, usize)>;

/// Puts quotes around values of attributes that have none. Places are those of the text that is made.
fn with_quotes(text: &str) -> (String, Vec<usize>, Oddities) {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let (mut inserted, mut oddities) = (Vec::new(), Vec::new());
    let mut i = 0;
    while i < bytes.len() {
        let rest = &bytes[i..];
        let skipped = [(&b"<!--"[..], &b"-->"[..]), (b"<![CDATA[", b"]]>"), (b"<?", b"?>"), (b"<!", b">")]
            .into_iter()
            .find(|(head, _)| rest.starts_with(head));
        let end = match skipped {
            Some((head, tail)) => find(&rest[head.len()..], tail).map_or(rest.len(), |e| head.len() + e + tail.len()),
            None if rest[0] == b'<' => {
                i += quote_tag(rest, &mut out, &mut inserted, &mut oddities);
                continue;
            }
            None => rest.iter().position(|b| *b == b'<').unwrap_or(rest.len()),
        };
        out.extend_from_slice(&rest[..end]);
        i += end;
    }
    // Only quotes were put in, between characters.
    (String::from_utf8(out).unwrap_or_else(|_| text.to_owned()), inserted, oddities)
}

/// Copies a tag up to its `>`; the number of bytes that were read.
fn quote_tag(tag: &[u8], out: &mut Vec<u8>, inserted: &mut Vec<usize>, oddities: &mut Oddities) -> usize {
    let mut quote = None;
    let mut i = 0;
    while i < tag.len() {
        let b = tag[i];
        out.push(b);
        i += 1;
        match quote {
            Some(q) if b == q => quote = None,
            Some(_) => {}
            None if b == b'"' || b == b'\'' => quote = Some(b),
            None if b == b'>' => break,
            None if b == b'=' => {
                let is_end = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'>' | b'<' | b'"' | b'\'' | b'=' | b'`');
                let length = tag[i..].iter().position(is_end).unwrap_or(tag.len() - i);
                // `/>` ends an empty element.
                let length = if tag[i..i + length].ends_with(b"/") && tag.get(i + length) == Some(&b'>') {
                    length - 1
                } else {
                    length
                };
                if length > 0 {
                    oddities.push(("xml-quotes", "the value of an attribute has no quotes", out.len()));
                    inserted.push(out.len());
                    out.push(b'"');
                    out.extend_from_slice(&tag[i..i + length]);
                    inserted.push(out.len());
                    out.push(b'"');
                    i += length;
                }
            }
            None => {}
        }
    }
    i
}

struct Tag {
    end: usize,
    is_empty: bool,
}

/// Runs to the `>` of the tag that begins at `start`; `None` if there is none.
fn scan_tag(out: &mut [u8], start: usize) -> Result<Option<Tag>, Refusal> {
    let mut quote = None;
    let mut attributes = 0;
    let mut i = start + 1;
    while i < out.len() {
        let b = out[i];
        match quote {
            Some(q) if b == q => quote = None,
            Some(_) => {}
            None => match b {
                b'"' | b'\'' => quote = Some(b),
                b':' => out[i] = b'.',
                b'=' => {
                    attributes += 1;
                    if attributes > MAX_ATTRIBUTES {
                        return Err(Refusal {
                            code: "xml-attributes",
                            message: format!("an element has more than {MAX_ATTRIBUTES} attributes"),
                            offset: start,
                        });
                    }
                }
                b'>' => return Ok(Some(Tag { end: i + 1, is_empty: out[i - 1] == b'/' })),
                _ => {}
            },
        }
        i += 1;
    }
    Ok(None)
}

/// First place of `needle`.
fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|w| w == needle)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn what_gazebo_takes_is_made_good() {
        let text = "\n<?xml version='1.0'?>\n<!-- a -- ü --->\n<a b=1 c='x=y' d=e/f/><g:h i=\"2\"/>";
        let prepared = prepare(text).unwrap();
        assert!(prepared.text.ends_with("<a b=\"1\" c='x=y' d=\"e/f\"/><g.h i=\"2\"/>"), "{}", prepared.text);
        assert!(prepared.text[..prepared.text.find('<').unwrap()].trim().is_empty());
        let codes: Vec<_> = prepared.oddities.iter().map(|(code, ..)| *code).collect();
        assert_eq!(codes, ["xml-quotes", "xml-quotes", "xml-declaration", "xml-comment"]);
        // Places are those of the file.
        for (code, _, at) in &prepared.oddities {
            let found = &text[*at..];
            let expected = match *code {
                "xml-quotes" => found.starts_with('1') || found.starts_with("e/f"),
                "xml-declaration" => found.starts_with("<?xml"),
                _ => found.starts_with("<!--"),
            };
            assert!(expected, "{code}: {found}");
        }
        assert_eq!(prepared.original(prepared.text.find("<g.h").unwrap()), text.find("<g:h").unwrap());
    }

    #[test]
    fn good_xml_stays_as_it_is() {
        let text = "<?xml version=\"1.0\"?><!-- a > b = c --><a b = \"1\" c='<>=2'>x=3<![CDATA[<y z=1>]]></a>";
        let prepared = prepare(text).unwrap();
        assert_eq!(prepared.text, text);
        assert!(prepared.oddities.is_empty() && prepared.is_aligned());
    }
}
