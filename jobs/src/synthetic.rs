//! A graph for tests that looks like none that a host has: three grids whose cells do not divide each other, two levels on
//! two of them, paddings on both sides of a cell's size. Beside it an oracle that knows no graph: it finds inputs by trying
//! cells, and computes results by recursion.

use std::collections::BTreeMap;

use crate::sync::atomic::{AtomicU32, Ordering};
use crate::{
    Cell, ColumnId, GraphSpec, Job, Pool, Read, Shared, Stage, StageGrid, StageId, Stop, Unique, Work,
};

pub(crate) const ROCK: StageId = StageId(0);
pub(crate) const WATER: StageId = StageId(1);
pub(crate) const GRASS: StageId = StageId(2);

const LEVELS: u8 = 2;
const SIDES: [i64; 3] = [64, 96, 256];
/// Reader, what it reads, padding.
const READS: [(StageId, StageId, u32); 3] = [(WATER, ROCK, 10), (GRASS, WATER, 120), (GRASS, ROCK, 1)];

pub(crate) fn spec() -> GraphSpec {
    let grid = |stage: StageId, levels: u8| StageGrid { cell: SIDES[usize::from(stage.0)] as u32, levels };
    let reads = |stage: StageId| {
        let reads = READS.iter().filter(|(reader, ..)| *reader == stage);
        reads
            .map(|(_, read, padding)| Read { column: ColumnId(u16::from(read.0)), padding: *padding })
            .collect()
    };
    let stage = |id: StageId, name: &'static str, levels: u8| Stage {
        name,
        grid: grid(id, levels),
        reads: reads(id),
        writes: vec![ColumnId(u16::from(id.0))],
    };
    let stages = vec![stage(ROCK, "rock", LEVELS), stage(WATER, "water", 1), stage(GRASS, "grass", LEVELS)];
    GraphSpec::new(stages).expect("a graph")
}

/// Levels of a stage.
fn levels(stage: StageId) -> u8 {
    if stage == WATER { 1 } else { LEVELS }
}

/// The cells that a cell reads, found by trying all around.
pub(crate) fn inputs(cell: Cell) -> Vec<Cell> {
    let mut found = Vec::new();
    let side = SIDES[usize::from(cell.stage.0)] << cell.level;
    for (_, read, padding) in READS.iter().filter(|(reader, ..)| *reader == cell.stage) {
        let level = if levels(*read) == 1 { 0 } else { cell.level };
        let (read_side, padding) = (SIDES[usize::from(read.0)] << level, i64::from(*padding) << cell.level);
        let meets = |at: i64, other: i64| {
            let (low, high) = (at * side - padding, (at + 1) * side + padding);
            other * read_side < high && (other + 1) * read_side > low
        };
        let around = |at: i64| {
            let near = at * side / read_side;
            near - 30..near + 30
        };
        for z in around(cell.z).filter(|z| meets(cell.z, *z)) {
            for x in around(cell.x).filter(|x| meets(cell.x, *x)) {
                found.push(Cell { stage: *read, level, x, z });
            }
        }
    }
    found
}

fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    value ^ value >> 29
}

/// The result of a cell from those of its inputs, whose order counts.
fn combine(cell: Cell, inputs: impl Iterator<Item = u64>) -> u64 {
    let place =
        cell.x as u64 ^ (cell.z as u64) << 24 ^ u64::from(cell.level) << 60 ^ u64::from(cell.stage.0) << 56;
    inputs.fold(mix(place), |all, input| mix(all.rotate_left(7) ^ input))
}

/// Results by recursion.
#[derive(Default)]
pub(crate) struct Oracle(BTreeMap<Cell, u64>);

impl Oracle {
    pub(crate) fn result(&mut self, cell: Cell) -> u64 {
        if let Some(&known) = self.0.get(&cell) {
            return known;
        }
        let of_inputs: Vec<u64> = inputs(cell).into_iter().map(|input| self.result(input)).collect();
        let result = combine(cell, of_inputs.into_iter());
        self.0.insert(cell, result);
        result
    }
}

