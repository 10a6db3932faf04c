//! Programs by recursion, one position at a time, in f32: docs/PROGRAMS.md, noise and rasters by their
//! own oracles, and nothing else.
//!
//! A slope that is `None` is 0 everywhere: terms with it are left out of sums.

use terrane_noise::{Coord, Curve, Dimensions, Filter, Kind, NoiseParams, Raster};

use super::{Item, Recipe};
use crate::kit::{place, spec};
use crate::raster_oracle::Oracle;
use crate::reference::{Place, Reference};

/// A value and its slopes along x, y, z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dual {
    pub(crate) value: f32,
    pub(crate) slope: [Option<f32>; 3],
}

/// Where, and how far that is moved.
#[derive(Clone, Copy)]
struct Position {
    at: [Coord; 3],
    by: Option<[Dual; 3]>,
}

const FLAT: [Option<f32>; 3] = [None; 3];

fn flat(value: f32) -> Dual {
    Dual { value, slope: FLAT }
}

/// Item `i` of a recipe at a position. Slopes are wrong where something has none: compare them only where a program can be
/// built with them.
pub(crate) fn evaluate(recipe: &Recipe, i: usize, at: [Coord; 3]) -> Dual {
    item(recipe, i, Position { at, by: None })
}

/// An operation's slope from those of its operands, 0 for those that have none; none if none has.
fn combined<const N: usize>(of: [Dual; N], slope: impl Fn([f32; N]) -> f32) -> [Option<f32>; 3] {
    std::array::from_fn(|axis| {
        let slopes = of.map(|of| of.slope[axis]);
        slopes.iter().any(Option::is_some).then(|| slope(slopes.map(|d| d.unwrap_or(0.0))))
    })
}

fn single(a: Dual, value: f32, slope: impl Fn(f32) -> f32) -> Dual {
    Dual { value, slope: combined([a], |[d]| slope(d)) }
}

fn clamp(v: f32, low: f32, high: f32) -> f32 {
    let v = if v > low { v } else { low };
    if v < high { v } else { high }
}

fn item(recipe: &Recipe, i: usize, p: Position) -> Dual {
    let of = |i: &usize| item(recipe, *i, p);
    match &recipe.0[i] {
        Item::Noise(params) => noise(params, None, p),
        Item::Constant(value) => flat(*value as f32),
        Item::Falloff { center, inner, outer } => falloff(*center, *inner, *outer, p),
        Item::Raster(of) => raster(of, p),
        Item::Add(a, b) => add(of(a), of(b)),
        Item::Subtract(a, b) => {
            let (a, b) = (of(a), of(b));
            let slope = std::array::from_fn(|i| match (a.slope[i], b.slope[i]) {
                (a, None) => a,
                (a, Some(b)) => Some(a.unwrap_or(0.0) - b),
            });
            Dual { value: a.value - b.value, slope }
        }
        Item::Multiply(a, b) => multiply(of(a), of(b)),
        Item::Min(a, b) => {
            let (a, b) = (of(a), of(b));
            let first = a.value < b.value;
            let slope = combined([a, b], |[da, db]| if first { da } else { db });
            Dual { value: if first { a.value } else { b.value }, slope }
        }
        Item::Max(a, b) => {
            let (a, b) = (of(a), of(b));
            let first = a.value > b.value;
            let slope = combined([a, b], |[da, db]| if first { da } else { db });
            Dual { value: if first { a.value } else { b.value }, slope }
        }
        Item::SmoothMin(a, b, k) => {
            let (a, b) = (of(a), of(b));
            smooth(a, b, *k, b.value - a.value, -1.0)
        }
        Item::SmoothMax(a, b, k) => {
            let (a, b) = (of(a), of(b));
            smooth(a, b, *k, a.value - b.value, 1.0)
        }
        Item::Mix(a, b, t) => mix(of(a), of(b), of(t)),
        Item::Curve(a, curve) => through(of(a), curve),
        Item::Terrace(a, steps, sharpness) => terrace(of(a), *steps, *sharpness),
        Item::Remap(a, from, to) => {
            let (a, scale) = (of(a), ((to[1] - to[0]) / (from[1] - from[0])) as f32);
            single(a, (a.value - from[0] as f32) * scale + to[0] as f32, |d| d * scale)
        }
        Item::Clamp(a, low, high) => {
            let (a, low, high) = (of(a), *low as f32, *high as f32);
            let outside = a.value < low || high < a.value;
            single(a, clamp(a.value, low, high), |d| if outside { 0.0 } else { d })
        }
        Item::Abs(a) => {
            let a = of(a);
            let negative = 0.0 - a.value;
            let value = if a.value > negative { a.value } else { negative };
            single(a, value, |d| if a.value < 0.0 { 0.0 - d } else { d })
        }
        Item::Power(a, n) => {
            let a = of(a);
            single(a, power(a.value, *n), |d| power(a.value, *n - 1) * *n as f32 * d)
        }
        Item::Slope(a, spacing) => {
            let [x, _, z] = of(a).slope.map(|d| d.unwrap_or(0.0));
            flat((x * x + z * z).sqrt() * (1.0 / spacing) as f32)
        }
        Item::Warp { source, x, y, z, strength } => {
            let by = [Some(of(x)), y.as_ref().map(of), Some(of(z))];
            item(recipe, *source, moved(p, by, *strength))
        }
        Item::Progressive { source, by, strength } => {
            let mut p = p;
            for k in 0..by.x.fractal.octaves {
                let by = [Some(&by.x), by.y.as_ref(), Some(&by.z)];
                p = moved(p, by.map(|params| params.map(|params| noise(params, Some(k), p))), *strength);
            }
            item(recipe, *source, p)
        }
    }
}

