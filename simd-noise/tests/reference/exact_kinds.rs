//! The definition in f32: one octave of each kind.

use super::exact::{Axis, Sample, simplex_lattice, square_lattice, turned_lattice};
use super::octave::Octave;
use super::{Distance, KindSpec, Place, Returns, Spec};
use terrane_noise::hash;

pub(super) fn octave(spec: &Spec, octave: &Octave, place: &Place) -> Sample {
    let axes = || square_lattice(spec, octave, place);
    match spec.kind {
        KindSpec::Perlin | KindSpec::PerlinClassic { .. } => perlin(spec, octave, axes()),
        KindSpec::Value => value(spec, octave, axes()),
        KindSpec::Simplex if spec.dimensions == 3 => turned_simplex(spec, octave, place),
        KindSpec::Simplex => simplex(spec, octave, simplex_lattice(octave, place)),
        KindSpec::Cellular { distance, returns, jitter } => {
            Sample::flat(cellular(spec, octave, axes(), distance, returns, jitter))
        }
        KindSpec::White => {
            let cell = axes().map(|axis| axis.cell(0));
            Sample::flat(lattice_value(octave.hash(spec.dimensions, cell), octave.share as f32))
        }
        KindSpec::Constant { value } => Sample::flat((value * octave.share) as f32),
    }
}

/// What the two lattice lines of an axis weigh, or the slopes of that.
#[derive(Clone, Copy)]
struct Weights {
    p: [f32; 2],
    q: [f32; 2],
}

/// The weights along an axis and their slopes a sample.
fn weights(axis: &Axis) -> [Weights; 2] {
    let (f, w) = (axis.fraction, axis.step);
    let u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    let (q0, q1) = (1.0 - u, u);
    let s = f * (f - 1.0);
    let du = s * s * 30.0;
    let dq1 = du * w;
    [
        Weights { p: [f * q0, (f - 1.0) * q1], q: [q0, q1] },
        Weights { p: [(q0 - f * du) * w, (q1 + (f - 1.0) * du) * w], q: [0.0 - dq1, dq1] },
    ]
}

/// The value by `blend`, and the slope along each axis by the same with that axis's weights replaced by their slopes.
fn with_slopes(spec: &Spec, axes: [Axis; 3], blend: impl Fn([Weights; 3]) -> f32) -> Sample {
    let both = axes.map(|axis| weights(&axis));
    let plain = both.map(|[weights, _]| weights);
    let mut sample = Sample::flat(blend(plain));
    for &axis in spec.axes() {
        let mut replaced = plain;
        replaced[axis] = both[axis][1];
        sample.slope[axis] = blend(replaced);
    }
    sample
}

fn perlin(spec: &Spec, octave: &Octave, axes: [Axis; 3]) -> Sample {
    let amplitude = (octave.share / spec.bound) as f32;
    let gradient = |x: usize, y: usize, z: usize| {
        let cell = [axes[0].cell(x as i64), axes[1].cell(y as i64), axes[2].cell(z as i64)];
        gradient(spec, octave, cell).map(|part| part * amplitude)
    };
    // E, G, H of a lattice row (z) and plane (y)
    let row = |y: usize, z: usize, a: &Weights| {
        let ([gx_l, gy_l, gz_l], [gx_r, gy_r, gz_r]) = (gradient(0, y, z), gradient(1, y, z));
        let e = gx_l * a.p[0] + gx_r * a.p[1];
        let g = gz_l * a.q[0] + gz_r * a.q[1];
        let h = gy_l * a.q[0] + gy_r * a.q[1];
        [e, g, h]
    };
    with_slopes(spec, axes, |[a, b, c]| {
        if spec.dimensions == 2 {
            let ([e0, g0, _], [e1, g1, _]) = (row(0, 0, &a), row(0, 1, &a));
            return (e0 * c.q[0] + g0 * c.p[0]) + (e1 * c.q[1] + g1 * c.p[1]);
        }
        let planes = |z: usize| {
            let ([e0, g0, h0], [e1, g1, h1]) = (row(0, z, &a), row(1, z, &a));
            let x = (e0 * b.q[0] + h0 * b.p[0]) + (e1 * b.q[1] + h1 * b.p[1]);
            (x, g0 * b.q[0] + g1 * b.q[1])
        };
        let ((x0, z0), (x1, z1)) = (planes(0), planes(1));
        (x0 * c.q[0] + z0 * c.p[0]) + (x1 * c.q[1] + z1 * c.p[1])
    })
}

