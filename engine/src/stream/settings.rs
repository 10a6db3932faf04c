//! What a stream is told when it is opened, checked.
//!
//! In: settings as a host gives them, or `[runtime]` of a world file. Out: the same with every rule kept, or an error that names
//! the setting, what was found and what would be right; the rules are the config's (`config/runtime_rules.rs`). None of them changes a byte of any chunk; they decide which chunks exist.

use crate::buffers::{ChunkLayout, ColumnKind, Content, FieldColumn, KINDS, PLAIN};
use crate::config::{ConfigError, RUNTIME_TABLE, check_stream};
use crate::coords::ChunkKey;
use crate::stream::cut::{CutError, SplitDistances};
use crate::stream::screen::ScreenError;
use crate::world::World;

/// Levels of detail, from the finest to the coarsest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    /// The first.
    pub from: u8,
    /// The last.
    pub to: u8,
}

impl Levels {
    /// Every level.
    pub const ALL: Self = Self { from: 0, to: ChunkKey::LOD_MAX };

    /// True for a level in between, ends included.
    #[must_use]
    pub fn contains(self, lod: u8) -> bool {
        (self.from..=self.to).contains(&lod)
    }
}

/// A column of a named field, and the levels that carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldOutput {
    /// Which field, in which form.
    pub column: FieldColumn,
    /// The levels whose chunks have it.
    pub levels: Levels,
}

/// Which levels carry which columns.
///
/// ```
/// use terrane::buffers::ColumnKind;
/// use terrane::{Levels, Outputs};
///
/// // Packed vertices everywhere, heights where there are colliders.
/// let outputs = Outputs::none()
///     .with(ColumnKind::Packed8, Levels::ALL)
///     .with(ColumnKind::Heights, Levels { from: 0, to: 0 });
/// assert_eq!(outputs.levels(ColumnKind::Normals), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outputs {
    plain: [Option<Levels>; PLAIN],
    /// Steepest slope that [`ColumnKind::Walkable`] admits, in degrees from level ground, 0 ..= 90.
    pub walkable_slope_max_deg: u8,
    /// Named fields, at most eight.
    pub fields: Vec<FieldOutput>,
}

impl Default for Outputs {
    /// Positions, normals and colours at every level, heights at the finest.
    fn default() -> Self {
        Self::none()
            .with(ColumnKind::Heights, Levels { from: 0, to: 0 })
            .with(ColumnKind::Positions, Levels::ALL)
            .with(ColumnKind::Normals, Levels::ALL)
            .with(ColumnKind::Colors, Levels::ALL)
    }
}

/// One pool of a stream: what its columns hold, and the levels whose chunks take one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolPlan {
    pub(crate) content: Content,
    levels: Option<Levels>,
}

impl PoolPlan {
    pub(crate) fn serves(&self, lod: u8) -> bool {
        self.levels.is_some_and(|levels| levels.contains(lod))
    }
}

impl Outputs {
    /// No columns: for hosts that name what they want.
    #[must_use]
    pub fn none() -> Self {
        let walkable_slope_max_deg = ChunkLayout::WALKABLE_SLOPE_MAX_DEG;
        Self { plain: [None; PLAIN], walkable_slope_max_deg, fields: Vec::new() }
    }

    /// The same with a column at these levels.
    #[must_use]
    pub fn with(mut self, kind: ColumnKind, levels: Levels) -> Self {
        self.plain[kind.index()] = Some(levels);
        self
    }

    /// The same with a column at no level.
    #[must_use]
    pub fn without(mut self, kind: ColumnKind) -> Self {
        self.plain[kind.index()] = None;
        self
    }

    /// The same with a named field more.
    #[must_use]
    pub fn with_field(mut self, field: FieldOutput) -> Self {
        self.fields.push(field);
        self
    }

    /// The levels that carry a column; `None`: none does.
    #[must_use]
    pub fn levels(&self, kind: ColumnKind) -> Option<Levels> {
        self.plain[kind.index()]
    }

    /// The pools of a stream, in their order. Everything that counts pools counts along this list.
    pub(crate) fn pools(&self) -> impl Iterator<Item = PoolPlan> {
        let plain = ColumnKind::ALL.map(|(kind, ..)| (Content::Plain(kind), self.levels(kind)));
        let fields = self.fields.iter().map(|field| (Content::Field(field.column), Some(field.levels)));
        plain.into_iter().chain(fields).map(|(content, levels)| PoolPlan { content, levels })
    }

