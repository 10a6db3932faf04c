//! The output folder: files appear whole or not at all.
//!
//! In: the folder, and whether existing files may be replaced. Out: [`PartFile`]s to write into. Each is a
//! temporary beside its target; [`OutputDir::commit`] renames them all once every exporter has finished, and
//! dropping an `OutputDir` that was not committed (an error, a panic, a cancelled run) removes them, together
//! with the folders it made. A killed process can leave `.terrane-*.part` files, never a half file under a
//! real name.
//!
//! Deliberately not here: flushing to the disk's platter (a power cut may cost the last run) and the decision
//! to cancel, which is the driver's.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::ExportError;

/// Bytes gathered before they go to the operating system.
const BUFFER_BYTES: usize = 1 << 18;

/// A finished file of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenFile {
    /// Name inside the output folder.
    pub name: &'static str,
    /// Where it will be once the run is committed.
    pub path: PathBuf,
    /// Size in bytes.
    pub bytes: u64,
}

/// A temporary and the name that it will get.
#[derive(Debug)]
struct Part {
    name: &'static str,
    temporary: PathBuf,
}

/// A folder that a run writes to.
///
/// Keep it longer than the exporters: it is declared first and committed last.
///
/// ```
/// use terrane::export::OutputDir;
///
/// # fn main() -> Result<(), terrane::export::ExportError> {
/// # let dir = std::env::temp_dir().join(format!("terrane-doc-output-{}", std::process::id()));
/// let out = OutputDir::create(&dir, false)?;
/// out.write("report.json", b"{}")?;
/// assert!(!dir.join("report.json").exists(), "nothing has its name before the commit");
/// out.commit()?;
/// assert!(dir.join("report.json").exists());
/// # std::fs::remove_dir_all(&dir).unwrap();
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct OutputDir {
    dir: PathBuf,
    force: bool,
    /// Folders that were made for this run, deepest first.
    made: Vec<PathBuf>,
    parts: Mutex<Vec<Part>>,
}

