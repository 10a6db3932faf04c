//! `--peer NAME=COMMAND`: a program that measures itself, for libraries that the registry cannot build.
//!
//! In: the option's text, then a workload and how long to measure. Out: Msamples/s, or why there are none.

use std::process::Command;

use terrane_bench::workload::Workload;

use crate::error::Failure;
use crate::process::{self, Ended};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct External {
    pub(crate) name: String,
    program: String,
    arguments: Vec<String>,
}

/// What a program answered.
pub(crate) enum Answer {
    MsamplesPerS(f64),
    /// It does not do this workload; what it said about that.
    No(String),
}

const FORM: &str = "it must be NAME=COMMAND, like fastnoise2=./fastnoise2-peer";

impl External {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (name, command) = text.split_once('=').ok_or(FORM)?;
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.+".contains(c)) {
            return Err(format!("the name `{name}` must be letters, digits, - _ . +; {FORM}"));
        }
        let mut words = split(command)?.into_iter();
        let program = words.next().ok_or_else(|| format!("the command is empty; {FORM}"))?;
        Ok(Self { name: name.to_owned(), program, arguments: words.collect() })
    }

    /// Asks for a figure.
    pub(crate) fn ask(&self, workload: &'static Workload, seconds: f64) -> Result<Answer, Failure> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg(workload.name).arg(seconds.to_string());
        let patience_s = process::patience_s(seconds);
        let ended = process::run(&mut command, patience_s).map_err(|source| Failure::PeerStart {
            name: self.name.clone(),
            program: self.program.clone(),
            source,
        })?;
        let Some(Ended { status, stdout, stderr }) = ended else {
            let (name, workload) = (self.name.clone(), workload.name);
            return Err(Failure::PeerSilent { name, workload, patience_s, asked_s: seconds });
        };
        if !status.success() {
            return Ok(Answer::No(format!("{status}: {}", stderr.trim())));
        }
        Ok(match process::rate(&stdout) {
            Some(rate) => Answer::MsamplesPerS(rate),
            None => Answer::No(format!("no Msamples/s on standard output: {}", stderr.trim())),
        })
    }
}

/// Words parted by spaces; `'..'` and `".."` keep spaces, and a backslash is an ordinary character.
fn split(command: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        return Err(format!("the quote {open} is not closed"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_split_at_spaces_outside_of_quotes() {
        let words = |text| split(text).expect("closed quotes");
        assert_eq!(words("./peer"), ["./peer"]);
        assert_eq!(words("  taskset -c 2   ./peer "), ["taskset", "-c", "2", "./peer"]);
        assert_eq!(words("'./my build/peer' --a=\"b 'c'\""), ["./my build/peer", "--a=b 'c'"]);
        assert_eq!(words(r"C:\peers\fn2.exe ''"), [r"C:\peers\fn2.exe", ""]);
        assert!(words("   ").is_empty());
    }

    #[test]
    fn what_is_wrong_with_a_peer_is_said() {
        let error = |text| External::parse(text).expect_err("malformed");
        assert!(error("fastnoise2").contains("NAME=COMMAND"));
        assert!(error("=./peer").contains("NAME=COMMAND"));
        assert!(error("two words=./peer").contains("letters"));
        assert!(error("fn2=").contains("the command is empty"));
        assert!(error("fn2='./my build").contains("' is not closed"));
    }
}
