//! What only programs ask of a raster: blocks, scattered points and displacements. Values are compared with
//! [`Raster::at`] and [`Raster::gradient_at`], which tests/raster.rs holds against the oracles.

use super::*;
use crate::kernel::job::{Block, Target};
use crate::noise::Gradient;
use crate::scratch::{BAND, ROW, Row, STRIP};

const OUTSIDES: [Outside; 4] = [Outside::Clamp, Outside::Wrap, Outside::Mirror, Outside::Constant(0.125)];

fn rasters() -> impl Iterator<Item = Raster> {
    let filters = Filter::ALL.into_iter().map(|(filter, ..)| filter);
    let modes = filters.flat_map(|filter| OUTSIDES.map(|outside| (filter, outside)));
    modes.flat_map(|(filter, outside)| {
        [(1, 1), (7, 5), (64, 33)].map(|(width, height)| {
            let pixels: Vec<u16> = (0..width * height).map(|i| (i * 40_503 % 65_521) as u16).collect();
            let params = RasterParams {
                // A power of two, so that a displacement in 1/64 samples is exact in f32.
                pixels_per_sample: [0.25, 0.5],
                filter,
                outside,
                ..RasterParams::default()
            };
            Raster::new(pixels.into(), width, height, &params).expect("valid parameters")
        })
    })
}

/// Values and slopes of a run, row by row.
fn run(raster: &Raster, samples: Samples<'_>, by: Option<Displacement<'_>>, slopes: bool) -> Vec<Gradient> {
    let [mut value, mut x, mut z] = [(); 3].map(|()| vec![ROW; BAND]);
    // Rows of the caller are written too; they have a gap.
    let (lanes, rows) = samples.size();
    let mut out = vec![0.0; rows * (lanes + 2)];
    raster.run(
        samples,
        by,
        slopes,
        &mut Targets {
            value: Target { rows: &mut value, out: Some((&mut out, lanes + 2)) },
            slopes: [Target::rows(&mut x), Target::rows(&mut []), Target::rows(&mut z)],
        },
    );
    let one = |i: usize| {
        let (row, lane) = (i / lanes, i % lanes);
        assert_eq!(out[row * (lanes + 2) + lane].to_bits(), value[row][lane].to_bits());
        Gradient { value: value[row][lane], slope: [x[row][lane], 0.0, z[row][lane]] }
    };
    (0..lanes * rows).map(one).collect()
}

fn expected(raster: &Raster, x: Coord, z: Coord, slopes: bool) -> Gradient {
    let gradient = raster.gradient_at(x, z);
    if slopes { gradient } else { Gradient { slope: [0.0; 3], ..gradient } }
}

/// A displacement of multiples of 1/64 sample, exact with these rasters: up to four pixels, or thousands.
fn displacement(far: bool) -> [Vec<Row>; 3] {
    let scale = if far { 512 } else { 1 };
    let mut next = 1u32;
    [(); 3].map(|()| {
        let mut rows = vec![ROW; BAND];
        for value in rows.iter_mut().flat_map(|row| row.iter_mut()) {
            next = next.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *value = ((next >> 22) as i32 - 512) as f32 / 64.0 * scale as f32;
        }
        rows
    })
}

fn moved(at: Coord, by: f32) -> Coord {
    at.moved(i128::from((by * 65_536.0) as i64))
}

#[test]
fn blocks_and_points_equal_single_points() {
    let block = Block { x: -37, y: 5, z: (1 << 44) - 3, stride: 3, lanes: 67, rows: 9 };
    for raster in rasters() {
        for slopes in [false, true] {
            let all = run(&raster, Samples::Block(&block), None, slopes);
            let mut points = Vec::new();
            for (i, gradient) in all.iter().enumerate() {
                let x = Coord::from(block.x + 3 * (i % 67) as i64);
                let z = Coord::from(block.z + 3 * (i / 67) as i64);
                assert_eq!(*gradient, expected(&raster, x, z, slopes), "{raster:?} at {x:?}, {z:?}");
                points.push([x.moved(i as i128 * 77), Coord::from(99), z]);
            }
            for points in points.chunks(STRIP) {
                let scattered = run(&raster, Samples::Points(points), None, slopes);
                for (point, gradient) in points.iter().zip(scattered) {
                    assert_eq!(gradient, expected(&raster, point[0], point[2], slopes));
                }
            }
        }
    }
}

#[test]
fn a_displacement_is_another_place() {
    let block = Block { x: -9, y: 0, z: -(1 << 50), stride: 1, lanes: 80, rows: 64 };
    for far in [false, true] {
        let by = displacement(far);
        let by: Displacement<'_> = by.each_ref().map(|rows| &rows[..]);
        for raster in rasters() {
            let all = run(&raster, Samples::Block(&block), Some(by), true);
            let mut points = [[Coord::default(); 3]; STRIP];
            for (i, gradient) in all.iter().enumerate() {
                let (row, lane) = (i / 80, i % 80);
                let (x, z) = (Coord::from(block.x + lane as i64), Coord::from(block.z + row as i64));
                let (to_x, to_z) = (moved(x, by[0][row][lane]), moved(z, by[2][row][lane]));
                assert_eq!(*gradient, expected(&raster, to_x, to_z, true), "{raster:?} at {to_x:?} {to_z:?}");
                if row == 0 {
                    points[lane] = [x, Coord::default(), z];
                }
            }
            let scattered = run(&raster, Samples::Points(&points), Some(by), true);
            assert_eq!(scattered, all[..STRIP]);
        }
    }
}

#[test]
fn no_displacement_panics_or_leaves_the_bounds() {
    let strange = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
        1e19,
        -1e19,
        9.223_372e18,
        1e-45,
        -1e-45,
        -1e-9,
        0.99999,
        16_777_217.0,
    ];
    for raster in rasters() {
        for x in [0, i64::MAX, i64::MIN, 1 << 59] {
            let block = Block { x, y: 0, z: x, stride: 1, lanes: strange.len(), rows: strange.len() };
            let [mut by_x, mut by_z] = [(); 2].map(|()| vec![ROW; BAND]);
            for (row, value) in strange.into_iter().enumerate() {
                by_x[row][..strange.len()].copy_from_slice(&strange);
                by_z[row].fill(value);
            }
            let (low, high) = raster.bounds();
            for gradient in run(&raster, Samples::Block(&block), Some([&by_x, &by_x, &by_z]), true) {
                assert!((low..=high).contains(&gradient.value));
                assert!(gradient.slope.iter().all(|slope| slope.is_finite()));
            }
        }
    }
}

#[test]
fn what_is_no_number_moves_nothing() {
    for raster in rasters() {
        let nan = [vec![[f32::NAN; STRIP]; 1], vec![[0.0; STRIP]; 1]]
            .map(|rows| rows.into_iter().map(terrane_lanes::Aligned).collect::<Vec<Row>>());
        let at = [Coord::from(8), Coord::default(), Coord::from(2)];
        let by: Displacement<'_> = [&nan[0], &nan[0], &nan[1]];
        let found = run(&raster, Samples::Points(&[at]), Some(by), true);
        assert_eq!(found[0], raster.gradient_at(at[0], at[2]));
    }
}
