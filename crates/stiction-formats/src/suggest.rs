//! The known word nearest to an unknown one.

/// Up to three of `known` that differ from `word` by few letters, nearest first.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let limit = (word.chars().count() / 3).max(2);
    let mut found: Vec<(usize, &str)> = Vec::new();
    for candidate in known {
        // Lengths that differ too much need no comparison of letters.
        if candidate.chars().count().abs_diff(word.chars().count()) > limit {
            continue;
        }
        let d = distance(word, candidate);
        if d <= limit && !found.iter().any(|(_, f)| *f == candidate) {
            found.push((d, candidate));
        }
    }
    found.sort();
    found.into_iter().take(3).map(|(_, w)| w).collect()
}

/// "did you mean `a` or `b`?", or `None` without a near word.
pub(crate) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let near = nearest(word, known);
    (!near.is_empty()).then(|| {
        let quoted: Vec<String> = near.iter().map(|w| format!("`{w}`")).collect();
        format!("did you mean {}?", quoted.join(" or "))
    })
}

/// Levenshtein distance in characters; very long words count as far away.
fn distance(a: &str, b: &str) -> usize {
    const LONGEST: usize = 200;
    let a: Vec<char> = a.chars().take(LONGEST).collect();
    let b: Vec<char> = b.chars().take(LONGEST).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
