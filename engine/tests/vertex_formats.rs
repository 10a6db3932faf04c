//! Vertex formats: every one says what the heights say, at every SIMD level; coarse pairs are the coarser chunk's own.
#![allow(clippy::disallowed_methods, reason = "an oracle may use the platform's trigonometry")]

mod kit;

use kit::{config, finite_config, open, open_at};
use terrane::buffers::{ChunkLayout, ColumnKind, Packed4, Packed8};
use terrane::mesh::{OCTAHEDRAL_ERROR_DEG, decode_octahedral};
use terrane::{ChunkBuffers, ChunkKey, SimdLevel, World, WorldConfig};

fn build(world: &World, key: ChunkKey) -> ChunkBuffers {
    let layout = ChunkLayout::of(&ColumnKind::ALL.map(|(kind, ..)| kind));
    let mut chunk = ChunkBuffers::with_layout(world.chunk_cells(), layout);
    world.build(key, &mut chunk, &mut world.scratch()).expect("a chunk in range");
    chunk
}

fn worlds() -> Vec<WorldConfig> {
    let steep = WorldConfig { sample_spacing_m: 0.125, ..config(16, 1.0) };
    vec![config(64, 1.0), config(16, 7.0), config(128, 0.3), steep, finite_config(32)]
}

/// Chunks of a few levels, on both sides of the origin and far out.
fn keys(world: &World) -> Vec<ChunkKey> {
    let of = |lod: u8, x, z| ChunkKey { lod, x, z };
    let far = if world.config().extent.is_some() { 0 } else { 1 << 30 };
    vec![
        of(0, 0, 0),
        of(0, -1, 1),
        of(1, 0, -1),
        of(2, -1, 0),
        of(3, 0, 0),
        of(0, far, -far),
        of(1, -far, far),
    ]
    .into_iter()
    .filter(|key| {
        world
            .chunk_extent(key.lod)
            .is_none_or(|(min, max)| (min[0]..max[0]).contains(&key.x) && (min[1]..max[1]).contains(&key.z))
    })
    .collect()
}

/// Heights of the chunk with two samples more on every side, one by one.
struct Ground {
    side: i64,
    heights: Vec<f32>,
    spacing_m: f64,
}

impl Ground {
    fn new(world: &World, key: ChunkKey) -> Self {
        let side = i64::from(world.chunk_cells()) + 5;
        let [x0, z0] = key.origin(world.chunk_cells());
        let stride = i64::from(key.stride());
        let at = |i: i64, j: i64| {
            let sample = [x0 + (i - 2) * stride, z0 + (j - 2) * stride];
            world.height_at(terrane::Position::from_samples(sample).expect("in range"))
        };
        let heights = (0..side * side).map(|i| at(i % side, i / side)).collect();
        Self { side, heights, spacing_m: world.sample_spacing_m() * stride as f64 }
    }

    fn at(&self, x: i64, z: i64) -> f32 {
        self.heights[((z + 2) * self.side + x + 2) as usize]
    }

    fn normal(&self, x: i64, z: i64, reach: i64) -> [f64; 3] {
        let [dx, dz] = self.differences(x, z, reach);
        unit([dx, 2.0 * reach as f64 * self.spacing_m, dz])
    }

    fn differences(&self, x: i64, z: i64, reach: i64) -> [f64; 2] {
        let at = |x, z| f64::from(self.at(x, z));
        [at(x - reach, z) - at(x + reach, z), at(x, z - reach) - at(x, z + reach)]
    }

    /// Height and normal on the next coarser mesh: at its vertices its own, in the middle of its edges the mean of their ends.
    fn coarse(&self, x: i64, z: i64) -> (f32, [f64; 3]) {
        let ends = match (x % 2, z % 2) {
            (0, 0) => [[x, z]; 2],
            (1, 0) => [[x - 1, z], [x + 1, z]],
            (0, 1) => [[x, z - 1], [x, z + 1]],
            _ => [[x - 1, z + 1], [x + 1, z - 1]],
        };
        let height = (self.at(ends[0][0], ends[0][1]) + self.at(ends[1][0], ends[1][1])) * 0.5;
        let [a, b] = ends.map(|[x, z]| self.differences(x, z, 2));
        (height, unit([(a[0] + b[0]) / 2.0, 4.0 * self.spacing_m, (a[1] + b[1]) / 2.0]))
    }
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = v.iter().map(|v| v * v).sum::<f64>().sqrt();
    v.map(|v| v / length)
}

