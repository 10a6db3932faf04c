//! How far a coarse triangulation of a field can be from the field.
//!
//! In: a program's expressions and a stride s. Out: for each expression three guaranteed numbers, f32 rounding
//! included, that hold for every triangle of the grid of every s-th sample, wherever it lies. Nothing is sampled: an
//! expression's numbers follow from those of its operands. The rule of an operation stands beside it (`ops/*.rs`),
//! that of a leaf in `leaf/*.rs`, that of a kind of noise in `kinds/*.rs`. One without a rule may do anything within
//! its bounds.
//!
//! A triangle has corners p1, p2, p3 at two sides of s samples and a right angle; p is a sample in it, with weights
//! w1 + w2 + w3 = 1, p = sum w_i p_i. The numbers are
//!
//! - *bend*: no |f(p) - sum w_i f(p_i)| is larger: what the coarse surface is wrong by;
//! - *drift*: no sqrt(sum w_i (f(p) - f(p_i))^2) is larger: the root mean square of the way to the corners;
//! - *swing*: no |f(p) - f(q)| of two samples in one triangle is larger.
//!
//! bend <= drift (the mean is at most the root mean square) and drift <= swing <= high - low. All rules follow from a
//! few facts. Write L = sum w_i f(p_i).
//!
//! 1. *Spread.* The corners' values have a variance of at most min(swing / 2, drift)^2, by Popoviciu, and because no
//!    point is closer to them in the mean square than L.
//! 2. *Steep.* Where |g(a) - g(b)| <= K |a - b|: g(f) has K times f's drift and swing, and |g(f(p)) - g(L)| <= K bend.
//! 3. *Bent.* What g then adds between its corners, |g(L) - sum w_i g(f_i)|, is at most M spread^2 / 2 where |g''| <=
//!    M; at most V spread / 2 where the slope of g rises (or falls) by V in all, since a hinge max(0, f - t) adds at
//!    most half the mean of |f_i - L|. So |f| adds spread and a clamp, or a maximum, half a spread.
//! 4. *Products.* ab - sum w_i a_i b_i is a(p) b(p) - L_a L_b minus the covariance of the corners' values: at most
//!    |a| bend_b + |b| bend_a + spread_a spread_b.
//! 5. *Positions.* A coordinate itself has bend 0, drift s / 2 (its variance x (s - x) is largest in the middle),
//!    swing s. A displacement's numbers add to these. With |grad f| <= G and second derivatives of at most M in any
//!    direction, Taylor at the moved position gives: bend <= G |bend| + M |drift|^2 / 2, drift <= G |drift|, swing <=
//!    G |swing|, where |.| is the length over the axes.
//! 6. *Rounding.* An f32 result off by at most r from an exact formula adds 2 r to each number.
//!
//! The arithmetic here is f64 and all terms are positive, so its rounding is at most 2^-40 of a result, which is added.
//!
//! Deliberately not here: metres, levels of detail, edits (the engine).

use super::exprs::{Entry, Expr, ExprId};
use super::interval::Interval;
use super::leaf::{Leaf, Places};

/// Half a unit in the last place of an f32 in 1..2: no operation is rounded by more, for a result of 1.
pub(crate) const UNIT: f64 = f32::EPSILON as f64 / 2.0;
/// What underflow can do.
const TINY: f64 = 1e-44;

/// How far a field can leave a coarse triangulation, and change within its triangles: see
/// [`Program::deviation`](crate::Program::deviation).
///
/// ```
/// use terrane_noise::{NoiseParams, ProgramBuilder};
/// let mut builder = ProgramBuilder::new();
/// let hills = builder.noise(&NoiseParams { frequency: 1.0 / 200.0, ..NoiseParams::default() })?;
/// builder.output("hills", hills)?;
/// let program = builder.build()?;
/// let (near, far) = (program.deviation(0, 2), program.deviation(0, 16));
/// assert!(near.bend < 4e-4 && far.bend < 0.03 && near.bend < near.drift && near.drift < near.swing);
/// # Ok::<(), terrane_noise::ProgramError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// No sample of a triangle is further from what the triangle has there.
    pub bend: f64,
    /// The root mean square of a sample's distance to the corners' values, weighted as the triangle weighs them, is
    /// never larger.
    pub drift: f64,
    /// No two samples of a triangle differ by more.
    pub swing: f64,
}

impl Deviation {
    /// Of what is the same everywhere.
    pub(crate) const NONE: Self = Self { bend: 0.0, drift: 0.0, swing: 0.0 };
    /// Of what may be anything.
    pub(crate) const UNKNOWN: Self = Self { bend: f64::INFINITY, drift: f64::INFINITY, swing: f64::INFINITY };

    /// Of a coordinate, in samples, on triangles of `stride` samples.
    pub(crate) fn of_coordinate(stride: u32) -> Self {
        let stride = f64::from(stride);
        Self { bend: 0.0, drift: stride / 2.0, swing: stride }
    }

    /// Of what is nowhere further apart than `range`.
    #[must_use]
    pub fn within(self, range: f64) -> Self {
        let swing = self.swing.min(range);
        let drift = self.drift.min(swing);
        Self { bend: self.bend.min(drift), drift, swing }
    }

