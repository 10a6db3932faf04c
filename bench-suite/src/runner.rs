//! What a prepared workload is, and the memory that it fills.
//!
//! In: a closure or type that writes samples. Out: one interface for our levels and all peers. Timing is not here.

use std::ops::RangeInclusive;

use crate::workload::Work;

/// Does one piece of work again and again; everything that can be made once was made before.
pub trait Runner {
    /// Writes the whole work to `out`: columns one after the other, rows along x, then z, then y.
    fn fill(&mut self, out: &mut [f32]);

    /// What is timed. A peer that returns memory of its own need not copy it.
    fn pass(&mut self, out: &mut [f32]) {
        self.fill(out);
    }
}

impl<F: FnMut(&mut [f32])> Runner for F {
    fn fill(&mut self, out: &mut [f32]) {
        self(out);
    }
}

/// A runner, and what its values may be.
pub struct Prepared {
    /// Does the work.
    pub runner: Box<dyn Runner>,
    /// Its first column stays in this range.
    pub range: RangeInclusive<f32>,
}

impl Prepared {
    /// For values in `range`.
    pub fn new(range: RangeInclusive<f32>, runner: impl Runner + 'static) -> Self {
        Self { runner: Box::new(runner), range }
    }
}

/// A library that people use today.
pub struct Peer {
    /// The name of its crate.
    pub name: &'static str,
    /// Makes a runner, or `None` if it cannot do this work.
    pub prepare: fn(&Work) -> Option<Prepared>,
}

/// An output that starts on a cache line, as the slots of a pool do.
///
/// ```
/// let mut buffer = terrane_bench::runner::Buffer::new(67 * 67);
/// assert_eq!(buffer.values().len(), 67 * 67);
/// assert_eq!(buffer.values().as_ptr().addr() % 64, 0);
/// ```
pub struct Buffer {
    memory: Vec<f32>,
    start: usize,
    len: usize,
}

const LINE_BYTES: usize = 64;
const LINE_VALUES: usize = LINE_BYTES / size_of::<f32>();

impl Buffer {
    /// `len` values, none of them a number yet.
    #[must_use]
    pub fn new(len: usize) -> Self {
        let memory = vec![f32::NAN; len + LINE_VALUES];
        let start = memory.as_ptr().align_offset(LINE_BYTES).min(LINE_VALUES);
        Self { memory, start, len }
    }

    /// For one piece of work.
    #[must_use]
    pub fn for_work(work: &Work) -> Self {
        Self::new(work.samples() * work.columns())
    }

    /// The values.
    pub fn values(&mut self) -> &mut [f32] {
        &mut self.memory[self.start..self.start + self.len]
    }
}