fn add(a: Dual, b: Dual) -> Dual {
    let slope = std::array::from_fn(|i| match (a.slope[i], b.slope[i]) {
        (a, None) => a,
        (None, b) => b,
        (Some(a), Some(b)) => Some(a + b),
    });
    Dual { value: a.value + b.value, slope }
}

fn multiply(a: Dual, b: Dual) -> Dual {
    let slope = std::array::from_fn(|i| match (a.slope[i], b.slope[i]) {
        (None, None) => None,
        (Some(da), None) => Some(da * b.value),
        (None, Some(db)) => Some(a.value * db),
        (Some(da), Some(db)) => Some(da * b.value + a.value * db),
    });
    Dual { value: a.value * b.value, slope }
}

fn moved(p: Position, by: [Option<Dual>; 3], strength: f64) -> Position {
    let mut total = p.by.map_or([None; 3], |by| by.map(Some));
    for (total, by) in total.iter_mut().zip(by) {
        let Some(by) = by else { continue };
        let by = multiply(by, flat(strength as f32));
        *total = Some(match total {
            // What was never moved along an axis is 0 there.
            Some(before) if *before != flat(0.0) => add(*before, by),
            _ => by,
        });
    }
    Position { by: Some(total.map(|by| by.unwrap_or(flat(0.0)))), ..p }
}

/// The chain rule, where a position is moved.
fn chain(value: f32, own: [Option<f32>; 3], p: Position, three: bool) -> Dual {
    let Some(by) = p.by else { return Dual { value, slope: own } };
    let g = own.map(|g| g.unwrap_or(0.0));
    let slope = std::array::from_fn(|axis| {
        let [x, y, z] = by.map(|by| by.slope[axis]);
        if x.is_none() && z.is_none() && (y.is_none() || !three) {
            return own[axis];
        }
        let [x, y, z] = [x, y, z].map(|d| d.unwrap_or(0.0));
        let moved = if three { (g[0] * x + g[1] * y) + g[2] * z } else { g[0] * x + g[2] * z };
        Some(g[axis] + moved)
    });
    Dual { value, slope }
}

fn noise(params: &NoiseParams, octave: Option<u32>, p: Position) -> Dual {
    let mut reference = Reference::new(&spec(params));
    if let Some(k) = octave {
        reference.octaves = vec![reference.octaves.remove(k as usize)];
    }
    let at = Place { displacement: p.by.map(|by| by.map(|by| by.value)), ..place(p.at) };
    let three = params.dimensions == Dimensions::Three;
    let value = reference.exact(&at);
    if matches!(params.kind, Kind::White(_) | Kind::Constant(_) | Kind::Cellular(_)) {
        return flat(value);
    }
    let [_, x, y, z] = reference.exact_gradient(&at).expect("has slopes");
    chain(value, [Some(x), three.then_some(y), Some(z)], p, three)
}