impl OutputDir {
    /// Opens `dir`, making it and its parents where they are missing. With `force`, existing files may be
    /// replaced.
    ///
    /// # Errors
    /// [`ExportError::Io`] if the folder cannot be made, or if `dir` is a file.
    pub fn create(dir: impl Into<PathBuf>, force: bool) -> Result<Self, ExportError> {
        let dir = dir.into();
        let made = dir
            .ancestors()
            .take_while(|path| !path.as_os_str().is_empty() && !path.exists())
            .map(Path::to_owned)
            .collect();
        // `made` is set before the folders are, so that half a chain is removed as well.
        let out = Self { dir, force, made, parts: Mutex::new(Vec::new()) };
        fs::create_dir_all(&out.dir).map_err(ExportError::io("create", &out.dir))?;
        Ok(out)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// Errors unless the file system has `needed_bytes` for this user. `formats` is what the error says it is
    /// for.
    ///
    /// Files that `--force` replaces stay until the end, so their room does not count as free.
    ///
    /// # Errors
    /// [`ExportError::NoRoom`], or [`ExportError::Io`] if the file system does not tell.
    pub fn check_room(&self, formats: &str, needed_bytes: u128) -> Result<(), ExportError> {
        let free_bytes = fs4::available_space(&self.dir)
            .map_err(ExportError::io("ask for the free space of", &self.dir))?;
        if needed_bytes > u128::from(free_bytes) {
            let (path, formats) = (self.dir.clone(), formats.to_owned());
            return Err(ExportError::NoRoom { path, formats, needed_bytes, free_bytes });
        }
        Ok(())
    }

    /// Begins a file of the run. `name` is a plain portable file name.
    ///
    /// # Errors
    /// [`ExportError::Exists`] without `force`, [`ExportError::NotAFile`] if a folder has that name,
    /// [`ExportError::Io`] if the temporary cannot be made.
    ///
    /// # Panics
    /// If this run began a file of that name before, or if the name would not work on every system.
    pub fn file(&self, name: &'static str) -> Result<PartFile, ExportError> {
        match self.file_once(name)? {
            Some(part) => Ok(part),
            None => panic!("{name} is written twice in one run"),
        }
    }

    /// As [`file`](Self::file), for a file that several formats share: `None` if this run has begun it
    /// already.
    ///
    /// # Errors
    /// As for [`file`](Self::file).
    pub fn file_once(&self, name: &'static str) -> Result<Option<PartFile>, ExportError> {
        assert!(is_portable(name), "{name:?} is not a file name on every system");
        let target = self.dir.join(name);
        let mut parts = self.parts();
        if parts.iter().any(|part| part.name == name) {
            return Ok(None);
        }
        self.check_target(&target)?;
        let (file, temporary) = self.temporary(name).map_err(ExportError::io("create", &target))?;
        parts.push(Part { name, temporary });
        Ok(Some(PartFile { file: BufWriter::with_capacity(BUFFER_BYTES, file), name, target }))
    }

    /// Writes a small file in one go, for instance a report.
    ///
    /// # Errors
    /// As for [`file`](Self::file) and [`PartFile::finish`].
    pub fn write(&self, name: &'static str, bytes: &[u8]) -> Result<WrittenFile, ExportError> {
        let mut part = self.file(name)?;
        part.write_all(bytes).map_err(ExportError::io("write", part.path()))?;
        part.finish()
    }

    /// Gives every file of the run its name. Call it once all exporters have finished and are dropped.
    ///
    /// When a file cannot get its name, those before it lose theirs again and replaced files come back: all or
    /// none, unless the process is killed in between. Two runs that replace each other's files at the same moment
    /// are not kept apart.
    ///
    /// # Errors
    /// [`ExportError::Exists`] if a target has appeared meanwhile, [`ExportError::Io`] if a rename fails.
    pub fn commit(self) -> Result<(), ExportError> {
        let targets: Vec<_> =
            self.parts().iter().map(|part| (part.temporary.clone(), self.dir.join(part.name))).collect();
        for (_, target) in &targets {
            self.check_target(target)?;
        }
        let mut replaced = Vec::with_capacity(targets.len());
        for (i, (temporary, target)) in targets.iter().enumerate() {
            match replace(temporary, target) {
                Ok(old) => replaced.push(old),
                Err(error) => {
                    for ((_, target), old) in targets[..i].iter().zip(&replaced) {
                        take_back(target, old.as_deref());
                    }
                    return Err(ExportError::io("rename a temporary file to", target)(error));
                }
            }
        }
        for old in replaced.iter().flatten() {
            // The new file has its name; an old one that will not go is litter, not an error.
            let _ = fs::remove_file(old);
        }
        self.parts().clear();
        Ok(())
    }

    fn parts(&self) -> MutexGuard<'_, Vec<Part>> {
        // A panic elsewhere cannot leave the list half changed, and cleaning up is due then most of all.
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check_target(&self, target: &Path) -> Result<(), ExportError> {
        match fs::symlink_metadata(target) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(ExportError::io("look at", target)(error)),
            Ok(metadata) if metadata.is_dir() => Err(ExportError::NotAFile { path: target.to_owned() }),
            Ok(_) if !self.force => Err(ExportError::Exists { path: target.to_owned() }),
            Ok(_) => Ok(()),
        }
    }

