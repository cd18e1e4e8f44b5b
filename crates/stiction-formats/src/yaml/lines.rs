//! Lines within brackets or quotes may start at any column in libyaml's reading, which Choreonoid and PyYAML share; the
//! YAML specification, and the parser, want them further right than the key that they belong to.

/// A text for the parser.
pub(super) struct Lines {
    pub(super) text: String,
    /// Byte in the text of the file of each character, and the length of the file.
    pub(super) bytes: Vec<usize>,
}

impl Lines {
    /// The text as it is.
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.char_indices().map(|(byte, _)| byte).chain([text.len()]).collect();
        Self { text: text.to_owned(), bytes }
    }

    /// With the lines that start within brackets or quotes moved to the right.
    pub(super) fn indented(text: &str) -> Self {
        let mut moved = Self { text: String::with_capacity(text.len()), bytes: Vec::with_capacity(text.len()) };
        let mut scan = Scan::default();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let added = scan.added();
            moved.text.extend(std::iter::repeat_n(' ', added));
            moved.bytes.extend(std::iter::repeat_n(start, added));
            moved.text.push_str(line);
            moved.bytes.extend(line.char_indices().map(|(byte, _)| start + byte));
            start += line.len();
            scan.pass(line);
        }
        moved.bytes.push(text.len());
        moved
    }
}

/// What the end of a line is within.
#[derive(Default)]
struct Scan {
    /// Brackets that are open.
    depth: usize,
    /// The quotation mark that is open.
    quote: Option<char>,
    /// The column of the key, or dash, that the value belongs to.
    column: usize,
    /// A block of text (`|`, `>`) below that column.
    is_block: bool,
}

impl Scan {
    /// Spaces that put the next line behind the column.
    fn added(&self) -> usize {
        if self.depth > 0 || self.quote.is_some() { self.column + 1 } else { 0 }
    }

    fn pass(&mut self, line: &str) {
        let line = line.trim_end();
        let indent = line.len() - line.trim_start().len();
        if self.is_block {
            if line.is_empty() || indent > self.column {
                return;
            }
            self.is_block = false;
        }
        if self.depth == 0 && self.quote.is_none() {
            let rest = line[indent..].trim_start_matches("- ").trim_start();
            let is_entry = rest.starts_with(['|', '>']) || rest == "-";
            self.column = (line.len() - rest.len()).saturating_sub(if is_entry { 2 } else { 0 });
        }
        // A scalar may begin here: a bracket, a quotation mark or `|` within one is text.
        let mut is_start = true;
        let mut before = ' ';
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            if let Some(mark) = self.quote {
                if c == '\\' && mark == '"' {
                    chars.next();
                } else if c == mark {
                    self.quote = None;
                }
                before = c;
                continue;
            }
            let ends_word = chars.peek().is_none_or(|next| next.is_whitespace());
            match c {
                '#' if before.is_whitespace() => return,
                '"' | '\'' if is_start => (self.quote, is_start) = (Some(c), false),
                '[' | '{' if is_start || self.depth > 0 => (self.depth, is_start) = (self.depth + 1, true),
                ']' | '}' if self.depth > 0 => (self.depth, is_start) = (self.depth - 1, false),
                ',' if self.depth > 0 => is_start = true,
                ':' if ends_word || self.depth > 0 => is_start = true,
                '-' | '?' if is_start && ends_word => {}
                '|' | '>' if is_start && self.depth == 0 => {
                    self.is_block = true;
                    return;
                }
                // An anchor, alias or tag: a value may follow.
                '&' | '*' | '!' if is_start => {
                    while chars.next_if(|next| !next.is_whitespace() && !",[]{}".contains(*next)).is_some() {}
                }
                c if c.is_whitespace() => {}
                _ => is_start = false,
            }
            before = c;
        }
    }
}