fn falloff(center: [i64; 2], inner: f64, outer: f64, p: Position) -> Dual {
    let way = |axis: usize, center: i64| {
        let samples = p.at[axis].index.saturating_sub(center).clamp(-(1 << 40), 1 << 40) as f32;
        let way = samples + f32::from(p.at[axis].fraction) / 65_536.0;
        p.by.map_or(way, |by| way + by[axis].value)
    };
    let (x, z) = (way(0, center[0]), way(2, center[1]));
    let inverse = (1.0 / (outer - inner)) as f32;
    let r = (x * x + z * z).sqrt();
    let t = clamp((outer as f32 - r) * inverse, 0.0, 1.0);
    let value = (t * t * (3.0 - (t + t))).min(1.0);
    let steep = t * (1.0 - t) * (-6.0 * inverse);
    let r = r.max(1e-20);
    chain(value, [Some(steep * (x / r)), None, Some(steep * (z / r))], p, false)
}

fn raster(raster: &Raster, p: Position) -> Dual {
    let (oracle, [x, _, z]) = (Oracle::new(raster), p.at);
    let [value, slope_x, slope_z] = match p.by {
        None => oracle.exact(x, z),
        Some([by_x, _, by_z]) => oracle.exact_displaced(x, z, [by_x.value, by_z.value]),
    };
    if raster.params().filter == Filter::Nearest {
        return flat(value);
    }
    chain(value, [Some(slope_x), None, Some(slope_z)], p, false)
}

/// Smooth minimum (`sign` -1) or maximum (+1); `lead` is how much more of the first operand is wanted.
fn smooth(a: Dual, b: Dual, k: f64, lead: f32, sign: f32) -> Dual {
    let (k, r) = (k as f32, (0.5 / k) as f32);
    let h = clamp(lead * r + 0.5, 0.0, 1.0);
    let mix = a.value * h + b.value * (1.0 - h);
    let value = mix + sign * (k * h * (1.0 - h));
    Dual { value, slope: combined([a, b], |[da, db]| da * h + db * (1.0 - h)) }
}

fn mix(a: Dual, b: Dual, t: Dual) -> Dual {
    let share = clamp(t.value, 0.0, 1.0);
    let held = t.value < 0.0 || 1.0 < t.value;
    let slope = combined([a, b, t], |[da, db, dt]| {
        let dt = if held { 0.0 } else { dt };
        (da * (1.0 - share) + db * share) + (b.value - a.value) * dt
    });
    Dual { value: a.value * (1.0 - share) + b.value * share, slope }
}

fn through(a: Dual, curve: &Curve) -> Dual {
    let [low, high] = curve.range();
    let scale = (1024.0 / (f64::from(high) - f64::from(low))) as f32;
    let t = (a.value - low) * scale;
    let inside = clamp(t, 0.0, 1024f32.next_down());
    let i = inside as usize;
    let (below, above) = (curve.table()[i], curve.table()[i + 1]);
    let value = clamp(below + (inside - i as f32) * (above - below), curve.ends()[0], curve.ends()[1]);
    assert_eq!(value.to_bits(), curve.at(a.value).to_bits());
    single(a, value, |d| if !(0.0..=1024.0).contains(&t) { 0.0 } else { d * scale * (above - below) })
}

fn terrace(a: Dual, steps: f64, sharpness: f64) -> Dual {
    let (n, height, s) = (steps as f32, (1.0 / steps) as f32, sharpness as f32);
    let r = (1.0 / (1.0 - sharpness * (63.0 / 64.0))) as f32;
    let t = a.value * n;
    let k = t.floor();
    let free = (t - k - 0.5) * r + 0.5;
    let g = clamp(free, 0.0, 1.0);
    let e = g + (g * g * (3.0 - (g + g)) - g) * s;
    single(a, (k + e) * height, |d| {
        if !(0.0..=1.0).contains(&free) {
            return 0.0;
        }
        d * (r * (1.0 + (6.0 * (g * (1.0 - g)) - 1.0) * s))
    })
}

fn power(a: f32, n: u32) -> f32 {
    let (a2, a4) = (a * a, (a * a) * (a * a));
    [1.0, a, a2, a2 * a, a4, a4 * a, a4 * a2, a4 * a2 * a, a4 * a4][n as usize]
}