fn angle_deg(a: [f64; 3], b: [f32; 3]) -> f64 {
    let b = unit(b.map(f64::from));
    let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let sine = cross.iter().map(|v| v * v).sum::<f64>().sqrt();
    sine.atan2(a.iter().zip(b).map(|(a, b)| a * b).sum()).to_degrees()
}

#[test]
fn every_format_says_what_the_ground_is() {
    for config in worlds() {
        let world = open(config);
        let lattice = world.height_lattice();
        let layout_deg = f64::from(ChunkLayout::WALKABLE_SLOPE_MAX_DEG);
        for key in keys(&world) {
            let (chunk, ground) = (build(&world, key), Ground::new(&world, key));
            let view = chunk.view();
            let side = view.side();
            let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
            for (i, vertex) in view.packed8().iter().enumerate() {
                let (x, z) = (i % side, i / side);
                let what = format!("{key:?} ({x}, {z})");
                let (height, normal) = (ground.at(x as i64, z as i64), ground.normal(x as i64, z as i64, 1));
                let (coarse_height, coarse_normal) = ground.coarse(x as i64, z as i64);
                (low, high) = (low.min(height), high.max(height));

                assert_eq!((view.heights(z)[x], view.positions()[i][1]), (height, height), "{what}");
                assert!(angle_deg(normal, view.normals()[i]) < 1e-4, "{what}");
                let [h, nx, ny, nz] = view.coarse()[i];
                assert_eq!(h, coarse_height, "{what}");
                assert!(angle_deg(coarse_normal, [nx, ny, nz]) < 1e-4, "{what}");

                let packed = Packed8::from_bytes(*vertex);
                assert_eq!(packed.to_bytes(), *vertex);
                for (code, height) in [(packed.height, height), (packed.coarse_height, coarse_height)] {
                    assert_eq!(code, lattice.encode(height), "{what}");
                    let error = f64::from(lattice.decode(code)) - f64::from(height);
                    assert!(error.abs() <= lattice.error_m(), "{what}: {error}");
                }
                for (code, normal) in [(packed.normal, normal), (packed.coarse_normal, coarse_normal)] {
                    let angle = angle_deg(normal, decode_octahedral(code));
                    assert!(angle <= OCTAHEDRAL_ERROR_DEG + 1e-4, "{what}: {angle}");
                }
                let half = Packed4::from_bytes(view.packed4()[i]);
                assert_eq!((half.height, half.normal), (packed.height, packed.normal), "{what}");
                assert_eq!(half.to_bytes(), view.packed4()[i]);

                let slope_deg = normal[1].clamp(-1.0, 1.0).acos().to_degrees();
                let code_deg = f64::from(view.slopes()[i]) * 90.0 / 255.0;
                // Half a step, and what the arc tangent may miss.
                assert!(
                    (slope_deg - code_deg).abs() <= 45.0 / 255.0 + 2e-3,
                    "{what}: {slope_deg} {code_deg}"
                );
                if (slope_deg - layout_deg).abs() > 2e-3 {
                    let walks = slope_deg <= layout_deg && height >= world.config().height.sea_level_m;
                    assert_eq!(view.walkable()[i], u8::from(walks), "{what}: {slope_deg}");
                }
            }
            assert_eq!(view.heights_m(), [low, high], "{key:?}");
            let width_m = (side - 1) as f32 * view.vertex_spacing_m();
            assert_eq!(view.bounds_m(), [[0.0, low, 0.0], [width_m, high, width_m]]);
            assert_eq!(f64::from(view.vertex_spacing_m()), ground.spacing_m);
        }
    }
}

#[test]
fn walkable_heeds_its_limit_and_the_sea() {
    let world = open(config(64, 1.0));
    let count = |slope_max_deg| {
        let mut layout = ChunkLayout::of(&[ColumnKind::Walkable]);
        layout.walkable_slope_max_deg = slope_max_deg;
        let mut chunk = ChunkBuffers::with_layout(64, layout);
        let mut all = 0;
        for (x, z) in [(0, 0), (1, 0), (0, 1), (-1, -1)] {
            world.build(ChunkKey { lod: 0, x, z }, &mut chunk, &mut world.scratch()).expect("built");
            all += chunk.view().walkable().iter().map(|walks| usize::from(*walks)).sum::<usize>();
        }
        all
    };
    let counts = [0, 5, 20, 40, 90].map(count);
    assert!(counts.is_sorted() && counts[1] < counts[3], "{counts:?}");
    assert!(counts[4] > 0 && counts[4] < 4 * 65 * 65, "{counts:?}: some of it is sea");
}