    /// The columns of chunks of a level.
    pub(crate) fn layout(&self, lod: u8) -> ChunkLayout {
        let mut none = ChunkLayout::of(&[]);
        none.walkable_slope_max_deg = self.walkable_slope_max_deg;
        self.pools()
            .filter(|pool| pool.serves(lod))
            .fold(none, |layout, pool| layout.with_content(pool.content))
    }

    /// For each column of a chunk of a level, the pool that it comes from. Fields take the places of fields one
    /// after the other, as they do in [`Self::layout`].
    pub(crate) fn pools_of(&self, lod: u8) -> [Option<usize>; KINDS] {
        let mut pools = [None; KINDS];
        for (index, pool) in self.pools().enumerate().filter(|(_, pool)| pool.serves(lod)) {
            let free = pools[pool.content.place()..].iter_mut().find(|place| place.is_none());
            *free.expect("settings with too many fields are refused") = Some(index);
        }
        pools
    }
}

/// How a world is streamed: made in code, or read from `[runtime]` of a world file, which has these names
/// ([`RuntimeConfig::stream`](crate::RuntimeConfig::stream)).
///
/// ```
/// use terrane::StreamSettings;
/// let settings = StreamSettings { levels: 6, threads: Some(2), ..StreamSettings::default() };
/// assert!(settings.swaps_max > 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StreamSettings {
    /// Levels of detail that are drawn, 1 ..= 16. The view reaches about `split_factor * 2^levels` chunks.
    pub levels: u8,
    /// A chunk is split when a viewer is nearer than this many of its sides, at least 1.
    pub split_factor: f64,
    /// It stays split until the viewer is farther by this share; `split_factor * (1 - hysteresis)` is at least 1.
    pub hysteresis: f64,
    /// The error that may be seen on a screen. A chunk is then also split while its level's error bound
    /// ([`World::error_bound_m`]), seen from the nearest viewer, is larger: `split_factor` is the least. The bounds are worst cases, so
    /// this may ask for much more than the eye does; `None`: distances from `split_factor` alone.
    pub screen: Option<ScreenError>,
    /// Workers; 0: the host runs the jobs inside [`Streamer::poll`](crate::Streamer::poll). `None`: one fewer than the
    /// machine has cores, at least 1.
    pub threads: Option<usize>,
    /// Viewers at a time, 1 ..= 64.
    pub viewers_max: usize,
    /// Changes (splits, merges) that are prepared at a time, 2 ..= 1024.
    pub swaps_max: usize,
    /// Chunks that the host may still hold after [`StreamEvent::Retired`](crate::StreamEvent::Retired).
    pub held_max: usize,
    /// Chunks that are built ahead of moving viewers.
    pub prefetch_max: usize,
    /// How far ahead, in seconds of a viewer's velocity.
    pub prefetch_s: f64,
    /// Drawn chunks that one edit may touch, or several until they are shown together.
    pub edited_max: usize,
    /// What chunks carry.
    pub outputs: Outputs,
    /// The most memory, in bytes; `None`: as much as the settings need.
    pub bytes_max: Option<u64>,
}

impl Default for StreamSettings {
    fn default() -> Self {
        Self {
            levels: 6,
            split_factor: 2.0,
            hysteresis: 0.2,
            screen: None,
            threads: None,
            viewers_max: 1,
            swaps_max: 16,
            held_max: 32,
            prefetch_max: 16,
            prefetch_s: 0.5,
            edited_max: 64,
            outputs: Outputs::default(),
            bytes_max: None,
        }
    }
}

/// A setting that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{setting}: found {found}, expected {expected}")]
pub struct SettingError {
    /// Its name, as in `[runtime]` of world files.
    pub setting: String,
    /// What it is.
    pub found: String,
    /// What would be right.
    pub expected: String,
}

/// Packed heights whose steps can be seen. Nothing is wrong with the stream, but the ground may look it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoarseSteps {
    /// The levels of which it is true, the first and the last.
    pub levels: Levels,
    /// Between neighbouring packed heights, in metres.
    pub step_m: f32,
    /// Between vertices of the first of the levels, in metres.
    pub spacing_m: f32,
}

impl CoarseSteps {
    /// Steps up to this share of the spacing do not show: level ground tilts by less than two degrees.
    const SHARE_MAX: f32 = 1.0 / 32.0;
}

