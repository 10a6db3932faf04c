//! The guaranteed bounds: no value leaves -1..=1, and the literals behind that are the true suprema, rounded up.
//!
//! Per lattice point an adversary chooses the gradient or the feature point freely, so the supremum at a place is the
//! largest sum of each point's best choice; the largest over places is looked for here.

mod kit;
mod reference;

use kit::{DISTANCES, RETURNS, bound, kinds};
use terrane_noise::{
    Cellular, Dimensions, Distance, Fractal, Kind, Noise, NoiseError, NoiseParams, Period, Perlin,
    PerlinClassic, Returns, Scratch, SimdLevel, Simplex, Value, Volume,
};

/// Largest of `at` over the unit cube, or square: a coarse grid, refined around each of its best places.
fn supremum(three: bool, at: impl Fn([f64; 3]) -> f64) -> f64 {
    let around = |center: [f64; 3], half: f64, n: u32| {
        let part = move |i: u32| (2.0 * f64::from(i) / f64::from(n) - 1.0) * half;
        let layers = if three { n } else { 0 };
        let mut places = Vec::new();
        for i in 0..=n {
            for j in 0..=n {
                for k in 0..=layers {
                    let y = if three { center[1] + part(k) } else { 0.0 };
                    places.push([center[0] + part(i), y, center[2] + part(j)].map(|f| f.clamp(0.0, 1.0)));
                }
            }
        }
        let mut values: Vec<_> = places.into_iter().map(|place| (at(place), place)).collect();
        values.sort_by(|a, b| b.0.total_cmp(&a.0));
        values
    };
    let mut best = f64::MIN;
    let coarse = if three { 32 } else { 120 };
    for (_, start) in around([0.5; 3], 0.5, coarse).into_iter().take(40) {
        let (mut center, mut half) = (start, 1.0 / f64::from(coarse));
        for _ in 0..8 {
            let (value, place) = around(center, half, 6)[0];
            best = best.max(value);
            (center, half) = (place, half / 2.5);
        }
    }
    best
}

fn fade(t: f64) -> f64 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

fn best_of(directions: &[[f64; 3]], way: [f64; 3]) -> f64 {
    let dot = |g: &[f64; 3]| g[0] * way[0] + g[1] * way[1] + g[2] * way[2];
    directions.iter().map(dot).fold(f64::MIN, f64::max)
}

/// Gradients at the corners of a cell, blended by the quintic.
fn blended(directions: &[[f64; 3]], three: bool, f: [f64; 3]) -> f64 {
    let mut sum = 0.0;
    for bits in 0..8usize {
        let corner = [bits & 1, bits >> 1 & 1, bits >> 2].map(|bit| bit as f64);
        if !three && corner[1] == 1.0 {
            continue;
        }
        let mut weight = 1.0;
        for axis in 0..3 {
            if three || axis != 1 {
                let u = fade(f[axis]);
                weight *= if corner[axis] == 1.0 { u } else { 1.0 - u };
            }
        }
        let y = if three { f[1] - corner[1] } else { 0.0 };
        sum += weight * best_of(directions, [f[0] - corner[0], y, f[2] - corner[2]]);
    }
    sum
}

#[expect(clippy::disallowed_methods, reason = "the search derives the literal directions anew")]
fn ring() -> Vec<[f64; 3]> {
    let angle = |k: u32| (f64::from(k) + 0.25) * std::f64::consts::FRAC_PI_4;
    (0..8).map(|k| [angle(k).cos(), 0.0, angle(k).sin()]).collect()
}

fn edges() -> Vec<[f64; 3]> {
    let (mut all, signs) = (Vec::new(), [-1.0, 1.0]);
    for a in signs {
        for b in signs {
            all.extend([[a, b, 0.0], [a, 0.0, b], [0.0, a, b]]);
        }
    }
    all
}

fn close(kind: &Kind, three: bool, supremum: f64) {
    let stated = bound(kind, three);
    println!("{} {}: {supremum:.7}, stated {stated:.7}", kind.info().name, if three { "3D" } else { "2D" });
    assert!(stated > supremum && stated < supremum * 1.0003, "{supremum} {stated}");
}