#[test]
fn formats_do_not_depend_on_the_simd_level() {
    for config in worlds() {
        let want = open_at(config.clone(), SimdLevel::SCALAR);
        for level in SimdLevel::available() {
            let world = open_at(config.clone(), level);
            for key in keys(&world) {
                let (got, want) = (build(&world, key), build(&want, key));
                for (kind, ..) in ColumnKind::ALL {
                    assert!(got.view().bytes(kind) == want.view().bytes(kind), "{level} {key:?} {kind:?}");
                }
                assert_eq!(
                    got.view().heights_m().map(f32::to_bits),
                    want.view().heights_m().map(f32::to_bits)
                );
            }
        }
    }
}

/// Where a chunk's vertices with even places are those of the coarser chunk: its coarse pair must be the coarser's own.
fn compare_levels(fine: &ChunkBuffers, coarse: &ChunkBuffers, quarter: [usize; 2]) -> Result<(), String> {
    let (fine, coarse) = (fine.view(), coarse.view());
    let (side, half) = (fine.side(), (fine.side() - 1) / 2);
    for z in (0..side).step_by(2) {
        for x in (0..side).step_by(2) {
            let i = z * side + x;
            let j = (quarter[1] * half + z / 2) * side + quarter[0] * half + x / 2;
            let [height, normal @ ..] = fine.coarse()[i];
            let own = coarse.normals()[j];
            if (height.to_bits(), normal.map(f32::to_bits))
                != (coarse.positions()[j][1].to_bits(), own.map(f32::to_bits))
            {
                return Err(format!("pair of ({x}, {z})"));
            }
            let (fine, coarse) =
                (Packed8::from_bytes(fine.packed8()[i]), Packed8::from_bytes(coarse.packed8()[j]));
            if (fine.coarse_height, fine.coarse_normal) != (coarse.height, coarse.normal) {
                return Err(format!("packed pair of ({x}, {z})"));
            }
        }
    }
    Ok(())
}

#[test]
fn a_coarse_pair_is_the_coarser_chunks_own_to_the_bit() {
    for config in worlds() {
        let world = open(config);
        for parent in keys(&world).into_iter().filter(|key| key.lod > 0) {
            let coarse = build(&world, parent);
            for quarter in [[0, 0], [1, 0], [0, 1], [1, 1]] {
                let child = ChunkKey {
                    lod: parent.lod - 1,
                    x: 2 * parent.x + quarter[0] as i64,
                    z: 2 * parent.z + quarter[1] as i64,
                };
                if world.chunk_extent(child.lod).is_none_or(|(_, max)| child.x < max[0] && child.z < max[1]) {
                    assert_eq!(compare_levels(&build(&world, child), &coarse, quarter), Ok(()), "{child:?}");
                }
            }
        }
    }
}

/// The check above can fail: chunks of two worlds that differ by the seed, and a quarter that is another one.
#[test]
fn a_pair_of_other_ground_is_found() {
    let world = open(config(64, 1.0));
    let other = open(WorldConfig { seed: 2, ..config(64, 1.0) });
    let (parent, child) = (ChunkKey { lod: 1, x: 0, z: 0 }, ChunkKey { lod: 0, x: 1, z: 0 });
    let (fine, coarse) = (build(&world, child), build(&world, parent));
    assert_eq!(compare_levels(&fine, &coarse, [1, 0]), Ok(()));
    assert!(compare_levels(&fine, &coarse, [0, 0]).is_err());
    assert!(compare_levels(&build(&other, child), &coarse, [1, 0]).is_err());
}

/// Rows and columns that two neighbours share.
#[test]
fn borders_are_equal_in_every_format() {
    for config in worlds() {
        let world = open(config);
        for lod in [0, 2] {
            let [a, right, below] = [[0, 0], [1, 0], [0, 1]].map(|[x, z]| {
                // Of a finite world of the kit, the chunks around its middle.
                build(&world, ChunkKey { lod, x: x - 1, z: z - 1 })
            });
            let (side, [a, right, below]) = (a.view().side(), [&a, &right, &below].map(|chunk| chunk.view()));
            for (kind, _, bytes) in ColumnKind::ALL {
                if kind == ColumnKind::Heights || kind == ColumnKind::Positions {
                    continue;
                }
                let vertex = |view: terrane::ChunkView<'_>, x: usize, z: usize| {
                    view.bytes(kind)[(z * side + x) * bytes..][..bytes].to_vec()
                };
                for i in 0..side {
                    assert_eq!(vertex(a, side - 1, i), vertex(right, 0, i), "{kind:?} {i}");
                    assert_eq!(vertex(a, i, side - 1), vertex(below, i, 0), "{kind:?} {i}");
                }
            }
        }
    }
}
