//! What a job graph is made of: stages, the grids that they live on, the columns that they read and write.
//!
//! In: declarations. Out: a checked [`GraphSpec`], which knows for every cell of every stage the cells that it reads and
//! the cells that read it, and how large the closure of a target can get. No edge is ever listed: edges follow from grids
//! and paddings. Deliberately not here: nodes, order, time.
//!
//! Lengths are *units*, whatever the host counts in (samples, say). A stage's grid has cells of `cell` units a side; on a
//! grid with levels a cell of level l has `cell << l`, and paddings grow with it.

use crate::graph::{Cell, RequestError};

/// Most stages of a graph.
pub const STAGES_MAX: usize = 32;

/// How far out cells may lie, in units.
pub(crate) const UNITS_MAX: i64 = 1 << 61;

/// Longest side of a cell, and widest padding, at the coarsest level, in units. The longest chain of stages reaches less
/// far than 2^62 from `UNITS_MAX`.
const SPAN_MAX: u64 = 1 << 48;

/// A stage, by its place in the list that [`GraphSpec::new`] got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StageId(pub u8);

/// Something that one stage writes and others read. The number is the host's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnId(pub u16);

/// The grid that a stage lives on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageGrid {
    /// Side of a cell of level 0 in units, 1..=2^31.
    pub cell: u32,
    /// How many levels there are, 1..=32; each doubles the cell, up to 2^48 units. A stage of one level is read at level 0
    /// by all levels.
    pub levels: u8,
}

/// A column that a stage needs, and how far beyond its own cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// Which.
    pub column: ColumnId,
    /// Units on each side, at level 0; 0 when the own cell is enough. No more than 2^48 at the coarsest level.
    pub padding: u32,
}

/// A stage as declared. It writes to its own cell only: there is no way to say otherwise. What crosses a border is written
/// as a list on the own side, and gathered by the neighbour that reads it with a padding.
#[derive(Clone, Debug)]
pub struct Stage {
    /// For reports.
    pub name: &'static str,
    /// Where its cells are.
    pub grid: StageGrid,
    /// What it needs from others.
    pub reads: Vec<Read>,
    /// What it makes.
    pub writes: Vec<ColumnId>,
}

/// Why declarations are no graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// None, or more than [`STAGES_MAX`].
    #[error("{count} stages; a graph has 1 to {STAGES_MAX}")]
    Stages {
        /// As declared.
        count: usize,
    },
    /// A cell or a number of levels out of range.
    #[error(
        "stage {stage}: cells of {cell} units in {levels} levels; there may be 1..=2^31 units and 1..=32 levels, and 2^48 \
         units at the last of them"
    )]
    Grid {
        /// Its name.
        stage: &'static str,
        /// As declared.
        cell: u32,
        /// As declared.
        levels: u8,
    },
    /// A padding out of range.
    #[error(
        "stage {stage}: a padding of {padding} units; there may be 2^48 at the last of its {levels} levels"
    )]
    Padding {
        /// Its name.
        stage: &'static str,
        /// As declared.
        padding: u32,
        /// As declared.
        levels: u8,
    },
    /// Two stages write one column.
    #[error("column {column} is written by {first} and by {second}; a column has one writer")]
    TwoWriters {
        /// Its number.
        column: u16,
        /// A writer.
        first: &'static str,
        /// Another.
        second: &'static str,
    },
    /// A column that nobody writes.
    #[error("stage {stage} reads column {column}, which no stage writes")]
    NoWriter {
        /// The reader.
        stage: &'static str,
        /// The column's number.
        column: u16,
    },
    /// Stages that wait for each other.
    #[error("stage {stage} needs its own result, by way of what it reads")]
    Cycle {
        /// One of them.
        stage: &'static str,
    },
    /// A stage of several levels reads one of fewer.
    #[error(
        "stage {stage} has {levels} levels and reads {read}, which has {read_levels}; it must have one or as many"
    )]
    Levels {
        /// The reader.
        stage: &'static str,
        /// Its levels.
        levels: u8,
        /// What it reads.
        read: &'static str,
        /// Its levels.
        read_levels: u8,
    },
}

