//! How near a viewer must be for a chunk to be drawn as its children: distances per level, checked.
//!
//! In: a split factor and a hysteresis, or distances per level. Out: distances that keep every cut 2:1 over edges,
//! and how many leaves such a cut can have. Deliberately not here: viewers, chunks.
//!
//! A chunk of level l is split when its gap d to the nearest viewer is below `split[l]`; one that was split stays so
//! while d < `keep[l]`. Level n, above the roots, is virtual: a root exists when its virtual parent splits.
//!
//! **Why cuts are 2:1.** Let leaf M of level l share an edge with a leaf of level l-2 or finer. That leaf lies in a
//! chunk P of level l-1 which is split and has a side on M's edge. M is not split, so d(M) >= split[l], whether it was
//! split before or not (keep >= split). P is split, so d(P) < keep[l-1]. The gap gives d(M) <= d(P) + size[l-1], so
//! split[l] < keep[l-1] + size[l-1], which the rule below excludes. For several viewers d is the minimum of gaps that
//! all obey the same inequality, so it obeys it. With M virtual the same says: a root next to ground that is not
//! wanted is itself not split. And a chunk that splits has a parent that splits: d(parent) <= d < keep[l-1] < split[l].

use super::CutError;
use super::ground::check_measures;

/// Split distances in samples; see the file's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SplitDistances {
    chunk_cells: u32,
    /// By level, 1..=n; entry 0 is 0.
    split: Vec<u64>,
    keep: Vec<u64>,
}

/// No distance is larger: a sum of two with a sample index still fits an i64.
const DISTANCE_MAX: u64 = 1 << 48;

impl SplitDistances {
    /// `split[l] = factor * chunk_cells * 2^l`, rounded up, and `keep` with `factor * (1 + hysteresis)`, rounded down but not
    /// below `split`, both of level 0. The rule below comes out as factor * (1 - hysteresis) >= 1: with factor 1 there is no
    /// room for hysteresis, with 2 it may be 0.5.
    ///
    /// # Errors
    /// When the factor is below 1 or the hysteresis below 0, one is not finite, or the distances break a rule.
    pub(crate) fn uniform(
        levels: u8,
        chunk_cells: u32,
        factor: f64,
        hysteresis: f64,
    ) -> Result<Self, CutError> {
        if !(1.0..=1e6).contains(&factor) {
            return Err(CutError::Factor { found: factor });
        }
        if !(0.0..=1e6).contains(&hysteresis) {
            return Err(CutError::Hysteresis { found: hysteresis });
        }
        check_measures(levels, chunk_cells)?;
        let cells = f64::from(chunk_cells);
        let split = (factor * cells).ceil() as u64;
        let keep = ((factor * (1.0 + hysteresis) * cells).floor() as u64).max(split);
        let scale = |base: u64| (1..=levels).map(|level| base << level).collect::<Vec<_>>();
        let (split, keep) = (scale(split), scale(keep));
        Self::explicit(levels, chunk_cells, &split, &keep)
    }

    /// The same with chunks of the drawn levels split from at least as far as `wanted` says for each, in samples, and as the rule below
    /// then asks for. The view reaches no farther than that makes it.
    ///
    /// # Errors
    /// When a distance is out of range.
    pub(crate) fn at_least(&self, hysteresis: f64, wanted: impl Fn(u8) -> u64) -> Result<Self, CutError> {
        let n = self.levels();
        let (mut split, mut keep, mut least) = (Vec::new(), Vec::new(), 1);
        for level in 1..=n {
            let wanted = if level < n { wanted(level) } else { 0 };
            let nearest = self.split(level).max(least);
            let from = nearest.max(wanted).min(DISTANCE_MAX + 1);
            let until = (from as f64 * (1.0 + hysteresis)).floor() as u64;
            // Where nothing more is asked for, nothing changes: rounding of the base keeps its own.
            let until = if from == self.split(level) { self.keep(level) } else { until.max(from) };
            least = until + (u64::from(self.chunk_cells) << level);
            split.push(from);
            keep.push(until);
        }
        Self::explicit(n, self.chunk_cells, &split, &keep)
    }