#[test]
fn bounds_of_gradient_kinds_are_suprema_rounded_up() {
    // The set is not its own mirror image: the lowest value is another.
    let space: Vec<[f64; 3]> = reference::SPACE.iter().map(|g| g.map(f64::from)).collect();
    let mirrored: Vec<[f64; 3]> = space.iter().map(|g| g.map(|part| -part)).collect();
    let flat_edges: Vec<[f64; 3]> = edges().iter().map(|[x, y, _]| [*x, 0.0, *y]).collect();
    close(&Perlin.into(), false, supremum(false, |f| blended(&ring(), false, f)));
    close(
        &Perlin.into(),
        true,
        supremum(true, |f| blended(&space, true, f).max(blended(&mirrored, true, f))),
    );
    let classic: Kind = PerlinClassic::default().into();
    close(&classic, false, supremum(false, |f| blended(&flat_edges, false, f)));
    close(&classic, true, supremum(true, |f| blended(&edges(), true, f)));
}

#[test]
fn bounds_of_simplex_are_suprema_rounded_up() {
    let ring = ring();
    let flat = supremum(false, |[u, _, v]| {
        let unskew = (3.0 - 3f64.sqrt()) / 6.0;
        let mut sum = 0.0;
        for i in -1..=2 {
            for j in -1..=2 {
                let (u, v) = (u - f64::from(i), v - f64::from(j));
                let (x, z) = (u - (u + v) * unskew, v - (u + v) * unskew);
                let t = (0.5 - x * x - z * z).max(0.0);
                sum += t * t * t * t * best_of(&ring, [x, 0.0, z]);
            }
        }
        sum
    });
    close(&Simplex.into(), false, flat);
    let directions = reference::DIRECTIONS_3D.map(|g| g.map(f64::from));
    let deep = supremum(true, |f| {
        let given = |(t, way): ([f64; 4], [f64; 3])| t[3] * best_of(&directions, way);
        turned(f).into_iter().map(given).sum()
    });
    close(&Simplex.into(), true, deep);
}

/// The points of both cubic lattices that reach a place: t, its powers up to the fourth, and the way from there.
fn turned(f: [f64; 3]) -> Vec<([f64; 4], [f64; 3])> {
    let points = (0..128i32).map(|bits| {
        let offset = [bits & 3, bits >> 2 & 3, bits >> 4 & 3].map(|i| f64::from(i - 1));
        let middle = f64::from(bits >> 6) / 2.0;
        let way = [0, 1, 2].map(|i| f[i] - offset[i] - middle);
        let t = 0.666_666_6 - dot(way, way);
        ([t, t * t, t * t * t, t * t * t * t], way)
    });
    points.filter(|([t, ..], _)| *t > 0.0).collect()
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The steepest a cell that simplex noise in space rises along x, y or z, both ways: each point with the direction that
/// gives most.
#[test]
fn the_steepest_of_simplex_in_space_is_the_supremum_rounded_up() {
    let directions = reference::DIRECTIONS_3D.map(|g| g.map(f64::from));
    let (a, b, c) = (0.788_675_134_594_813, 0.211_324_865_405_187, 0.577_350_269_189_626);
    let mut steepest = 0.0f64;
    for axis in [[a, -c, -b], [c, c, c], [-b, -c, a]] {
        for axis in [axis, axis.map(|part| -part)] {
            steepest = steepest.max(supremum(true, |f| {
                let steepest = |([_, _, third, fourth], way): ([f64; 4], [f64; 3])| {
                    let slope =
                        |g: &[f64; 3]| fourth * dot(*g, axis) - 8.0 * third * dot(*g, way) * dot(way, axis);
                    directions.iter().map(slope).fold(f64::MIN, f64::max)
                };
                turned(f).into_iter().map(steepest).sum()
            }));
        }
    }
    let simplex: Kind = Simplex.into();
    let (steepest, stated) =
        (steepest / bound(&simplex, true), simplex.info().slope_max.expect("has slopes")[1]);
    println!("simplex 3D: steepest {steepest:.5}, stated {stated}");
    assert!(stated > steepest * 1.0001 && stated < steepest * 1.001, "{steepest} {stated}");
}

/// The nearest point of a cubic lattice, one step beyond along each of the two axes of the longer ways, and both: no other
/// point is nearer than r^2 = 2/3, which the points (1/3, 1/3, 1/3) from a lattice point reach.
#[test]
fn four_points_of_a_cubic_lattice_are_all_within_two_thirds() {
    let (mut nearest, mut last_of_four) = (f64::MAX, f64::MAX);
    let place = |i: i32| f64::from(i) / 60.0;
    for bits in 0..61 * 61 * 61 {
        let way = [bits % 61 - 30, bits / 61 % 61 - 30, bits / 3721 - 30].map(place);
        let size = way.map(f64::abs);
        // Where two ways are as short, either may be the third.
        for third in (0..3).filter(|&axis| (0..3).all(|other| size[axis] <= size[other])) {
            for step in 0..125 {
                let offset = [step % 5 - 2, step / 5 % 5 - 2, step / 25 - 2].map(f64::from);
                let towards = |axis: usize| offset[axis] == if way[axis] < 0.0 { -1.0 } else { 1.0 };
                let of_four = (0..3).all(|axis| offset[axis] == 0.0 || (axis != third && towards(axis)));
                let left = [0, 1, 2].map(|axis| way[axis] - offset[axis]);
                if !of_four {
                    nearest = nearest.min(dot(left, left));
                } else if offset.iter().filter(|step| **step != 0.0).count() == 2 {
                    // The check can fail: without P + A + B, points nearer than the falloff would be missing.
                    last_of_four = last_of_four.min(dot(left, left));
                }
            }
        }
    }
    assert!((nearest - 2.0 / 3.0).abs() < 1e-12, "{nearest}");
    assert!(last_of_four < 0.6, "{last_of_four}");
}

/// The farthest and the nearest that the points of the cells around a place can be.
fn reaches(distance: Distance, three: bool, jitter: f64, f: [f64; 3]) -> Vec<(f64, f64)> {
    let mut all = Vec::new();
    for bits in 0..27i32 {
        let offset = [bits % 3 - 1, bits / 3 % 3 - 1, bits / 9 - 1].map(f64::from);
        if !three && offset[1] != 0.0 {
            continue;
        }
        let (mut far, mut near) = ([0.0f64; 3], [0.0f64; 3]);
        for axis in 0..3 {
            if three || axis != 1 {
                let low = offset[axis] + 0.5 - 0.5 * jitter - f[axis];
                let high = low + jitter;
                far[axis] = low.abs().max(high.abs());
                near[axis] = if low <= 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) };
            }
        }
        let length = |d: [f64; 3]| match distance {
            Distance::Euclidean => d.iter().map(|d| d * d).sum::<f64>().sqrt(),
            Distance::Squared => d.iter().map(|d| d * d).sum(),
            Distance::Manhattan => d.iter().sum(),
            Distance::Chebyshev => d.iter().fold(0.0, |a: f64, b| a.max(*b)),
        };
        all.push((length(far), length(near)));
    }
    all
}

