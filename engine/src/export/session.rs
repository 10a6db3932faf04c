//! One run: several formats fed from the same bands.
//!
//! In: a scene, the formats asked for, the output folder; then the bands. Out: the files written. All sizes
//! are checked before any file is begun, and the driver's side of the contract (band order, lengths) is
//! checked here once rather than in every exporter. Deliberately not here: who makes the bands, and the
//! commit, since the driver may have files of its own to write first.

use std::time::Instant;

use super::{Band, ExportError, Exporter, Format, OutputDir, Scene, WrittenFile};

/// Room for sidecars, which [`Format::bytes`] leaves out.
const SIDECAR_BYTES: u128 = 4096;

/// The open exporters of a run.
pub struct Session {
    exporters: Vec<Entry>,
    needs_mesh: bool,
    chunk_vertices: usize,
    chunk_indices: usize,
    columns: usize,
    chunk_cells: usize,
    width: usize,
    height: usize,
    lod_max: u8,
    is_adaptive: bool,
    next_row: usize,
}

/// One format of the run.
struct Entry {
    id: &'static str,
    exporter: Box<dyn Exporter>,
    seconds: f64,
}

impl Entry {
    fn write_band(&mut self, band: &Band<'_>) -> Result<(), ExportError> {
        let start = Instant::now();
        let outcome = self.exporter.write_band(band);
        self.seconds += start.elapsed().as_secs_f64();
        outcome
    }

    fn finish(self) -> Result<Finished, ExportError> {
        let start = Instant::now();
        let files = self.exporter.finish()?;
        Ok(Finished { id: self.id, files, seconds: self.seconds + start.elapsed().as_secs_f64() })
    }
}

/// What became of one format.
#[derive(Debug)]
pub struct Finished {
    /// The format's id.
    pub id: &'static str,
    /// The files that it wrote.
    pub files: Vec<WrittenFile>,
    /// Seconds of work, from the first band to the last byte.
    pub seconds: f64,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session({} exporters at row {} of {})", self.exporters.len(), self.next_row, self.height)
    }
}

impl Session {
    /// Checks sizes and room on the disk, then begins the files of every format.
    ///
    /// # Errors
    /// [`ExportError::TooLarge`] and [`ExportError::NoRoom`] before anything is written;
    /// [`ExportError::Exists`] and the like from the files.
    ///
    /// # Panics
    /// If the scene contradicts itself (see its fields) or a format is named twice.
    pub fn open(scene: &Scene, formats: &[&'static Format], out: &OutputDir) -> Result<Self, ExportError> {
        scene.assert_consistent();
        // A region that the format cannot hold on any disk is the better thing to say than a disk too small
        // for it.
        formats.iter().try_for_each(|format| (format.check)(scene))?;
        let sizes: Vec<_> = formats.iter().map(|format| (format.id, (format.bytes)(scene))).collect();
        let texts: Vec<_> = sizes.iter().map(|(id, bytes)| format!("{id} ({bytes} bytes)")).collect();
        let needed_bytes = sizes.iter().fold(SIDECAR_BYTES, |sum, (_, bytes)| sum.saturating_add(*bytes));
        out.check_room(&texts.join(", "), needed_bytes)?;
        let open = |format: &&'static Format| {
            Ok(Entry { id: format.id, exporter: (format.open)(scene, out)?, seconds: 0.0 })
        };
        let exporters = formats.iter().map(open).collect::<Result<_, ExportError>>()?;
        Ok(Self {
            exporters,
            needs_mesh: formats.iter().any(|format| format.needs_mesh),
            chunk_vertices: scene.chunk_vertices(),
            chunk_indices: 6 * (scene.chunk_cells as usize).pow(2),
            columns: (scene.width - 1) / scene.chunk_cells as usize,
            chunk_cells: scene.chunk_cells as usize,
            width: scene.width,
            height: scene.height,
            lod_max: scene.mesh.lod_max,
            is_adaptive: scene.mesh.adaptive_error_m.is_some(),
            next_row: 0,
        })
    }

    /// True if the bands must carry chunk meshes.
    pub fn needs_mesh(&self) -> bool {
        self.needs_mesh
    }

    /// Gives a band to every exporter, one after the other.
    ///
    /// # Errors
    /// The first [`ExportError`]; the session is then of no further use.
    ///
    /// # Panics
    /// If the band is not the next one, or its columns have the wrong length.
    pub fn write_band(&mut self, band: &Band<'_>) -> Result<(), ExportError> {
        self.take(band);
        self.exporters.iter_mut().try_for_each(|entry| entry.write_band(band))
    }

    /// As [`write_band`](Self::write_band), with the exporters side by side on a pool of the caller's. The
    /// files are the same to the byte: each belongs to one exporter.
    ///
    /// # Errors
    /// One of the errors that occurred.
    ///
    /// # Panics
    /// As [`write_band`](Self::write_band).
    #[cfg(feature = "threads")]
    pub fn write_band_on(&mut self, pool: &rayon::ThreadPool, band: &Band<'_>) -> Result<(), ExportError> {
        use rayon::prelude::*;
        self.take(band);
        pool.install(|| self.exporters.par_iter_mut().try_for_each(|entry| entry.write_band(band)))
    }

    /// Completes all files after the last band; [`OutputDir::commit`] then gives them their names.
    ///
    /// # Errors
    /// The first [`ExportError`].
    ///
    /// # Panics
    /// If bands are missing.
    pub fn finish(self) -> Result<Vec<Finished>, ExportError> {
        self.assert_complete();
        self.exporters.into_iter().map(Entry::finish).collect()
    }