/// The x, y, z parts of the gradient of a lattice point, before its amplitude. y is not read in 2D.
fn gradient(spec: &Spec, octave: &Octave, cell: [u32; 3]) -> [f32; 3] {
    if let Some(table) = &octave.table {
        let [x, y, z] = cell.map(|cell| cell as usize % 256);
        let t = |i: usize| usize::from(table[i % 256]);
        if spec.dimensions == 2 {
            let [gx, gy, _] = CLASSIC[t(t(t(x) + z)) % 16];
            return [gx, 0.0, gy];
        }
        return CLASSIC[t(t(t(x) + y) + z) % 16];
    }
    let h = octave.hash(spec.dimensions, cell);
    let entry = h >> 29;
    if spec.dimensions == 2 {
        return direction(entry);
    }
    SPACE[entry as usize]
}

/// The eight directions of Perlin noise in space.
pub(crate) const SPACE: [[f32; 3]; 8] = [
    [0.042_309, -0.896_140, 0.441_750],
    [-0.871_895, -0.484_173, -0.073_315],
    [0.896_641, -0.042_684, -0.440_696],
    [0.350_403, -0.229_374, 0.908_078],
    [0.230_593, -0.351_742, -0.907_251],
    [-0.425_364, 0.712_245, 0.558_366],
    [0.484_220, 0.871_985, 0.071_921],
    [-0.711_807, 0.425_119, -0.559_110],
];