fn cellular_supremum(cellular: Cellular, three: bool) -> f64 {
    supremum(three, |f| {
        let reaches = reaches(cellular.distance, three, cellular.jitter, f);
        let mut far: Vec<f64> = reaches.iter().map(|(far, _)| *far).collect();
        far.sort_by(f64::total_cmp);
        match cellular.returns {
            Returns::F1 => far[0],
            Returns::F2 => far[1],
            Returns::F1PlusF2 => far[0] + far[1],
            // One point as near as it can be, the others as far.
            Returns::F2MinusF1 => (0..reaches.len())
                .map(|i| {
                    let others =
                        reaches.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, (far, _))| *far);
                    others.fold(f64::MAX, f64::min) - reaches[i].1
                })
                .fold(0.0, f64::max),
            Returns::CellValue => 1.0,
        }
    })
}

#[test]
fn bounds_of_cellular_are_suprema_rounded_up() {
    for distance in DISTANCES {
        for returns in RETURNS {
            for jitter in [0.0, 0.31, 0.83, 1.0] {
                for three in [false, true] {
                    let cellular = Cellular { distance, returns, jitter };
                    let (stated, found) =
                        (bound(&cellular.into(), three), cellular_supremum(cellular, three));
                    // Exact in the plane; in space the sum of two distances may be a little generous.
                    assert!(
                        stated >= found && stated <= found * 1.03 + 1e-4,
                        "{cellular:?} {three}: {found} {stated}"
                    );
                }
            }
        }
    }
}

