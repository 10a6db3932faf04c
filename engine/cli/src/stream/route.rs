//! Where the viewer is in a frame: the same in every run, so that runs can be compared.

use terrane::edits::{Brush, BrushShape, Edit, EditOp};
use terrane::{Position, SAMPLE_LIMIT, Viewer, World};

use crate::args::StreamPath;

/// Frames a second.
const RATE: f64 = 60.0;
/// Frames between two teleports.
const TELEPORT: u32 = 60;
/// Frames between two edits.
const EDIT: u32 = 15;
/// How far teleports go in an endless world, in samples to each side.
const REACH: i64 = 10_000_000;

pub(crate) struct Route {
    path: StreamPath,
    spacing_m: f64,
    chunk_cells: i64,
    /// In samples, x then z.
    start: [i64; 2],
    /// The samples that exist, first and last; in an endless world, as many as will ever be seen.
    bounds: [[i64; 2]; 2],
}

impl Route {
    pub(crate) fn new(world: &World, path: StreamPath) -> Self {
        let cells = i64::from(world.chunk_cells());
        let bounds = match world.chunk_extent(0) {
            Some((min, max)) => [min, max].map(|chunk| chunk.map(|chunk| chunk * cells)),
            None => [[-SAMPLE_LIMIT / 2; 2], [SAMPLE_LIMIT / 2; 2]],
        };
        let middle = |axis: usize| bounds[0][axis] + (bounds[1][axis] - bounds[0][axis]) / 2;
        Self {
            path,
            spacing_m: world.sample_spacing_m(),
            chunk_cells: cells,
            start: [middle(0), middle(1)],
            bounds,
        }
    }

    /// The viewer in a frame; frame 0 is the start.
    pub(crate) fn viewer(&self, frame: u32) -> Viewer {
        // In chunks, so that the same happens in worlds of any scale.
        let chunks_per_s = match self.path {
            StreamPath::Stand | StreamPath::Teleport | StreamPath::Edit => 0.0,
            StreamPath::Walk => 0.25,
            StreamPath::Fly => 8.0,
        };
        // Neither axis nor diagonal: chunks are crossed on both sides at different times.
        let direction = [0.8, 0.6];
        let samples_per_s = chunks_per_s * self.chunk_cells as f64;
        let samples = f64::from(frame) / RATE * samples_per_s;
        let start =
            if self.path == StreamPath::Teleport { self.landing(frame / TELEPORT) } else { self.start };
        let mut velocity_m_s = [0.0; 2];
        let at: [i64; 2] = std::array::from_fn(|axis| {
            let (at, sign) = self.reflect(axis, start[axis] + (samples * direction[axis]) as i64);
            velocity_m_s[axis] = (samples_per_s * self.spacing_m * direction[axis]) as f32 * sign;
            at
        });
        Viewer { position: Position::from_samples(at).expect("within the bounds"), velocity_m_s }
    }

    /// What is done to the ground in a frame: a brush of a sixth of a chunk, around the viewer, up and down in turn.
    pub(crate) fn edit(&self, frame: u32) -> Option<Edit> {
        if self.path != StreamPath::Edit || !frame.is_multiple_of(EDIT) {
            return None;
        }
        let n = i64::from(frame / EDIT);
        let radius_m = self.chunk_cells as f64 * self.spacing_m / 6.0;
        let by = |n: i64, step: i64| (n * step).rem_euclid(2 * self.chunk_cells) - self.chunk_cells;
        let at = [self.start[0] + by(n, 29), self.start[1] + by(n, 47)];
        let center = Position::from_samples(at).expect("near the start");
        let op = match n % 4 {
            0 => EditOp::Raise { by_m: 2.0 },
            1 => EditOp::Lower { by_m: 2.0 },
            2 => EditOp::Smooth,
            _ => EditOp::Flatten,
        };
        let brush = Brush { center, shape: BrushShape::Circle { radius_m }, falloff_m: radius_m / 2.0 };
        Some(Edit { brush, op })
    }

    /// Where the viewer lands the n-th time.
    fn landing(&self, n: u32) -> [i64; 2] {
        let [min, max] = self.bounds;
        std::array::from_fn(|axis| {
            let mixed = (u64::from(n) * 2 + axis as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let mixed = (mixed ^ mixed >> 31).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 1;
            let reach = (max[axis] - min[axis]).min(2 * REACH);
            let first = self.start[axis] - reach / 2;
            if n == 0 { self.start[axis] } else { first + (mixed % reach.max(1) as u64) as i64 }
        })
    }

    /// A place on the way, turned back at the world's edges; and whether it goes forth or back.
    fn reflect(&self, axis: usize, at: i64) -> (i64, f32) {
        let (min, max) = (self.bounds[0][axis], self.bounds[1][axis]);
        let length = (max - min).max(1);
        let on = (at - min).rem_euclid(2 * length);
        if on < length { (min + on, 1.0) } else { (min + 2 * length - on, -1.0) }
    }
}
