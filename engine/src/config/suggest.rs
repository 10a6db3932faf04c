//! "Did you mean": the nearest of a few known words. In: a word of the file and the words that are known. Out:
//! the nearest one, if it is near enough to be a slip of the hand.

/// The known word that is nearest to `word` by edit distance (a swap of neighbours counts one), when that is at
/// most a third of the word's letters and at least one is allowed.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = word.chars().take(MAX_LETTERS + 1).collect();
    if letters.is_empty() || letters.len() > MAX_LETTERS {
        return None;
    }
    let reach = (letters.len() / 3).max(1);
    known
        .into_iter()
        .map(|candidate| (distance(&letters, candidate), candidate))
        .filter(|(edits, _)| *edits <= reach)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// What would be right, with the word that may have been meant.
pub(crate) fn did_you_mean(expected: String, near: Option<&str>) -> String {
    match near {
        Some(near) => format!("{expected}; did you mean {near}?"),
        None => expected,
    }
}

/// Words in quotes, as a file has them.
pub(crate) fn quoted_list(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("{word:?}")).collect();
    quoted.join(", ")
}

/// Longer words are no slips, and the table grows with the square.
const MAX_LETTERS: usize = 40;

/// Optimal string alignment distance, three rows at a time. Letter case does not count: `Octaves` is `octaves`.
fn distance(word: &[char], candidate: &str) -> usize {
    let lower = |c: &char| c.to_ascii_lowercase();
    let word: Vec<char> = word.iter().map(lower).collect();
    let other: Vec<char> = candidate.chars().map(|c| lower(&c)).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for i in 1..=word.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let is_other = usize::from(word[i - 1] != other[j - 1]);
            let mut edits = (above[j] + 1).min(row[j - 1] + 1).min(above[j - 1] + is_other);
            if i > 1 && j > 1 && word[i - 1] == other[j - 2] && word[i - 2] == other[j - 1] {
                edits = edits.min(before[j - 2] + 1);
            }
            row.push(edits);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[other.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_slips_and_nothing_else() {
        let known = ["octaves", "lacunarity", "persistence", "seed"];
        for (word, near) in [
            ("octave", Some("octaves")),
            ("ocatves", Some("octaves")),
            ("Octaves", Some("octaves")),
            ("lacunarty", Some("lacunarity")),
            ("sede", Some("seed")),
            ("octaves", Some("octaves")),
            ("warp", None),
            ("", None),
            ("é", None),
        ] {
            assert_eq!(nearest(word, known), near, "{word}");
        }
        assert_eq!(nearest(&"octaves".repeat(10), known), None);
    }
}