#[test]
fn ten_million_samples_of_every_kind_stay_inside() {
    let scratch = &mut Scratch::new();
    for kind in kinds() {
        for (dimensions, depth) in [(Dimensions::Two, 1), (Dimensions::Three, 4)] {
            let mut extremes = (0f32, 0f32);
            // The twenty sorts of cellular noise share the ten million, unless the run is long.
            let share = if matches!(kind, Kind::Cellular(_)) && kit::long_run() == 1 { 20 } else { 1 };
            let n = (10_000_000 / share / 20 / (128 * depth)).max(8);
            let mut tile = vec![0.0; n * 128 * depth];
            for seed in 0..20 {
                let octaves = [1, 1, 2, 6][seed as usize % 4];
                let persistence = [0.5, 1.0, 0.3][seed as usize % 3];
                let weighted_strength = [0.0, 0.0, 0.8][seed as usize / 3 % 3];
                let shape = kit::SHAPES[if seed < 12 { 0 } else { seed as usize % 3 }];
                let fractal =
                    Fractal { shape, octaves, persistence, weighted_strength, ..Fractal::default() };
                // Frequencies that put many samples near cell centres, where the extremes are.
                let frequency = [0.5, 0.021, 0.25, 1.5][seed as usize % 4];
                let params =
                    NoiseParams { kind, dimensions, seed, frequency, fractal, ..NoiseParams::default() };
                let noise = Noise::new(&params).expect("valid");
                let volume = Volume { x: -7, y: 1, z: 0, width: 128, height: n, depth, stride: 1 };
                noise.fill_volume(SimdLevel::detect(), &volume, &mut tile, [128, 128 * n], scratch);
                for v in &tile {
                    assert!(v.abs() <= 1.0, "{v} {params:?}");
                    extremes = (extremes.0.min(*v), extremes.1.max(*v));
                }
            }
            println!("{} {dimensions:?}: {extremes:?}", kind.info().name);
            if matches!(kind, Kind::Perlin(_) | Kind::Simplex(_) | Kind::Value(_)) {
                assert!(extremes.0 < -0.75 && extremes.1 > 0.75, "a bound far too wide: {extremes:?}");
            }
        }
    }
}

#[test]
fn impossible_parameters_are_errors_that_name_the_field() {
    let good = Fractal { octaves: 6, ..Fractal::default() };
    let base = NoiseParams { fractal: good, ..NoiseParams::default() };
    let message = |params: NoiseParams| Noise::new(&params).map(|_| ()).unwrap_err().to_string();
    let of = |fractal: Fractal| message(NoiseParams { fractal, ..base.clone() });
    for octaves in [0, 17, u32::MAX] {
        assert!(of(Fractal { octaves, ..good }).starts_with(&format!("octaves is {octaves}; it must be")));
    }
    for lacunarity in [f64::NAN, f64::INFINITY, -1.0, 0.0, 0.99, 8.1] {
        assert!(of(Fractal { lacunarity, ..good }).starts_with("lacunarity is "));
    }
    for persistence in [f64::NAN, f64::INFINITY, -0.5, 0.0, 1.01] {
        assert!(of(Fractal { persistence, ..good }).starts_with("persistence is "));
    }
    for weighted_strength in [f64::NAN, f64::INFINITY, -0.5, 1.01] {
        assert!(of(Fractal { weighted_strength, ..good }).starts_with("weighted_strength is "));
    }
    for frequency in [f64::NAN, f64::INFINITY, -0.1, 0.0, 1e-8, 65_537.0] {
        assert!(message(NoiseParams { frequency, ..base.clone() }).starts_with("octave 0 has "));
    }
    let fine = message(NoiseParams { frequency: 60_000.0, ..base.clone() });
    assert!(fine.starts_with("octave 1 has 120000 cells a sample"));
    for jitter in [f64::NAN, f64::INFINITY, -0.1, 1.1] {
        let kind = Cellular { jitter, ..Cellular::default() }.into();
        assert!(message(NoiseParams { kind, ..base.clone() }).starts_with("jitter is "));
    }
}

#[test]
fn impossible_periods_are_errors_that_name_axis_and_octave() {
    let tiled = |cells, samples, lacunarity, kind: Kind| {
        let fractal = Fractal { octaves: 3, lacunarity, ..Fractal::default() };
        let periods = [None, None, Some(Period { cells, samples })];
        Noise::new(&NoiseParams { kind, fractal, periods, ..NoiseParams::default() }).map(|_| ())
    };
    assert_eq!(tiled(4, 64, 2.0, Perlin.into()), Ok(()));
    assert_eq!(tiled(4, 64, 1.3, Value.into()), Err(NoiseError::Period { octave: 1, axis: 'z', cells: 5.2 }));
    assert_eq!(
        tiled(0, 64, 2.0, Perlin.into()),
        Err(NoiseError::Period { octave: 0, axis: 'z', cells: 0.0 })
    );
    assert!(matches!(tiled(1 << 19, 1 << 20, 2.0, Perlin.into()), Err(NoiseError::Period { octave: 2, .. })));
    assert!(tiled(4, 0, 2.0, Perlin.into()).is_err());
    let error = tiled(4, 64, 2.0, Simplex.into()).unwrap_err();
    assert!(error.to_string().starts_with("simplex noise cannot tile"), "{error}");
}
