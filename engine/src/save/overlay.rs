//! A file that is read and never written: what a database writes to it stays in memory.
//!
//! In: an open file. Out: a backend on which a database can be opened, repaired and checked as if for good, while the
//! file stays as it is, byte for byte. Locks are those of the file. Deliberately not here: what is checked.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::ops::Bound;

use parking_lot::Mutex;
use redb::backends::FileBackend;
use redb::{BackendError, DatabaseError, StorageBackend};

const PAGE_BYTES: usize = 4096;

#[derive(Debug)]
pub(super) struct Overlay {
    file: FileBackend,
    /// Length of the file itself.
    file_bytes: u64,
    written: Mutex<Written>,
}

#[derive(Debug)]
struct Written {
    bytes: u64,
    /// Least length since the check began: what lies beyond in the file is cut off and reads as zero.
    least_bytes: u64,
    pages: BTreeMap<u64, Box<[u8; PAGE_BYTES]>>,
}

impl Overlay {
    pub(super) fn new(file: File) -> Result<Self, DatabaseError> {
        let bytes = file.metadata()?.len();
        let written = Mutex::new(Written { bytes, least_bytes: bytes, pages: BTreeMap::new() });
        Ok(Self { file: FileBackend::new(file)?, file_bytes: bytes, written })
    }

    /// A page as the file has it; zero beyond its end.
    fn file_page(&self, page: u64, least_bytes: u64) -> io::Result<Box<[u8; PAGE_BYTES]>> {
        let mut bytes = Box::new([0; PAGE_BYTES]);
        let first = page * PAGE_BYTES as u64;
        let there = least_bytes.min(self.file_bytes).saturating_sub(first).min(PAGE_BYTES as u64);
        if there > 0 {
            self.file.read(first, &mut bytes[..there as usize])?;
        }
        Ok(bytes)
    }

    /// Calls `each` with every page that a range of bytes meets: its number, where in it the part begins, and the part.
    fn pages(offset: u64, len: usize) -> impl Iterator<Item = (u64, usize, std::ops::Range<usize>)> {
        let page_bytes = PAGE_BYTES as u64;
        let mut done = 0;
        std::iter::from_fn(move || {
            let at = offset + done as u64;
            let start = (at % page_bytes) as usize;
            let part = done..len.min(done + PAGE_BYTES - start);
            done = part.end;
            (!part.is_empty()).then_some((at / page_bytes, start, part))
        })
    }
}

impl StorageBackend for Overlay {
    fn len(&self) -> io::Result<u64> {
        Ok(self.written.lock().bytes)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let written = self.written.lock();
        if offset.checked_add(out.len() as u64).is_none_or(|end| end > written.bytes) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        for (page, start, part) in Self::pages(offset, out.len()) {
            let len = part.len();
            match written.pages.get(&page) {
                Some(bytes) => out[part].copy_from_slice(&bytes[start..start + len]),
                None => {
                    let bytes = self.file_page(page, written.least_bytes)?;
                    out[part].copy_from_slice(&bytes[start..start + len]);
                }
            }
        }
        Ok(())
    }

    fn set_len(&self, bytes: u64) -> io::Result<()> {
        let mut written = self.written.lock();
        if bytes < written.bytes {
            // The cut page keeps its beginning; what is beyond reads as zero should the file grow again.
            let (page, start) = (bytes / PAGE_BYTES as u64, (bytes % PAGE_BYTES as u64) as usize);
            written.pages.split_off(&(page + u64::from(start > 0)));
            if let Some(cut) = written.pages.get_mut(&page) {
                cut[start..].fill(0);
            }
            written.least_bytes = written.least_bytes.min(bytes);
        }
        written.bytes = bytes;
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut written = self.written.lock();
        for (page, start, part) in Self::pages(offset, data.len()) {
            let least_bytes = written.least_bytes;
            let bytes = match written.pages.entry(page) {
                std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::btree_map::Entry::Vacant(entry) => {
                    entry.insert(self.file_page(page, least_bytes)?)
                }
            };
            let len = part.len();
            bytes[start..start + len].copy_from_slice(&data[part]);
        }
        written.bytes = written.bytes.max(offset + data.len() as u64);
        Ok(())
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_range(start, end)
    }

    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.query_lock_range(start, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_are_seen_and_the_file_is_not_touched() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("file");
        let before: Vec<u8> = (0..10_000u32).map(|i| i as u8).collect();
        std::fs::write(&path, &before).expect("written");
        let overlay = Overlay::new(File::open(&path).expect("opened")).expect("a backend");
        let mut model = before.clone();
        let check = |overlay: &Overlay, model: &[u8]| {
            let mut bytes = vec![0; model.len()];
            overlay.read(0, &mut bytes).expect("read");
            assert!(bytes == model && overlay.len().expect("a length") == model.len() as u64);
        };
        check(&overlay, &model);
        overlay.write(4090, &[7; 9]).expect("written");
        model[4090..4099].fill(7);
        check(&overlay, &model);
        for len in [20_000, 5000, 4096, 9000, 100, 12_000] {
            overlay.set_len(len as u64).expect("set");
            model.resize(len, 0);
            check(&overlay, &model);
            overlay.write(50, &[len as u8; 30]).expect("written");
            model[50..80].fill(len as u8);
            check(&overlay, &model);
        }
        assert!(overlay.read(11_999, &mut [0; 2]).is_err());
        drop(overlay);
        assert!(std::fs::read(&path).expect("read") == before);
    }
}
