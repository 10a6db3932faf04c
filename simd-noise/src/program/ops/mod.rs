//! The operations on values: one file each, and one line in one list.
//!
//! From the list come the compiled operation and its dispatch. An operation states its kernel over rows, that of its
//! slope along one axis, its bounds, its parameters' check and its text. docs/PROGRAMS.md defines each to the bit.
//!
//! Deliberately not here: what evaluates something at positions (`leaf`), and which registers rows come from.

mod abs;
mod add;
mod chain;
mod clamp;
mod curve;
mod max;
mod min;
mod mix;
mod multiply;
mod power;
mod remap;
mod slope;
mod smooth;
mod subtract;
mod terrace;

pub(crate) use abs::Abs;
pub(crate) use add::Add;
pub(crate) use chain::{ChainDeep, ChainFlat};
pub(crate) use clamp::Clamp;
pub(crate) use curve::CurveOf;
pub(crate) use max::Max;
pub(crate) use min::Min;
pub(crate) use mix::Mix;
pub(crate) use multiply::Multiply;
pub(crate) use power::Power;
pub(crate) use remap::Remap;
pub(crate) use slope::Slope;
pub(crate) use smooth::{SmoothMax, SmoothMin};
pub(crate) use subtract::Subtract;
pub(crate) use terrace::Terrace;

use terrane_lanes::{Kernel, Lanes, SimdLevel};

use super::deviation::{Deviation, Operand, length};
use super::interval::Interval;
use crate::scratch::{Row, STRIP};

/// Most operands of an operation.
pub(crate) const OPERANDS_MAX: usize = 7;

/// What an operation with `N` operands states about itself.
pub(crate) trait Operation<const N: usize>: PartialEq {
    /// Its name in errors, listings and documents.
    const NAME: &'static str;
    /// False where slopes of it are not made.
    const HAS_SLOPE: bool = true;
    /// True where the slope does not read the operands' values.
    const LINEAR: bool = false;

    /// One row of values.
    fn values<L: Lanes>(&self, l: L, from: [&Row; N], lanes: usize, to: &mut Row);
    /// One row of slopes along an axis, from the operands' values and their slopes along it.
    fn slopes<L: Lanes>(&self, l: L, from: [&Row; N], slopes: [&Row; N], lanes: usize, to: &mut Row);
    /// Bounds of the values.
    fn interval(&self, from: [Interval; N]) -> Interval;
    /// How far the values can leave a coarse triangulation, from how far the operands can: the facts of
    /// `program/deviation.rs`. Without a rule, anything within the bounds.
    fn deviation(&self, from: [Operand; N]) -> Deviation {
        let _ = from;
        Deviation::UNKNOWN
    }
    /// Bounds of a slope.
    fn slope_interval(&self, from: [Interval; N], slopes: [Interval; N]) -> Interval;
    /// Its parameters, as a listing shows them after the operands.
    fn parameters(&self) -> String {
        String::new()
    }
}

/// An operation that takes its operands vector by vector.
pub(crate) trait Vectorwise<const N: usize> {
    fn value<L: Lanes>(&self, l: L, a: [L::F; N]) -> L::F;
    fn slope<L: Lanes>(&self, l: L, a: [L::F; N], d: [L::F; N]) -> L::F;
}

/// [`Operation`]'s rows for an operation that is [`Vectorwise`].
macro_rules! vector_by_vector {
    ($n:literal) => {
        #[inline(always)]
        fn values<L: terrane_lanes::Lanes>(
            &self,
            l: L,
            from: [&$crate::scratch::Row; $n],
            lanes: usize,
            to: &mut $crate::scratch::Row,
        ) {
            $crate::program::ops::values(self, l, from, lanes, to);
        }

        #[inline(always)]
        fn slopes<L: terrane_lanes::Lanes>(
            &self,
            l: L,
            from: [&$crate::scratch::Row; $n],
            slopes: [&$crate::scratch::Row; $n],
            lanes: usize,
            to: &mut $crate::scratch::Row,
        ) {
            $crate::program::ops::slopes(self, l, from, slopes, lanes, to);
        }
    };
}
pub(crate) use vector_by_vector;

#[inline(always)]
pub(crate) fn values<L: Lanes, O: Vectorwise<N>, const N: usize>(
    op: &O,
    l: L,
    from: [&Row; N],
    lanes: usize,
    to: &mut Row,
) {
    let mut at = 0;
    while at < lanes && at + L::N <= STRIP {
        l.store(op.value(l, load(l, &from, at)), &mut to[at..]);
        at += L::N;
    }
}

#[inline(always)]
pub(crate) fn slopes<L: Lanes, O: Vectorwise<N>, const N: usize>(
    op: &O,
    l: L,
    from: [&Row; N],
    slopes: [&Row; N],
    lanes: usize,
    to: &mut Row,
) {
    let mut at = 0;
    while at < lanes && at + L::N <= STRIP {
        l.store(op.slope(l, load(l, &from, at), load(l, &slopes, at)), &mut to[at..]);
        at += L::N;
    }
}