/// What goes wrong in a run of the graph.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Faults {
    /// One cell in so many panics at its first attempt.
    pub(crate) panic_once: Option<u64>,
    /// At each attempt.
    pub(crate) panic_always: Option<u64>,
    /// Gives an error.
    pub(crate) error: Option<u64>,
    /// The stage that it happens in; all, when there is none.
    pub(crate) stage: Option<StageId>,
}

impl Faults {
    fn hits(&self, one_in: Option<u64>, cell: Cell) -> bool {
        self.stage.is_none_or(|stage| stage == cell.stage)
            && one_in.is_some_and(|one_in| mix(combine(cell, std::iter::empty())).is_multiple_of(one_in))
    }

    /// Whether a cell will have no result of its own.
    pub(crate) fn spoil(&self, cell: Cell) -> bool {
        self.hits(self.panic_always, cell) || self.hits(self.error, cell)
    }
}

/// What a placeholder holds.
pub(crate) const PLACEHOLDER: u64 = 7;

/// The graph at work, with a pool a stage.
pub(crate) struct Synthetic {
    pub(crate) pools: [Pool<u64>; 3],
    pub(crate) faults: Faults,
    /// Jobs that run now.
    pub(crate) running: AtomicU32,
    /// Called in the middle of a job.
    pub(crate) meanwhile: Option<Box<dyn Fn(Cell) + Send + Sync>>,
}

impl Synthetic {
    /// With so many results a stage.
    pub(crate) fn new(capacity: [usize; 3]) -> Self {
        Self {
            pools: capacity.map(|capacity| Pool::new(capacity, |_| 0)),
            faults: Faults::default(),
            running: AtomicU32::new(0),
            meanwhile: None,
        }
    }

    /// With just what targets of `stage` need, for `targets` of them at once.
    pub(crate) fn least(stage: StageId, targets: usize) -> Self {
        let most = spec().closure_max(stage);
        Self::new([0, 1, 2].map(|stage| most[stage] * targets))
    }
}

impl Work for Synthetic {
    type Buffer = Unique<u64>;
    type Product = Shared<u64>;
    type Scratch = Vec<u64>;

    fn scratch(&self) -> Vec<u64> {
        Vec::with_capacity(256)
    }

    fn reserve(&self, cell: Cell) -> Option<Unique<u64>> {
        self.pools[usize::from(cell.stage.0)].try_take()
    }

    fn run(
        &self,
        job: Job<'_, Shared<u64>>,
        buffer: &mut Unique<u64>,
        scratch: &mut Vec<u64>,
    ) -> Result<(), Stop> {
        self.running.fetch_add(1, Ordering::SeqCst);
        if let Some(meanwhile) = &self.meanwhile {
            meanwhile(job.cell);
        }
        self.running.fetch_sub(1, Ordering::SeqCst);
        if job.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        let faults = &self.faults;
        if faults.hits(faults.error, job.cell) {
            return Err(Stop::Failed("a planted error".to_owned()));
        }
        if faults.hits(faults.panic_always, job.cell)
            || (job.attempt == 0 && faults.hits(faults.panic_once, job.cell))
        {
            panic!("a planted panic");
        }
        scratch.clear();
        scratch.extend(job.inputs().iter().map(|(_, input)| **input));
        let cells: Vec<Cell> = job.inputs().iter().map(|(cell, _)| *cell).collect();
        assert_eq!(cells, inputs(job.cell), "inputs of {:?}", job.cell);
        **buffer = combine(job.cell, scratch.iter().copied());
        Ok(())
    }

    fn placeholder(&self, _: Cell, buffer: &mut Unique<u64>) {
        **buffer = PLACEHOLDER;
    }

    fn freeze(&self, buffer: Unique<u64>) -> Shared<u64> {
        buffer.freeze()
    }
}