/// A rectangle of cells of one stage and level, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellRange {
    /// Whose cells.
    pub stage: StageId,
    /// Of which level.
    pub level: u8,
    /// The first, x then z.
    pub min: [i64; 2],
    /// The last.
    pub max: [i64; 2],
}

impl CellRange {
    /// The cells, row by row along x.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let Self { stage, level, min, max } = self;
        (min[1]..=max[1]).flat_map(move |z| (min[0]..=max[0]).map(move |x| Cell { stage, level, x, z }))
    }

    /// How many.
    #[must_use]
    pub fn count(self) -> usize {
        ((self.max[0] - self.min[0] + 1) * (self.max[1] - self.min[1] + 1)) as usize
    }
}

/// An edge between stages: the reader's side, and the writer's.
#[derive(Clone, Copy, Debug)]
struct Link {
    stage: StageId,
    padding: u32,
}

/// Checked declarations.
#[derive(Clone, Debug)]
pub struct GraphSpec {
    stages: Vec<Stage>,
    /// Per stage the stages that it reads, with the largest padding.
    inputs: Vec<Vec<Link>>,
    /// Per stage the stages that read it.
    outputs: Vec<Vec<Link>>,
    /// Per stage its place in an order in which everything comes after what it reads.
    depth: Vec<u8>,
}

impl GraphSpec {
    /// Checks stages and derives who reads whom. Allocates.
    ///
    /// # Errors
    /// A grid out of range, a column with no writer or two, stages that wait for each other, levels that do not fit.
    ///
    /// ```
    /// use terrane_jobs::{ColumnId, GraphSpec, Read, Stage, StageGrid, StageId};
    ///
    /// let grid = StageGrid { cell: 64, levels: 1 };
    /// let heights = Stage { name: "heights", grid, reads: vec![], writes: vec![ColumnId(0)] };
    /// let reads = vec![Read { column: ColumnId(0), padding: 1 }];
    /// let normals = Stage { name: "normals", grid, reads, writes: vec![ColumnId(1)] };
    /// let spec = GraphSpec::new(vec![heights, normals])?;
    /// assert_eq!(spec.closure_max(StageId(1)), [9, 1]);
    /// # Ok::<(), terrane_jobs::GraphError>(())
    /// ```
    pub fn new(stages: Vec<Stage>) -> Result<Self, GraphError> {
        if !(1..=STAGES_MAX).contains(&stages.len()) {
            return Err(GraphError::Stages { count: stages.len() });
        }
        for Stage { name, grid: StageGrid { cell, levels }, reads, .. } in &stages {
            let (stage, cell, levels) = (*name, *cell, *levels);
            let too_wide = |units: u32| u64::from(units) << (levels - 1) > SPAN_MAX;
            if !(1..=1 << 31).contains(&cell) || !(1..=32).contains(&levels) || too_wide(cell) {
                return Err(GraphError::Grid { stage, cell, levels });
            }
            if let Some(&Read { padding, .. }) = reads.iter().find(|read| too_wide(read.padding)) {
                return Err(GraphError::Padding { stage, padding, levels });
            }
        }
        let inputs = links(&stages)?;
        let mut outputs = vec![Vec::new(); stages.len()];
        for (reader, links) in inputs.iter().enumerate() {
            for link in links {
                let stage = StageId(reader as u8);
                outputs[usize::from(link.stage.0)].push(Link { stage, padding: link.padding });
            }
        }
        let depth = depths(&stages, &inputs)?;
        Ok(Self { stages, inputs, outputs, depth })
    }