#[inline(always)]
fn load<L: Lanes, const N: usize>(l: L, from: &[&Row; N], at: usize) -> [L::F; N] {
    let mut vectors = [l.splat(0.0); N];
    for (vector, from) in vectors.iter_mut().zip(from) {
        *vector = l.load(&from[at..]);
    }
    vectors
}

/// Rows of an operand: one for each row of a block, or one for all of them.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) rows: &'a [Row],
    /// 1, or 0 where one row serves all.
    pub(crate) step: usize,
}

impl<'a> Rows<'a> {
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> &'a Row {
        &self.rows[row * self.step]
    }
}

/// One operation over a block.
pub(crate) struct Call<'a> {
    pub(crate) level: SimdLevel,
    /// Lanes and rows.
    pub(crate) size: (usize, usize),
    pub(crate) to: &'a mut [Row],
}

struct Values<'a, O, const N: usize> {
    op: &'a O,
    from: [Rows<'a>; N],
    size: (usize, usize),
    to: &'a mut [Row],
}

impl<O: Operation<N>, const N: usize> Kernel for Values<'_, O, N> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let (lanes, rows) = self.size;
        for (row, to) in self.to.iter_mut().enumerate().take(rows) {
            self.op.values(l, rows_at(&self.from, row), lanes, to);
        }
    }
}

struct Slopes<'a, O, const N: usize> {
    op: &'a O,
    from: [Rows<'a>; N],
    slopes: [Rows<'a>; N],
    size: (usize, usize),
    to: &'a mut [Row],
}

impl<O: Operation<N>, const N: usize> Kernel for Slopes<'_, O, N> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let (lanes, rows) = self.size;
        for (row, to) in self.to.iter_mut().enumerate().take(rows) {
            self.op.slopes(l, rows_at(&self.from, row), rows_at(&self.slopes, row), lanes, to);
        }
    }
}

#[inline(always)]
fn rows_at<'a, const N: usize>(from: &[Rows<'a>; N], row: usize) -> [&'a Row; N] {
    let mut rows = [from[0].row(row); N];
    for (to, from) in rows.iter_mut().zip(from) {
        *to = from.row(row);
    }
    rows
}

