//! What billow, ridged and weighted fractals do with an octave: docs/NOISE.md, "Fractals".
//!
//! In: one octave's rows, values and slopes. Out: they are added to the sum. Plain fBm does not come here: its octaves
//! add to the sum themselves.

use terrane_lanes::{Kernel, Lanes};

use crate::params::FractalShape;
use crate::scratch::{Row, STRIP};

/// Rows of a value and of its slopes along x, y, z; none where they are not asked for.
pub(crate) type Rows4<'a> = [&'a mut [Row]; 4];

/// How the weight of an octave follows from the one before: `W (p + q c)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighting {
    pub(crate) first: f32,
    pub(crate) p: f32,
    pub(crate) q: f32,
}

/// Adds one octave to the sum.
pub(crate) struct Combine<'a> {
    pub(crate) shape: FractalShape,
    /// The octave's share.
    pub(crate) share: f32,
    pub(crate) weighting: Option<Weighting>,
    /// Starts the sum.
    pub(crate) first: bool,
    /// How many slopes there are: 0 or 3. In 2D that along y has no rows.
    pub(crate) slopes: bool,
    pub(crate) size: (usize, usize),
    pub(crate) octave: &'a Rows4<'a>,
    pub(crate) weight: Rows4<'a>,
    pub(crate) sum: Rows4<'a>,
}

impl Kernel for Combine<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        let (lanes, rows) = self.size;
        for row in 0..rows {
            let mut at = 0;
            while at < lanes && at + L::N <= STRIP {
                vector(l, &mut self, row, at);
                at += L::N;
            }
        }
    }
}

#[inline(always)]
fn vector<L: Lanes>(l: L, this: &mut Combine<'_>, row: usize, at: usize) {
    let n = l.load(&this.octave[0][row][at..]);
    let c = shaped(l, this.shape, l.splat(this.share), n);
    let Some(Weighting { first, p, q }) = this.weighting else {
        add(l, c, &mut this.sum[0][row], at, this.first);
        if this.slopes {
            for axis in 1..4 {
                if !this.octave[axis].is_empty() {
                    let d = shaped_slope(l, this.shape, n, l.load(&this.octave[axis][row][at..]));
                    add(l, d, &mut this.sum[axis][row], at, this.first);
                }
            }
        }
        return;
    };
    let w = if this.first { l.splat(first) } else { l.load(&this.weight[0][row][at..]) };
    add(l, c * w, &mut this.sum[0][row], at, this.first);
    let grow = l.splat(p) + l.splat(q) * c;
    l.store(w * grow, &mut this.weight[0][row][at..]);
    if this.slopes {
        for axis in 1..4 {
            if !this.octave[axis].is_empty() {
                let d = shaped_slope(l, this.shape, n, l.load(&this.octave[axis][row][at..]));
                weighted_slope(l, this, axis, row, at, (c, d), (w, grow), q);
            }
        }
    }
}

/// `sum' += c' W + c W'`, and the weight's own slope.
#[inline(always)]
fn weighted_slope<L: Lanes>(
    l: L,
    this: &mut Combine<'_>,
    axis: usize,
    row: usize,
    at: usize,
    (c, d): (L::F, L::F),
    (w, grow): (L::F, L::F),
    q: f32,
) {
    let wd = if this.first { l.splat(0.0) } else { l.load(&this.weight[axis][row][at..]) };
    let slope = if this.first { d * w } else { d * w + c * wd };
    add(l, slope, &mut this.sum[axis][row], at, this.first);
    l.store(wd * grow + w * (l.splat(q) * d), &mut this.weight[axis][row][at..]);
}

#[inline(always)]
fn add<L: Lanes>(l: L, v: L::F, row: &mut Row, at: usize, first: bool) {
    let v = if first { v } else { l.load(&row[at..]) + v };
    l.store(v, &mut row[at..]);
}

#[inline(always)]
fn shaped<L: Lanes>(l: L, shape: FractalShape, share: L::F, n: L::F) -> L::F {
    let size = l.max(n, l.splat(0.0) - n);
    match shape {
        FractalShape::Fbm => n,
        FractalShape::Billow => (size + size) - share,
        FractalShape::Ridged => share - (size + size),
    }
}

#[inline(always)]
fn shaped_slope<L: Lanes>(l: L, shape: FractalShape, n: L::F, slope: L::F) -> L::F {
    let (zero, twice) = (l.splat(0.0), slope + slope);
    let negative = l.lt(n, zero);
    match shape {
        FractalShape::Fbm => slope,
        FractalShape::Billow => l.pick(negative, zero - twice, twice),
        FractalShape::Ridged => l.pick(negative, twice, zero - twice),
    }
}