    /// The stages, as declared.
    #[must_use]
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// A stage's name.
    ///
    /// # Panics
    /// When there is no such stage.
    #[must_use]
    pub fn name(&self, stage: StageId) -> &'static str {
        self.stages[usize::from(stage.0)].name
    }

    /// How many stages come before a stage at most, itself not counted: among equals a later stage runs first.
    pub(crate) fn depth(&self, stage: StageId) -> u8 {
        self.depth[usize::from(stage.0)]
    }

    /// Whether a cell can be asked for.
    pub(crate) fn check(&self, cell: Cell) -> Result<(), RequestError> {
        let grid = self.stages.get(usize::from(cell.stage.0)).map(|stage| stage.grid);
        let grid = grid.filter(|grid| cell.level < grid.levels).ok_or(RequestError::NoSuchStage { cell })?;
        let most = UNITS_MAX / side(grid, cell.level);
        let near = [cell.x, cell.z].iter().all(|at| (-most..most).contains(at));
        if near { Ok(()) } else { Err(RequestError::TooFar { cell }) }
    }

    /// The cells that a cell reads, a rectangle a stage.
    ///
    /// # Panics
    /// When there is no such stage, or the cell lies beyond 2^61 units.
    pub fn inputs(&self, cell: Cell) -> impl Iterator<Item = CellRange> + '_ {
        let grid = self.stages[usize::from(cell.stage.0)].grid;
        self.inputs[usize::from(cell.stage.0)].iter().map(move |link| {
            let read = self.stages[usize::from(link.stage.0)].grid;
            let level = if read.levels == 1 { 0 } else { cell.level };
            let (side, read_side) = (side(grid, cell.level), side(read, level));
            let padding = i64::from(link.padding) << cell.level;
            let first = |at: i64| (at * side - padding).div_euclid(read_side);
            let last = |at: i64| ((at + 1) * side + padding - 1).div_euclid(read_side);
            CellRange {
                stage: link.stage,
                level,
                min: [first(cell.x), first(cell.z)],
                max: [last(cell.x), last(cell.z)],
            }
        })
    }

    /// The cells that read a cell, a rectangle a stage and level.
    pub(crate) fn outputs(&self, cell: Cell) -> impl Iterator<Item = CellRange> + '_ {
        let grid = self.stages[usize::from(cell.stage.0)].grid;
        self.outputs[usize::from(cell.stage.0)].iter().flat_map(move |link| {
            let reader = self.stages[usize::from(link.stage.0)].grid;
            let levels = if grid.levels == 1 { 0..reader.levels } else { cell.level..cell.level + 1 };
            levels.map(move |level| {
                let (side, reader_side) = (side(grid, cell.level), side(reader, level));
                let padding = i64::from(link.padding) << level;
                // The padded reader [r s - p, (r + 1) s + p) meets [c t, (c + 1) t).
                let first = |at: i64| (at * side - padding).div_euclid(reader_side);
                let last = |at: i64| ((at + 1) * side + padding - 1).div_euclid(reader_side);
                CellRange {
                    stage: link.stage,
                    level,
                    min: [first(cell.x), first(cell.z)],
                    max: [last(cell.x), last(cell.z)],
                }
            })
        })
    }

    /// Most nodes that a target of `stage` needs, itself included, one number a stage: what a pool must hold for one
    /// target to make progress. Counted for the worst place of the grids against each other.
    ///
    /// # Panics
    /// When there is no such stage.
    #[must_use]
    pub fn closure_max(&self, stage: StageId) -> Vec<usize> {
        let top = self.stages[usize::from(stage.0)].grid.levels - 1;
        let (lowest, highest) = (self.closure_at(stage, 0), self.closure_at(stage, top));
        lowest.into_iter().zip(highest).map(|(low, high)| low.max(high)).collect()
    }

    fn closure_at(&self, target: StageId, target_level: u8) -> Vec<usize> {
        let target = usize::from(target.0);
        let target_side = side(self.stages[target].grid, target_level);
        // Units beyond the target's sides that are needed of each stage, at level 0 and at the target's; -1: nothing. A
        // stage of one level reads level 0 of what has levels, so a stage can be needed at both.
        let mut reach = vec![[-1; 2]; self.stages.len()];
        let layer = |level: u8| usize::from(level > 0);
        reach[target][layer(target_level)] = 0;
        let mut counts = vec![0; self.stages.len()];
        let mut readers_first: Vec<usize> = (0..self.stages.len()).collect();
        readers_first.sort_by_key(|stage| std::cmp::Reverse(self.depth[*stage]));
        for stage in readers_first {
            for level in [0, target_level] {
                let wanted = std::mem::replace(&mut reach[stage][layer(level)], -1);
                if wanted < 0 {
                    continue;
                }
                let cells = Spread::of(target_side, wanted, side(self.stages[stage].grid, level));
                counts[stage] += (cells.span * cells.span) as usize;
                for link in &self.inputs[stage] {
                    let read = usize::from(link.stage.0);
                    let read_level = if self.stages[read].grid.levels == 1 { 0 } else { level };
                    let reach = &mut reach[read][layer(read_level)];
                    *reach = (*reach).max(cells.covered + (i64::from(link.padding) << level));
                }
            }
        }
        counts
    }
}