/// Runs one operation: its values, or its slope where there are slopes of its operands.
fn call<O: Operation<N>, const N: usize>(op: &O, from: &[Rows<'_>], slopes: &[Rows<'_>], call: Call<'_>) {
    let Call { level, size, to } = call;
    let from: [Rows<'_>; N] = std::array::from_fn(|i| from[i]);
    if slopes.is_empty() {
        level.dispatch(Values { op, from, size, to });
    } else if O::HAS_SLOPE {
        let slopes: [Rows<'_>; N] = std::array::from_fn(|i| slopes[i]);
        level.dispatch(Slopes { op, from, slopes, size, to });
    }
}

fn bounds<O: Operation<N>, const N: usize>(op: &O, from: &[Interval], slopes: &[Interval]) -> Interval {
    let from: [Interval; N] = std::array::from_fn(|i| from[i]);
    if slopes.is_empty() {
        op.interval(from)
    } else {
        op.slope_interval(from, std::array::from_fn(|i| slopes[i]))
    }
}

fn deviation<O: Operation<N>, const N: usize>(op: &O, from: &[Operand], slopes: &[Operand]) -> Deviation {
    // Slopes of operations have no rules: only steepness is made of them.
    if slopes.is_empty() { op.deviation(std::array::from_fn(|i| from[i])) } else { Deviation::UNKNOWN }
}

/// Of what is nowhere further apart than one of two: a share of each, or the smaller, or the larger. Bent by no more
/// than one of them, without what a crease adds; and the spread of their difference.
fn either(a: Deviation, b: Deviation) -> (Deviation, f64) {
    let (bend, swing) = (a.bend.max(b.bend), a.swing.max(b.swing));
    // The mean of the larger square is at most that of the sum.
    (Deviation { bend, drift: length([a.drift, b.drift]), swing }, a.spread() + b.spread())
}

/// What there is to know of an operation without knowing which.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpInfo {
    pub(crate) name: &'static str,
    pub(crate) operands: usize,
    pub(crate) has_slope: bool,
    pub(crate) linear: bool,
}

macro_rules! program_operations {
    ($($op:ident: $n:literal),+ $(,)?) => {
        /// A compiled operation.
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum Op {
            $($op($op),)+
        }

        $(
            impl From<$op> for Op {
                fn from(op: $op) -> Self {
                    Self::$op(op)
                }
            }
        )+

        impl Op {
            pub(crate) fn info(&self) -> OpInfo {
                match self {
                    $(Self::$op(_) => OpInfo {
                        name: <$op as Operation<$n>>::NAME,
                        operands: $n,
                        has_slope: <$op as Operation<$n>>::HAS_SLOPE,
                        linear: <$op as Operation<$n>>::LINEAR,
                    }),+
                }
            }

            /// Fills rows from the operands' rows; with slopes of the operands, its own slope.
            pub(crate) fn run(&self, from: &[Rows<'_>], slopes: &[Rows<'_>], to: Call<'_>) {
                match self { $(Self::$op(op) => call::<$op, $n>(op, from, slopes, to)),+ }
            }

            /// Bounds of the value; with slopes of the operands, of the slope.
            pub(crate) fn bounds(&self, from: &[Interval], slopes: &[Interval]) -> Interval {
                match self { $(Self::$op(op) => bounds::<$op, $n>(op, from, slopes)),+ }
            }

            /// How far the value can leave a coarse triangulation; with slopes of the operands, the slope.
            pub(crate) fn deviation(&self, from: &[Operand], slopes: &[Operand]) -> Deviation {
                match self { $(Self::$op(op) => deviation::<$op, $n>(op, from, slopes)),+ }
            }

            pub(crate) fn parameters(&self) -> String {
                match self { $(Self::$op(op) => <$op as Operation<$n>>::parameters(op)),+ }
            }
        }
    };
}

program_operations! {
    Add: 2,
    Subtract: 2,
    Multiply: 2,
    Min: 2,
    Max: 2,
    SmoothMin: 2,
    SmoothMax: 2,
    Mix: 3,
    CurveOf: 1,
    Terrace: 1,
    Remap: 1,
    Clamp: 1,
    Abs: 1,
    Power: 1,
    Slope: 2,
    ChainFlat: 5,
    ChainDeep: 7,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::curve::{Curve, CurveKey};
    use crate::scratch::ROW;
    use proptest::prelude::*;
    use terrane_lanes::Aligned;

    /// One value of an operation; with slopes of its operands, its slope.
    fn one(op: &Op, from: &[f32], slopes: &[f32]) -> f32 {
        let rows = |values: &[f32]| values.iter().map(|v| [Aligned([*v; STRIP])]).collect::<Vec<[Row; 1]>>();
        let (from, slopes, mut to) = (rows(from), rows(slopes), [ROW; 1]);
        let from: Vec<_> = from.iter().map(|rows| Rows { rows, step: 0 }).collect();
        let slopes: Vec<_> = slopes.iter().map(|rows| Rows { rows, step: 0 }).collect();
        op.run(&from, &slopes, Call { level: SimdLevel::SCALAR, size: (1, 1), to: &mut to });
        to[0][0]
    }

    fn op(which: usize, [u, v, w]: [f64; 3]) -> Op {
        let key = |at, to| CurveKey { at, to };
        let keys = [key(-1.0, u), key(u - 0.5, v), key(0.8, w), key(1.0, 2.0 * v)];
        match which {
            0 => Add.into(),
            1 => Subtract.into(),
            2 => Multiply.into(),
            3 => Min.into(),
            4 => Max.into(),
            5 => SmoothMin::new(0.001 + 3.0 * u * u * u).expect("valid").into(),
            6 => SmoothMax::new(0.001 + 3.0 * u * u * u).expect("valid").into(),
            7 => Mix.into(),
            8 => CurveOf::new(&Curve::new(&keys, [-1.0, 1.0]).expect("valid")).into(),
            9 => Terrace::new(0.1 + 9.0 * u, v).expect("valid").into(),
            10 => Remap::new([-1.0 - u, v], [w - 0.5, 3.0 * u]).expect("valid").into(),
            11 => Clamp::new(u - 0.7, v + 0.3).expect("valid").into(),
            12 => Abs.into(),
            13 => Power::new(1 + (u * 7.99) as u32).expect("valid").into(),
            14 => Slope::new(0.1 + u).expect("valid").into(),
            15 => ChainFlat.into(),
            _ => ChainDeep.into(),
        }
    }

    /// Bounds, and a value within: often at an end, where results are likely to leave theirs.
    fn operand() -> impl Strategy<Value = (Interval, f32)> {
        let end = prop_oneof![-1.5f32..1.5, Just(-1.0f32), Just(0.0), Just(1.0)];
        (end.clone(), end, 0u32..6, 0.0f32..1.0).prop_map(|(a, b, which, t)| {
            let (low, high) = (a.min(b), a.max(b));
            let value = [low, high, low.next_up(), high.next_down(), low + (high - low) * t];
            (Interval::new(low, high), value[which as usize % 5].clamp(low, high))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn values_and_slopes_are_inside_their_bounds(
            which in 0usize..17, settings in prop::array::uniform3(0.0..1.0f64),
            operands in prop::array::uniform7(operand()), slopes in prop::array::uniform7(operand()),
        ) {
            let op = op(which, settings);
            let count = op.info().operands;
            let (bounds, values): (Vec<_>, Vec<_>) = operands.into_iter().take(count).unzip();
            let (slope_bounds, slopes): (Vec<_>, Vec<_>) = slopes.into_iter().take(count).unzip();
            let (result, within) = (one(&op, &values, &[]), op.bounds(&bounds, &[]));
            prop_assert!(within.contains(result), "{op:?} of {values:?}: {result:?} in {within:?}");
            if op.info().has_slope {
                let (result, within) = (one(&op, &values, &slopes), op.bounds(&bounds, &slope_bounds));
                prop_assert!(within.contains(result), "{op:?}' of {values:?} {slopes:?}: {result:?} in {within:?}");
            }
        }
    }
}