    /// A new file beside the target, since a rename is atomic only within one file system.
    fn temporary(&self, name: &str) -> io::Result<(File, PathBuf)> {
        // Several runs may share a process and a folder, and a killed one may have left its file under our
        // id.
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        loop {
            let count = COUNTER.fetch_add(1, Ordering::Relaxed);
            let path = self.dir.join(format!(".terrane-{}-{count}-{name}.part", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                result => return result.map(|file| (file, path)),
            }
        }
    }
}

/// Renames `temporary` to `target`. What stood there is kept under another name, which is returned.
fn replace(temporary: &Path, target: &Path) -> io::Result<Option<PathBuf>> {
    let old = target.exists().then(|| temporary.with_extension("old"));
    if let Some(old) = &old {
        // A second name, so that the target is never missing, even for a process that is killed here; where the file
        // system has no second names, another one.
        fs::hard_link(target, old).or_else(|_| fs::rename(target, old))?;
    }
    match fs::rename(temporary, target) {
        Ok(()) => Ok(old),
        Err(error) => {
            take_back(target, old.as_deref());
            Err(error)
        }
    }
}

/// Removes what [`replace`] put there and brings back the old file.
fn take_back(target: &Path, old: Option<&Path>) {
    // Nothing better can be done when even this fails; the error of the rename is the one to tell.
    match old {
        Some(old) => {
            // Renaming a file onto a second name of its own does nothing and leaves both. When the rename fails the old
            // file may have no other name: then it stays.
            if fs::rename(old, target).is_ok() {
                let _ = fs::remove_file(old);
            }
        }
        None => drop(fs::remove_file(target)),
    }
}

impl Drop for OutputDir {
    fn drop(&mut self) {
        let parts = std::mem::take(&mut *self.parts());
        for part in &parts {
            // Nobody is left to tell, and a file that is gone is what we want.
            let _ = fs::remove_file(&part.temporary);
        }
        for dir in &self.made {
            // Fails, as it should, on a folder that holds the run's files.
            let _ = fs::remove_dir(dir);
        }
    }
}

/// A file being written under a temporary name: buffered, seekable.
#[derive(Debug)]
pub struct PartFile {
    file: BufWriter<File>,
    name: &'static str,
    target: PathBuf,
}

impl PartFile {
    /// Where the file will be once the run is committed; what errors should name.
    pub fn path(&self) -> &Path {
        &self.target
    }