fn side(grid: StageGrid, level: u8) -> i64 {
    i64::from(grid.cell) << level
}

/// The cells that meet an interval around a target, at the worst of the target's places.
struct Spread {
    /// Units that they cover beyond the target, on one side.
    covered: i64,
    /// Their number along an axis.
    span: i64,
}

impl Spread {
    /// Of cells of `side` units and an interval of `reach` beyond a target of `target_side`.
    fn of(target_side: i64, reach: i64, side: i64) -> Self {
        const PLACES_MAX: i64 = 4096;
        let length = target_side + 2 * reach;
        let step = gcd(target_side, side);
        if side / step > PLACES_MAX {
            return Self { covered: reach + side - 1, span: (length - 1 + side - 1) / side + 1 };
        }
        let mut worst = Self { covered: 0, span: 0 };
        for place in 0..side / step {
            let first = place * step - reach;
            let (low, high) = (first.div_euclid(side), (first + length - 1).div_euclid(side));
            let below = first - low * side;
            let above = (high + 1) * side - (first + length);
            worst.covered = worst.covered.max(reach + below.max(above));
            worst.span = worst.span.max(high - low + 1);
        }
        worst
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Who reads whom, the largest padding where a stage reads several columns of another.
fn links(stages: &[Stage]) -> Result<Vec<Vec<Link>>, GraphError> {
    let writer = |column: ColumnId| stages.iter().position(|stage| stage.writes.contains(&column));
    for (index, stage) in stages.iter().enumerate() {
        for &column in &stage.writes {
            let again = stages.iter().skip(index + 1).find(|other| other.writes.contains(&column));
            if let Some(other) = again {
                let (first, second) = (stage.name, other.name);
                return Err(GraphError::TwoWriters { column: column.0, first, second });
            }
        }
    }
    let mut all = Vec::with_capacity(stages.len());
    for stage in stages {
        let mut links: Vec<Link> = Vec::new();
        for read in &stage.reads {
            let Some(from) = writer(read.column) else {
                return Err(GraphError::NoWriter { stage: stage.name, column: read.column.0 });
            };
            let (levels, read_levels) = (stage.grid.levels, stages[from].grid.levels);
            if read_levels != 1 && read_levels < levels {
                return Err(GraphError::Levels {
                    stage: stage.name,
                    levels,
                    read: stages[from].name,
                    read_levels,
                });
            }
            let from = StageId(from as u8);
            match links.iter_mut().find(|link| link.stage == from) {
                Some(link) => link.padding = link.padding.max(read.padding),
                None => links.push(Link { stage: from, padding: read.padding }),
            }
        }
        all.push(links);
    }
    Ok(all)
}

/// The longest way from a stage that reads nothing.
fn depths(stages: &[Stage], inputs: &[Vec<Link>]) -> Result<Vec<u8>, GraphError> {
    let mut depth = vec![0u8; stages.len()];
    loop {
        let mut settled = true;
        for stage in 0..stages.len() {
            let least = inputs[stage].iter().map(|link| depth[usize::from(link.stage.0)] + 1).max();
            if let Some(least) = least.filter(|least| *least > depth[stage]) {
                // A way without a circle visits each stage once.
                if usize::from(least) >= stages.len() {
                    return Err(GraphError::Cycle { stage: stages[stage].name });
                }
                depth[stage] = least;
                settled = false;
            }
        }
        if settled {
            return Ok(depth);
        }
    }
}