    /// Distances for levels 1..=n, in that order.
    ///
    /// # Errors
    /// When there are not n of each, or `split[1] >= 1`, `split[l] >= keep[l-1] + size[l-1]` or `keep >= split` fails.
    pub(crate) fn explicit(
        levels: u8,
        chunk_cells: u32,
        split: &[u64],
        keep: &[u64],
    ) -> Result<Self, CutError> {
        check_measures(levels, chunk_cells)?;
        for found in [split.len(), keep.len()] {
            if found != usize::from(levels) {
                return Err(CutError::Distances { found, levels });
            }
        }
        let mut least = 1;
        for ((level, &split), &keep) in (1..).zip(split).zip(keep) {
            if !(least..=DISTANCE_MAX).contains(&split) {
                return Err(CutError::Split { level, found: split, least, most: DISTANCE_MAX });
            }
            if !(split..=DISTANCE_MAX).contains(&keep) {
                return Err(CutError::Keep { level, found: keep, least: split, most: DISTANCE_MAX });
            }
            least = keep + (u64::from(chunk_cells) << level);
        }
        let by_level = |list: &[u64]| std::iter::once(0).chain(list.iter().copied()).collect();
        Ok(Self { chunk_cells, split: by_level(split), keep: by_level(keep) })
    }

    /// n: the drawn levels, and the number of the virtual one.
    pub(crate) fn levels(&self) -> u8 {
        (self.split.len() - 1) as u8
    }

    pub(crate) fn chunk_cells(&self) -> u32 {
        self.chunk_cells
    }

    /// A chunk of this level is split when nearer than this.
    pub(crate) fn split(&self, level: u8) -> u64 {
        self.split[usize::from(level)]
    }

    /// A chunk of this level that was split stays split while nearer than this.
    pub(crate) fn keep(&self, level: u8) -> u64 {
        self.keep[usize::from(level)]
    }

    /// Where vertices of a level move to the next coarser mesh, in samples: start, end.
    ///
    /// A border to a coarser chunk M: d(M) >= split[l+1], so all of it is that far. A border to a finer chunk: it lies in a chunk P of
    /// this level that is split, d(P) < keep[l], so all of P is nearer than keep[l] + size[l]. The rule above says that the
    /// start is not beyond the end.
    pub(crate) fn morph(&self, lod: u8) -> [u64; 2] {
        [self.keep(lod) + (u64::from(self.chunk_cells) << lod), self.split(lod + 1)]
    }

    /// At least as many leaves of one level as any cut for so many viewers has: the children of all chunks that may split.
    pub(crate) fn leaves_of_level_max(&self, lod: u8, viewers: usize) -> u64 {
        let across = 1 + (2 * self.keep(lod + 1)).div_ceil(u64::from(self.chunk_cells) << (lod + 1));
        across.saturating_mul(across).saturating_mul(4).saturating_mul(viewers as u64)
    }

    /// At least as many leaves as any cut for so many viewers has.
    ///
    /// Every split chunk of level l has gap < keep[l] to some viewer v. Along an axis those are the chunks that meet
    /// the 2 keep + 1 samples v - keep ..= v + keep: at most 1 + ceil(2 keep / size), squared S_l. A split virtual chunk
    /// brings 4 roots, any other split 3 more leaves: viewers * (4 S_n + 3 (S_1 + .. + S_(n-1))).
    pub(crate) fn leaves_max(&self, viewers: usize) -> u64 {
        let leaves_of = |level: u8| {
            let across = 1 + (2 * self.keep(level)).div_ceil(u64::from(self.chunk_cells) << level);
            let each = if level == self.levels() { 4 } else { 3 };
            across.saturating_mul(across).saturating_mul(each)
        };
        (1..=self.levels()).map(leaves_of).fold(0, u64::saturating_add).saturating_mul(viewers as u64)
    }
}