    /// Hands the last bytes to the operating system and closes the file. It gets its name at
    /// [`OutputDir::commit`].
    ///
    /// # Errors
    /// [`ExportError::Io`], for instance when the disk has become full.
    pub fn finish(self) -> Result<WrittenFile, ExportError> {
        let Self { file, name, target } = self;
        let file =
            file.into_inner().map_err(|error| ExportError::io("write", &target)(error.into_error()))?;
        let bytes = file.metadata().map_err(ExportError::io("measure", &target))?.len();
        Ok(WrittenFile { name, path: target, bytes })
    }
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for PartFile {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}

/// True for names that mean one file in the folder on Unix and on Windows.
fn is_portable(name: &str) -> bool {
    const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];
    let stem = name.split('.').next().unwrap_or_default();
    let device = stem.len() == 4 && (stem.starts_with("com") || stem.starts_with("lpt"));
    !name.starts_with('.')
        && !name.ends_with('.')
        && !RESERVED.contains(&stem)
        && !device
        && !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_commit_that_fails_half_way_is_taken_back() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a.bin", "c.bin"] {
            fs::write(dir.path().join(name), b"old").unwrap();
        }
        let out = OutputDir::create(dir.path(), true).unwrap();
        for name in ["a.bin", "b.bin", "c.bin"] {
            out.write(name, b"new").unwrap();
        }
        // The third file cannot get its name: its temporary is gone.
        let temporary = names(dir.path()).into_iter().find(|name| name.ends_with("c.bin.part")).unwrap();
        fs::remove_file(dir.path().join(temporary)).unwrap();
        assert!(matches!(out.commit(), Err(ExportError::Io { .. })));
        assert_eq!(names(dir.path()), ["a.bin", "c.bin"]);
        for name in ["a.bin", "c.bin"] {
            assert_eq!(fs::read(dir.path().join(name)).unwrap(), b"old");
        }
    }

    #[test]
    fn a_commit_that_replaces_leaves_no_old_files() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a.bin"), b"old").unwrap();
        let out = OutputDir::create(dir.path(), true).unwrap();
        out.write("a.bin", b"new").unwrap();
        out.commit().unwrap();
        assert_eq!(names(dir.path()), ["a.bin"]);
        assert_eq!(fs::read(dir.path().join("a.bin")).unwrap(), b"new");
    }

    #[test]
    fn files_appear_at_commit_only() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutputDir::create(dir.path(), false).unwrap();
        let first = out.write("a.bin", b"one").unwrap();
        assert_eq!((first.name, first.bytes), ("a.bin", 3));
        assert!(names(dir.path()).iter().all(|name| name.ends_with(".part")));
        out.write("b.bin", b"two").unwrap();
        out.commit().unwrap();
        assert_eq!(names(dir.path()), ["a.bin", "b.bin"]);
        assert_eq!(fs::read(first.path).unwrap(), b"one");
    }

    #[test]
    fn dropping_removes_temporaries_and_folders() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("new/deeper");
        let out = OutputDir::create(&deep, false).unwrap();
        let mut unfinished = out.file("a.bin").unwrap();
        unfinished.write_all(&[7; 3 * BUFFER_BYTES]).unwrap();
        out.write("b.bin", b"finished, not committed").unwrap();
        assert_eq!(names(&deep).len(), 2);
        drop(unfinished);
        drop(out);
        assert!(names(dir.path()).is_empty());
    }

    #[test]
    fn a_panic_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().to_owned();
        let panicked = std::panic::catch_unwind(move || {
            let out = OutputDir::create(path, false).unwrap();
            let _part = out.file("a.bin").unwrap();
            panic!("on purpose");
        });
        assert!(panicked.is_err());
        assert!(names(dir.path()).is_empty());
    }

    #[test]
    fn an_existing_file_needs_force() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a.bin"), "old").unwrap();
        let careful = OutputDir::create(dir.path(), false).unwrap();
        let error = careful.file("a.bin").unwrap_err();
        assert!(matches!(&error, ExportError::Exists { path } if path.ends_with("a.bin")));
        assert!(error.to_string().contains("--force"));
        drop(careful);

        let forced = OutputDir::create(dir.path(), true).unwrap();
        forced.write("a.bin", b"new").unwrap();
        assert_eq!(
            fs::read(dir.path().join("a.bin")).unwrap(),
            b"old",
            "the old file stays until the commit"
        );
        forced.commit().unwrap();
        assert_eq!(fs::read(dir.path().join("a.bin")).unwrap(), b"new");
        assert_eq!(names(dir.path()), ["a.bin"]);
    }

    #[test]
    fn a_target_that_appears_meanwhile_is_not_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutputDir::create(dir.path(), false).unwrap();
        out.write("a.bin", b"ours").unwrap();
        out.write("b.bin", b"ours").unwrap();
        fs::write(dir.path().join("b.bin"), "theirs").unwrap();
        assert!(matches!(out.commit(), Err(ExportError::Exists { .. })));
        assert_eq!(names(dir.path()), ["b.bin"]);
        assert_eq!(fs::read(dir.path().join("b.bin")).unwrap(), b"theirs");
    }

    #[test]
    fn a_folder_in_the_way_is_an_error_even_with_force() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("a.bin")).unwrap();
        let out = OutputDir::create(dir.path(), true).unwrap();
        assert!(matches!(out.file("a.bin"), Err(ExportError::NotAFile { .. })));
        let file = dir.path().join("b.bin");
        fs::write(&file, "").unwrap();
        assert!(matches!(OutputDir::create(&file, true), Err(ExportError::Io { .. })));
        assert!(file.exists());
    }

    #[test]
    fn two_runs_in_one_folder_do_not_meet() {
        let dir = tempfile::tempdir().unwrap();
        let first = OutputDir::create(dir.path(), true).unwrap();
        let second = OutputDir::create(dir.path(), true).unwrap();
        first.write("a.bin", b"first").unwrap();
        second.write("a.bin", b"second").unwrap();
        first.commit().unwrap();
        drop(second);
        assert_eq!(fs::read(dir.path().join("a.bin")).unwrap(), b"first");
        assert_eq!(names(dir.path()), ["a.bin"]);
    }

    #[test]
    fn shared_files_are_begun_once() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutputDir::create(dir.path(), false).unwrap();
        assert!(out.file_once("a.bin").unwrap().is_some());
        assert!(out.file_once("a.bin").unwrap().is_none());
    }

    #[test]
    fn room_is_checked() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutputDir::create(dir.path(), false).unwrap();
        out.check_room("nothing", 0).unwrap();
        let text = out.check_room("glb (1 bytes)", u128::MAX).unwrap_err().to_string();
        for part in ["glb", "340282366920938463463374607431768211455 bytes", "are free", "--region"] {
            assert!(text.contains(part), "{part} is missing in: {text}");
        }
    }

    #[test]
    fn names_work_on_every_system() {
        assert!(is_portable("heights.r16"));
        for name in ["", ".hidden", "a/b", "a\\b", "a:b", "nul", "con.txt", "com1.png", "ends.", "Upper"] {
            assert!(!is_portable(name), "{name}");
        }
    }
}