/// Ken Perlin's twelve directions, four of them twice, by the low four bits of the table's entry. Entries 13 and 14
/// stand as his `grad` computes them.
const CLASSIC: [[f32; 3]; 16] = [
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [-1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [-1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [-1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, -1.0, 1.0],
    [0.0, 1.0, -1.0],
    [0.0, -1.0, -1.0],
    [1.0, 1.0, 0.0],
    [0.0, -1.0, 1.0],
    [-1.0, 1.0, 0.0],
    [0.0, -1.0, -1.0],
];

/// Direction k of the 2D kinds, (k + 1/4) 45 degrees, as x, y, z.
fn direction(k: u32) -> [f32; 3] {
    const X: [f32; 4] = [0.980_785_25, 0.555_570_24, -0.195_090_32, -0.831_469_6];
    const Z: [f32; 4] = [0.195_090_32, 0.831_469_6, 0.980_785_25, 0.555_570_24];
    let (sign, k) = (if k < 4 { 1.0 } else { -1.0 }, k as usize % 4);
    [sign * X[k], 0.0, sign * Z[k]]
}

/// The value of 32 bits, within -a..a.
fn lattice_value(h: u32, a: f32) -> f32 {
    (h >> 8) as f32 * (a / 8_388_608.0) - a
}

fn value(spec: &Spec, octave: &Octave, axes: [Axis; 3]) -> Sample {
    let corner = |x, y, z| {
        let cell = [axes[0].cell(x), axes[1].cell(y), axes[2].cell(z)];
        lattice_value(octave.hash(spec.dimensions, cell), octave.share as f32)
    };
    with_slopes(spec, axes, |[a, b, c]| {
        let row = |y, z| corner(0, y, z) * a.q[0] + corner(1, y, z) * a.q[1];
        if spec.dimensions == 2 {
            return row(0, 0) * c.q[0] + row(0, 1) * c.q[1];
        }
        let planes = |z| row(0, z) * b.q[0] + row(1, z) * b.q[1];
        planes(0) * c.q[0] + planes(1) * c.q[1]
    })
}

fn simplex(spec: &Spec, octave: &Octave, [u, v]: [Axis; 2]) -> Sample {
    const G: f32 = 0.211_324_87;
    let amplitude = (octave.share / spec.bound) as f32;
    let corner = |x: f32, z: f32, cu: i64, cv: i64| {
        let h = octave.hash(2, [u.cell(cu), 0, v.cell(cv)]);
        let [gx, _, gz] = direction(h >> 29).map(|part| part * amplitude);
        let t = ((0.5 - x * x) - z * z).max(0.0);
        let t2 = t * t;
        let g = gx * x + gz * z;
        let m = ((t2 * t) * g) * -8.0;
        [(t2 * t2) * g, (t2 * t2) * gx + m * x, (t2 * t2) * gz + m * z]
    };
    let (fu, fv) = (u.fraction, v.fraction);
    let t = (fu + fv) * G;
    let (x0, z0) = (fu - t, fv - t);
    let corners = [
        corner(x0, z0, 0, 0),
        if fv < fu { corner(x0 + (G - 1.0), z0 + G, 1, 0) } else { corner(x0 + G, z0 + (G - 1.0), 0, 1) },
        corner(x0 + (2.0 * G - 1.0), z0 + (2.0 * G - 1.0), 1, 1),
    ];
    let sum = |part: usize| (corners[0][part] + corners[1][part]) + corners[2][part];
    let w = octave.frequency as f32;
    Sample { value: sum(0), slope: [sum(1) * w, 0.0, sum(2) * w] }
}

/// The eight directions of simplex in space, along u, v, w.
pub(crate) const TURNED: [[f32; 3]; 8] = [
    [0.136_754, -0.990_526, -0.012_505],
    [-0.102_984, -0.227_365, 0.968_349],
    [-0.894_441, -0.139_005, -0.425_033],
    [0.954_873, -0.263_223, 0.137_589],
    [-0.772_135, 0.276_529, 0.572_136],
    [0.079_225, -0.310_959, -0.947_116],
    [0.029_623, 0.860_179, -0.509_13],
    [0.568_283, 0.794_191, 0.215_209],
];

fn turned_simplex(spec: &Spec, octave: &Octave, place: &Place) -> Sample {
    let (axes, cells) = turned_lattice(octave, place);
    let amplitude = (octave.share / spec.bound) as f32;
    let fractions = axes.map(|axis| axis.fraction);
    let point = |lattice: usize, e: [i64; 3], [u, v, w]: [f32; 3]| {
        let word = [octave.words[0], octave.second_word][lattice];
        let cell: [u32; 3] = std::array::from_fn(|i| axes[i].cell(e[i]));
        let row = hash::half_yz(cell[1], cell[2], octave.words[1], octave.words[2]);
        let h = hash::corner(hash::half_x(cell[0], word), row);
        let [gu, gv, gw] = TURNED[(h >> 29) as usize].map(|part| part * amplitude);
        let t = (((0.666_666_6 - u * u) - v * v) - w * w).max(0.0);
        let t2 = t * t;
        let g = (gu * u + gv * v) + gw * w;
        let m = ((t2 * t) * g) * -8.0;
        let t4 = t2 * t2;
        [t4 * g, t4 * gu + m * u, t4 * gv + m * v, t4 * gw + m * w]
    };
    // Per lattice: cell steps e and ways d of the nearest point, then of the planes one step beyond.
    let four = |lattice: usize| {
        let near = fractions.map(|f| match lattice {
            0 if f < 0.5 => (0, f),
            0 => (1, f - 1.0),
            _ => (0, f - 0.5),
        });
        let beyond: [(i64, f32); 3] = std::array::from_fn(|i| match (lattice, fractions[i] < 0.5) {
            (0, true) => (1, fractions[i] - 1.0),
            (0, false) => (0, fractions[i]),
            (_, true) => (-1, (fractions[i] - 0.5) + 1.0),
            (_, false) => (1, (fractions[i] - 0.5) - 1.0),
        });
        let [uu, vv, ww] = near.map(|(_, d)| d * d);
        let [a, b] = if uu < vv.min(ww) {
            [1, 2]
        } else if ww < uu.min(vv) {
            [0, 1]
        } else {
            [0, 2]
        };
        let stepped = |axes: &[usize]| {
            let at: [(i64, f32); 3] =
                std::array::from_fn(|i| if axes.contains(&i) { beyond[i] } else { near[i] });
            point(lattice, at.map(|(e, _)| e), at.map(|(_, d)| d))
        };
        let points = [stepped(&[]), stepped(&[a]), stepped(&[b]), stepped(&[a, b])];
        move |part: usize| (points[0][part] + points[1][part]) + (points[2][part] + points[3][part])
    };
    let (first, second) = (four(0), four(1));
    let sum = |part: usize| first(part) + second(part);
    let (nu, nv, nw) = (sum(1), sum(2), sum(3));
    let slope = |axis: usize| (nu * cells[0][axis] + nv * cells[1][axis]) + nw * cells[2][axis];
    Sample { value: sum(0), slope: [slope(0), slope(1), slope(2)] }
}

fn cellular(
    spec: &Spec,
    octave: &Octave,
    axes: [Axis; 3],
    distance: Distance,
    returns: Returns,
    jitter: f64,
) -> f32 {
    let flat = spec.dimensions == 2;
    let (j, k) = ((jitter / 65_536.0) as f32, (0.5 - 0.5 * jitter) as f32);
    let (mut f1, mut f2, mut nearest) = (1e9f32, 1e9f32, 0);
    for oz in -1..=1 {
        for oy in if flat { 0..=0 } else { -1..=1 } {
            for ox in -1..=1 {
                let offsets = [ox, oy, oz];
                let h1 = octave.hash(spec.dimensions, std::array::from_fn(|i| axes[i].cell(offsets[i])));
                let h2 = hash::again(h1);
                let h3 = hash::again(h2);
                let difference = |h: u32, axis: usize| {
                    let point = (h >> 16) as f32 * j + k;
                    point - (axes[axis].fraction - offsets[axis] as f32)
                };
                let (dx, dz) = (difference(h1, 0), difference(h2, 2));
                let dy = if flat { 0.0 } else { difference(h3, 1) };
                let d = length(distance, flat, dx, dy, dz);
                if d < f1 {
                    nearest = hash::again(if flat { h2 } else { h3 });
                }
                f2 = d.max(f1).min(f2);
                f1 = f1.min(d);
            }
        }
    }
    if returns == Returns::CellValue {
        return lattice_value(nearest, octave.share as f32);
    }
    if distance == Distance::Euclidean {
        (f1, f2) = (f1.sqrt(), f2.sqrt());
    }
    let r = match returns {
        Returns::F1 => f1,
        Returns::F2 => f2,
        Returns::F2MinusF1 => f2 - f1,
        Returns::F1PlusF2 => f1 + f2,
        Returns::CellValue => unreachable!(),
    };
    r * (2.0 * octave.share / spec.bound) as f32 - octave.share as f32
}

/// D: the root of the euclidean distance is taken at the end.
fn length(distance: Distance, flat: bool, dx: f32, dy: f32, dz: f32) -> f32 {
    let (ax, ay, az) = (dx.max(0.0 - dx), dy.max(0.0 - dy), dz.max(0.0 - dz));
    match distance {
        Distance::Euclidean | Distance::Squared if flat => dz * dz + dx * dx,
        Distance::Euclidean | Distance::Squared => dz * dz + (dx * dx + dy * dy),
        Distance::Manhattan if flat => az + ax,
        Distance::Manhattan => az + (ax + ay),
        Distance::Chebyshev if flat => az.max(ax),
        Distance::Chebyshev => az.max(ax.max(ay)),
    }
}