    /// No standard deviation of the corners' values, so weighted, is larger.
    pub(crate) fn spread(self) -> f64 {
        self.drift.min(self.swing / 2.0)
    }

    /// Of a sum.
    #[must_use]
    pub(crate) fn plus(self, other: Self) -> Self {
        let Self { bend, drift, swing } = other;
        Self { bend: self.bend + bend, drift: self.drift + drift, swing: self.swing + swing }
    }

    /// Of what changes by at most `factor` times as much, whose triangles bend it by `more` in addition.
    pub(crate) fn through(self, factor: f64, more: f64) -> Self {
        let (drift, swing) = (self.drift * factor, self.swing * factor);
        Self { bend: self.bend * factor + more, drift, swing }
    }

    /// Of a product of this, nowhere larger than `size`, and another.
    ///
    /// ```
    /// use terrane_noise::Deviation;
    /// let (a, b) = (Deviation { bend: 0.1, drift: 0.2, swing: 0.5 }, Deviation { bend: 0.0, drift: 1.0, swing: 2.0 });
    /// assert!((a.times(3.0, b, 4.0).bend - 0.6).abs() < 1e-9);
    /// ```
    #[must_use]
    pub fn times(self, size: f64, other: Self, other_size: f64) -> Self {
        let sum = self.through(other_size, self.spread() * other.spread()).plus(other.through(size, 0.0));
        sum.outward()
    }

    /// Of a result that is rounded by at most `by`.
    #[must_use]
    pub fn rounded(self, by: f64) -> Self {
        let by = 2.0 * by + TINY;
        let Self { bend, drift, swing } = self;
        Self { bend: bend + by, drift: drift + by, swing: swing + by }.outward()
    }

    /// A little more than f64 arithmetic can lose.
    fn outward(self) -> Self {
        const MORE: f64 = 1.0 + 1.0 / 1_099_511_627_776.0;
        let Self { bend, drift, swing } = self;
        Self { bend: bend * MORE, drift: drift * MORE, swing: swing * MORE }
    }
}

/// The length of a vector.
pub(crate) fn length(parts: impl IntoIterator<Item = f64>) -> f64 {
    parts.into_iter().map(|part| part * part).sum::<f64>().sqrt()
}

/// What the rule of an operation knows of an operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    pub(crate) deviation: Deviation,
    pub(crate) interval: Interval,
}

impl Operand {
    /// The largest size.
    pub(crate) fn size(&self) -> f64 {
        self.interval.size()
    }

    /// Of a product, not rounded.
    pub(crate) fn times(&self, other: &Self) -> Deviation {
        self.deviation.times(self.size(), other.deviation, other.size())
    }
}

fn width(interval: Interval) -> f64 {
    f64::from(interval.high) - f64::from(interval.low)
}

/// The deviation of expression `of`. Costs some nanoseconds an expression, a few microseconds a curve.
pub(crate) fn deviation(entries: &[Entry], leaves: &[Leaf], of: ExprId, stride: u32) -> Deviation {
    let mut known = vec![Deviation::NONE; usize::from(of.0) + 1];
    for id in needed(entries, of) {
        let entry = &entries[id];
        let operands = |ids: &[ExprId]| -> Vec<Operand> {
            let operand = |id: &ExprId| {
                let index = usize::from(id.0);
                Operand { deviation: known[index], interval: entries[index].interval }
            };
            ids.iter().map(operand).collect()
        };
        let own = match &entry.expr {
            Expr::Constant(_) => Deviation::NONE,
            Expr::Leaf { leaf, position } => {
                let moved = position.map(|by| operands(&by));
                leaves[usize::from(*leaf)].deviation(&Places::new(stride, moved.as_deref()))
            }
            Expr::LeafSlope { of, axis } => {
                let Expr::Leaf { leaf, position } = &entries[usize::from(of.0)].expr else {
                    unreachable!("slopes of a leaf")
                };
                let moved = position.map(|by| operands(&by));
                let places = Places::new(stride, moved.as_deref());
                leaves[usize::from(*leaf)].slope_deviation(usize::from(*axis), &places)
            }
            Expr::Apply { op, from, slopes } => {
                let (from, slopes) = (operands(from), operands(slopes));
                // Of operands with one value each everywhere, the same bits everywhere.
                if from.iter().chain(&slopes).all(|operand| operand.deviation.swing == 0.0) {
                    Deviation::NONE
                } else {
                    op.deviation(&from, &slopes)
                }
            }
        };
        known[id] = own.within(width(entry.interval));
    }
    known[usize::from(of.0)]
}

/// What an expression is made of, itself last.
fn needed(entries: &[Entry], of: ExprId) -> Vec<usize> {
    let mut needed = vec![false; usize::from(of.0) + 1];
    needed[usize::from(of.0)] = true;
    for id in (0..needed.len()).rev() {
        if !needed[id] {
            continue;
        }
        let mut need = |id: &ExprId| needed[usize::from(id.0)] = true;
        match &entries[id].expr {
            Expr::Constant(_) => {}
            Expr::Leaf { position, .. } => position.iter().flatten().for_each(need),
            Expr::LeafSlope { of, .. } => need(of),
            Expr::Apply { from, slopes, .. } => from.iter().chain(slopes).for_each(need),
        }
    }
    (0..needed.len()).filter(|id| needed[*id]).collect()
}
