//! A first look at XML text, before a parser builds anything from it.
//!
//! It refuses what costs a parser too much (document types, depth, attributes by the thousand), and rewrites the
//! colon of `prefix:name` to a dot: SDFormat files use prefixes that they never declare, which is an error in XML
//! with namespaces. Every byte keeps its place.

/// Deepest nesting of elements.
pub(crate) const MAX_DEPTH: usize = 64;
/// Most attributes of one element.
const MAX_ATTRIBUTES: usize = 1000;

/// Why a text is refused, and at which byte.
pub(crate) struct Refusal {
    pub code: &'static str,
    pub message: String,
    pub offset: usize,
}

/// The text with dots for the colons in names, or a refusal.
pub(crate) fn prepare(text: &str) -> Result<String, Refusal> {
    let bytes = text.as_bytes();
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
    Ok(String::from_utf8(out).unwrap_or_else(|_| text.to_owned()))
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