    /// As [`finish`](Self::finish), side by side on a pool of the caller's.
    ///
    /// # Errors
    /// One of the errors that occurred.
    ///
    /// # Panics
    /// If bands are missing.
    #[cfg(feature = "threads")]
    pub fn finish_on(self, pool: &rayon::ThreadPool) -> Result<Vec<Finished>, ExportError> {
        use rayon::prelude::*;
        self.assert_complete();
        pool.install(|| self.exporters.into_par_iter().map(Entry::finish).collect())
    }

    fn assert_complete(&self) {
        assert_eq!(self.next_row, self.height, "bands are missing");
    }

    /// Checks that `band` is the next one and moves on.
    fn take(&mut self, band: &Band<'_>) {
        assert_eq!(band.first_row, self.next_row, "bands come in order");
        let last = band.first_row + band.rows == self.height;
        assert_eq!(band.rows, self.chunk_cells + usize::from(last), "rows of a band");
        assert_eq!(band.heights.len(), band.rows * self.width, "heights of a band");
        assert_eq!(band.ground.len(), (self.chunk_cells + 1) * self.width, "ground of a band");
        let row = self.next_row / self.chunk_cells;
        self.next_row += band.rows;
        if !self.needs_mesh {
            return;
        }
        assert_eq!(band.chunks.len(), self.columns, "chunks of a band");
        assert_eq!(band.indices.len(), self.chunk_indices, "shared indices");
        assert_eq!(band.uvs.len(), self.chunk_vertices, "shared texture coordinates");
        let ends = |lod: &u8| (row + 1).is_multiple_of(1 << lod);
        let coarse: usize = (1..=self.lod_max).filter(ends).map(|lod| self.columns >> lod).sum();
        assert_eq!(band.coarse.len(), coarse, "coarser chunks of a band");
        for chunk in band.chunks.iter().chain(band.coarse) {
            let lengths = [chunk.positions.len(), chunk.normals.len(), chunk.colors.len()];
            assert_eq!(lengths, [self.chunk_vertices; 3], "columns of chunk {:?}", chunk.key);
            assert_eq!(chunk.adaptive.is_some(), self.is_adaptive, "triangles of chunk {:?}", chunk.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::test_scene::{self, TestScene};
    use crate::export::{COLLIDERS, FORMATS, Region};

    #[test]
    fn every_format_writes_the_files_that_it_names() {
        for format in FORMATS.iter().chain(COLLIDERS) {
            let dir = tempfile::tempdir().unwrap();
            let files = TestScene::hills(16, [2, 3]).export(&[format], dir.path());
            let names: Vec<_> = files.iter().map(|file| file.name).collect();
            assert_eq!(names, format.files, "{}", format.id);
            for file in &files {
                assert_eq!(std::fs::metadata(&file.path).unwrap().len(), file.bytes, "{}", file.name);
            }
        }
    }

    #[test]
    fn formats_side_by_side_give_the_same_files() {
        let scene = TestScene::hills(16, [3, 2]);
        let formats: Vec<_> = FORMATS.iter().collect();
        let (one, many) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let files = scene.export(&formats, one.path());
        let names: Vec<_> = files.iter().map(|file| file.name).collect();
        assert_eq!(
            names,
            ["heights.png", "heights.json", "heights.r16", "preview.png", "heat.png", "world.glb"]
        );
        #[cfg(feature = "threads")]
        {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
            let out = OutputDir::create(many.path(), false).unwrap();
            let mut session = Session::open(&scene.scene, &formats, &out).unwrap();
            scene.for_each_band(|band| session.write_band_on(&pool, band).unwrap());
            session.finish_on(&pool).unwrap();
            out.commit().unwrap();
            for name in names {
                let read = |dir: &tempfile::TempDir| std::fs::read(dir.path().join(name)).unwrap();
                assert!(read(&one) == read(&many), "{name}");
            }
        }
    }

    #[test]
    fn estimates_are_never_below_the_files() {
        for scene in [TestScene::hills(16, [2, 3]), TestScene::noise(16, [5, 1])] {
            for format in FORMATS.iter().chain(COLLIDERS) {
                let dir = tempfile::tempdir().unwrap();
                let files = scene.export(&[format], dir.path());
                let bytes: u64 =
                    files.iter().filter(|file| file.name != "heights.json").map(|file| file.bytes).sum();
                assert!(u128::from(bytes) <= (format.bytes)(&scene.scene), "{}", format.id);
            }
        }
    }

    #[test]
    fn too_large_comes_before_no_room_and_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let scene = test_scene::huge(Region { x0: -500_000, z0: -500_000, x1: 500_000, z1: 500_000 }, 64);
        for (id, expected) in [("glb", "4294967295"), ("heat", "2147483648"), ("heights-r16", "are free")] {
            let out = OutputDir::create(dir.path().join("out"), false).unwrap();
            let text =
                Session::open(&scene, &[super::super::find(id).unwrap()], &out).unwrap_err().to_string();
            assert!(text.contains(id) && text.contains(expected) && text.contains("--region"), "{text}");
            drop(out);
            assert!(!dir.path().join("out").exists());
        }
    }

    #[test]
    #[should_panic(expected = "bands come in order")]
    fn a_band_out_of_order_is_a_bug() {
        let dir = tempfile::tempdir().unwrap();
        let scene = TestScene::hills(16, [1, 2]);
        let out = OutputDir::create(dir.path(), false).unwrap();
        let mut session = Session::open(&scene.scene, &[&FORMATS[0]], &out).unwrap();
        scene.for_each_band(|band| {
            session.write_band(band).unwrap();
            session.write_band(band).unwrap();
        });
    }
}