impl std::fmt::Display for CoarseSteps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { levels: Levels { from, to }, step_m, spacing_m } = *self;
        write!(
            f,
            "packed heights are {step_m} m apart, more than a 32nd of the {spacing_m} m between vertices of level {from}: level ground \
             shows terraces; carry positions at levels {from} to {to}, or narrow the world's height range"
        )
    }
}

impl From<ConfigError> for SettingError {
    /// Settings made in code stand in no table.
    fn from(error: ConfigError) -> Self {
        let path = error.path().to_string();
        let inside = path.strip_prefix(RUNTIME_TABLE).and_then(|path| path.strip_prefix('.'));
        Self {
            setting: inside.unwrap_or(&path).to_owned(),
            found: error.found().to_owned(),
            expected: error.expected().to_owned(),
        }
    }
}

impl StreamSettings {
    /// Checks what the level-of-detail rules do not check themselves.
    pub(crate) fn check(&self, world: &World) -> Result<(), SettingError> {
        Ok(check_stream(self, world.config().fields.len())?)
    }

    /// From which distances on chunks of each level are drawn.
    pub(crate) fn distances(&self, world: &World) -> Result<SplitDistances, CutError> {
        let Self { levels, split_factor, hysteresis, screen, .. } = *self;
        let uniform = SplitDistances::uniform(levels, world.chunk_cells(), split_factor, hysteresis)?;
        let Some(screen) = screen else { return Ok(uniform) };
        let wanted = |lod| {
            let samples = screen.distance_m(world.error_bound_m(lod)) / world.sample_spacing_m();
            // Saturating.
            samples.ceil() as u64
        };
        uniform.at_least(hysteresis, wanted)
    }

    /// Whether packed heights are coarse for a world with these settings, and at which levels.
    #[must_use]
    pub fn coarse_steps(&self, world: &World) -> Option<CoarseSteps> {
        let step_m = world.height_lattice().step_m();
        let spacing_m =
            |lod: u8| world.sample_spacing_m() as f32 * ChunkKey { lod, x: 0, z: 0 }.stride() as f32;
        let is_packed = |lod: u8| {
            [ColumnKind::Packed8, ColumnKind::Packed4]
                .iter()
                .any(|kind| self.outputs.levels(*kind).is_some_and(|levels| levels.contains(lod)))
        };
        let is_coarse = |lod: &u8| is_packed(*lod) && step_m > CoarseSteps::SHARE_MAX * spacing_m(*lod);
        let (from, to) = ((0..self.levels).find(is_coarse)?, (0..self.levels).rfind(is_coarse)?);
        Some(CoarseSteps { levels: Levels { from, to }, step_m, spacing_m: spacing_m(from) })
    }

    /// Workers, as [`Self::threads`] says or the machine has. The machine may answer differently another time: it is asked
    /// once, for the memory plan.
    pub(crate) fn thread_count(&self) -> usize {
        let of_machine =
            || std::thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1));
        if cfg!(feature = "threads") {
            self.threads.unwrap_or_else(of_machine)
        } else {
            self.threads.unwrap_or(0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffers::FieldFormat;

    #[test]
    fn columns_of_a_level_and_their_pools_go_together() {
        let field = |format, from, to| FieldOutput {
            column: FieldColumn { field: 0, format },
            levels: Levels { from, to },
        };
        let fields = vec![field(FieldFormat::Unorm8, 1, 1), field(FieldFormat::F32, 0, 1)];
        let outputs = Outputs { fields, ..Outputs::default().without(ColumnKind::Normals) };
        assert_eq!(outputs.pools().count(), PLAIN + 2);
        for (lod, plain, of_fields, bytes) in [
            (0, vec![0, 1, 3], [Some(PLAIN + 1), None], [22_144, 4225 * 12, 4225 * 4, 4225 * 4]),
            (1, vec![1, 3], [Some(PLAIN), Some(PLAIN + 1)], [4225 * 12, 4225 * 4, 4228, 4225 * 4]),
        ] {
            let pools = outputs.pools_of(lod);
            assert!((0..PLAIN).all(|place| pools[place] == plain.contains(&place).then_some(place)));
            assert_eq!(pools[PLAIN..PLAIN + 2], of_fields);
            assert_eq!(pools[PLAIN + 2..], [None; KINDS - PLAIN - 2]);
            assert_eq!(outputs.layout(lod).bytes(64), bytes.iter().sum::<usize>());
        }
    }
}
