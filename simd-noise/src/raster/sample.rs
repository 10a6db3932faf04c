//! Rows of samples from pixels.
//!
//! In: a block of a grid or scattered points, displaced or not. Out: values, and slopes a sample along x and z. Two ways
//! with the same operations on the same numbers, so the choice never changes a bit:
//!
//! - [`Strip`]: an undisplaced grid. Columns are prepared once; a row of pixels is filtered along x once and kept while
//!   rows of samples lie near it, so magnified pixels cost a few operations a sample along z;
//! - [`Pixels::one`]: any place, on its own.
//!
//! Plain scalar code, one path for all levels: no level has a gather without `unsafe`, and reading pixels is most of it.

use crate::kernel::job::{Block, Displacement, Samples, Targets};
use crate::phase::Coord;
use crate::scratch::{ROW, Row, STRIP};

use super::filter::{Four, Taps, Weights};
use super::place::{AxisMap, OUTSIDE, Place};

/// Value and slopes a sample along x and z.
pub(super) type ValueAndSlopes = [f32; 3];

/// What sampling reads of a raster.
#[derive(Clone, Copy)]
pub(super) struct Pixels<'a> {
    pub(super) samples: &'a [u16],
    pub(super) width: usize,
    /// x and z.
    pub(super) axes: &'a [AxisMap; 2],
    pub(super) low: f32,
    pub(super) scale: f32,
    pub(super) outside: f32,
}

impl<'a> Pixels<'a> {
    /// A row of pixels; empty where there is none.
    #[inline(always)]
    fn row(&self, index: u32) -> &'a [u16] {
        if index == OUTSIDE {
            return &[];
        }
        let first = index as usize * self.width;
        &self.samples[first..first + self.width]
    }

    /// What a pixel means, or the constant where a row does not have it.
    #[inline(always)]
    fn pixel(&self, row: &[u16], column: u32) -> f32 {
        match row.get(column as usize) {
            Some(pixel) => self.low + f32::from(*pixel) * self.scale,
            None => self.outside,
        }
    }

    /// One sample at a place. Slopes are 0 unless `SLOPES`.
    #[inline(always)]
    fn one<T: Taps, const SLOPES: bool>(&self, [x, z]: [Place; 2]) -> ValueAndSlopes {
        let [along_x, along_z] = self.axes;
        let (x, z) = (T::settle(x), T::settle(z));
        let columns = taps::<T>(along_x, x.pixel);
        let (weights_x, weights_z) = (T::weights(x.fraction), T::weights(z.fraction));
        let slope_weights_x = if SLOPES { T::slope_weights(x.fraction) } else { [0.0; 3] };
        let (mut values, mut slopes) = ([0.0; 4], [0.0; 4]);
        for (tap, index) in taps::<T>(along_z, z.pixel).into_iter().enumerate().take(T::COUNT) {
            let four = self.four::<T>(self.row(index), columns);
            values[tap] = T::value(four, weights_x);
            if SLOPES {
                slopes[tap] = T::slope(four, slope_weights_x);
            }
        }
        let value = T::value(values, weights_z);
        if !SLOPES {
            return [value, 0.0, 0.0];
        }
        let slope_x = T::value(slopes, weights_z) * along_x.per_sample;
        let slope_z = T::slope(values, T::slope_weights(z.fraction)) * along_z.per_sample;
        [value, slope_x, slope_z]
    }

    #[inline(always)]
    fn four<T: Taps>(&self, row: &[u16], columns: [u32; 4]) -> Four {
        let mut four = [0.0; 4];
        for (pixel, column) in four.iter_mut().zip(columns).take(T::COUNT) {
            *pixel = self.pixel(row, column);
        }
        four
    }

    /// One sample at an exact position.
    pub(super) fn at<T: Taps, const SLOPES: bool>(&self, x: Coord, z: Coord) -> ValueAndSlopes {
        self.one::<T, SLOPES>([self.axes[0].place(x), self.axes[1].place(z)])
    }

    /// Fills the targets' rows: values, and slopes if `SLOPES`.
    pub(super) fn run<T: Taps, const SLOPES: bool>(
        &self,
        samples: Samples<'_>,
        displacement: Option<Displacement<'_>>,
        to: &mut Targets<'_>,
    ) {
        match samples {
            Samples::Block(block) => match displacement {
                None => self.block::<T, SLOPES>(block, to),
                Some(by) => self.displaced_block::<T, SLOPES>(block, by, to),
            },
            Samples::Points(points) => {
                for (lane, [x, _, z]) in points.iter().enumerate() {
                    let mut at = [self.axes[0].place(*x), self.axes[1].place(*z)];
                    if let Some(by) = displacement {
                        at = self.displaced(at, by, 0, lane);
                    }
                    put::<SLOPES>(self.one::<T, SLOPES>(at), to, 0, lane);
                }
            }
        }
    }

    fn block<T: Taps, const SLOPES: bool>(&self, block: &Block, to: &mut Targets<'_>) {
        let lanes = block.lanes;
        let mut strip = Strip::<T, SLOPES>::new(self, block.x, block.stride, lanes);
        let [to_x, _, to_z] = &mut to.slopes;
        for row in 0..block.rows {
            let slopes = if SLOPES {
                [&mut to_x.rows[row][..lanes], &mut to_z.rows[row][..lanes]]
            } else {
                [&mut [][..], &mut []]
            };
            strip.row(index(block.z, row, block.stride), &mut to.value.rows[row][..lanes], slopes);
        }
    }

    fn displaced_block<T: Taps, const SLOPES: bool>(
        &self,
        block: &Block,
        by: Displacement<'_>,
        to: &mut Targets<'_>,
    ) {
        let columns = self.places(block.x, block.stride, block.lanes);
        for row in 0..block.rows {
            let z = self.axes[1].place(Coord::from(index(block.z, row, block.stride)));
            for (lane, x) in columns.iter().enumerate().take(block.lanes) {
                let at = self.displaced([*x, z], by, row, lane);
                put::<SLOPES>(self.one::<T, SLOPES>(at), to, row, lane);
            }
        }
    }

    #[inline(always)]
    fn displaced(
        &self,
        [x, z]: [Place; 2],
        [by_x, _, by_z]: Displacement<'_>,
        row: usize,
        lane: usize,
    ) -> [Place; 2] {
        [self.axes[0].displaced(x, by_x[row][lane]), self.axes[1].displaced(z, by_z[row][lane])]
    }

    /// Undisplaced places of columns.
    fn places(&self, first: i64, stride: u32, lanes: usize) -> [Place; STRIP] {
        let mut places = [Place { pixel: 0, fraction: 0.0 }; STRIP];
        for (i, place) in places.iter_mut().enumerate().take(lanes) {
            *place = self.axes[0].place(Coord::from(index(first, i, stride)));
        }
        places
    }
}

/// Index of the i-th sample, wrapping as indices do.
#[inline(always)]
pub(super) fn index(first: i64, i: usize, stride: u32) -> i64 {
    first.wrapping_add((i as i64).wrapping_mul(i64::from(stride)))
}

/// The pixels that a filter reads.
#[inline(always)]
fn taps<T: Taps>(axis: &AxisMap, pixel: i64) -> [u32; 4] {
    let mut taps = [0; 4];
    for (tap, offset) in taps.iter_mut().zip(T::FIRST..).take(T::COUNT) {
        *tap = axis.index(pixel + offset);
    }
    taps
}

#[inline(always)]
fn put<const SLOPES: bool>([n, x, z]: ValueAndSlopes, to: &mut Targets<'_>, row: usize, lane: usize) {
    to.value.rows[row][lane] = n;
    if SLOPES {
        let [to_x, _, to_z] = &mut to.slopes;
        to_x.rows[row][lane] = x;
        to_z.rows[row][lane] = z;
    }
}

/// At most 80 columns of an undisplaced grid, and the rows of pixels that were last filtered along x.
pub(super) struct Strip<'a, T, const SLOPES: bool> {
    pixels: &'a Pixels<'a>,
    lanes: usize,
    columns: [[u32; 4]; STRIP],
    weights: [Weights; STRIP],
    slope_weights: [Weights; STRIP],
    filtered: [FilteredRow; 4],
    taps: std::marker::PhantomData<T>,
}

/// A row of pixels, filtered along x.
struct FilteredRow {
    /// Which row of pixels, if any yet.
    of: Option<u32>,
    value: Row,
    /// A pixel.
    slope: Row,
}

impl<'a, T: Taps, const SLOPES: bool> Strip<'a, T, SLOPES> {
    /// Prepares the columns `first + i * stride`.
    pub(super) fn new(pixels: &'a Pixels<'a>, first: i64, stride: u32, lanes: usize) -> Self {
        let mut strip = Self {
            pixels,
            lanes,
            columns: [[0; 4]; STRIP],
            weights: [[0.0; 3]; STRIP],
            slope_weights: [[0.0; 3]; STRIP],
            filtered: [const { FilteredRow { of: None, value: ROW, slope: ROW } }; 4],
            taps: std::marker::PhantomData,
        };
        for (lane, place) in pixels.places(first, stride, lanes).into_iter().enumerate().take(lanes) {
            let place = T::settle(place);
            strip.columns[lane] = taps::<T>(&pixels.axes[0], place.pixel);
            strip.weights[lane] = T::weights(place.fraction);
            strip.slope_weights[lane] = T::slope_weights(place.fraction);
        }
        strip
    }

    /// One row of samples, at sample `z`; slopes only if `SLOPES`.
    pub(super) fn row(&mut self, z: i64, value: &mut [f32], slopes: [&mut [f32]; 2]) {
        let [along_x, along_z] = self.pixels.axes;
        let place = T::settle(along_z.place(Coord::from(z)));
        let mut slots = [0; 4];
        for (tap, index) in taps::<T>(along_z, place.pixel).into_iter().enumerate().take(T::COUNT) {
            // A pixel keeps its slot while samples pass it, and neighbours never share one.
            slots[tap] = (place.pixel + T::FIRST + tap as i64) as usize % 4;
            self.filter(slots[tap], index);
        }
        let weights = T::weights(place.fraction);
        let rows = slots.map(|slot| &self.filtered[slot]);
        // Slices of one length each, so that the loops need no checks and become vectors.
        let value_rows = rows.map(|row| &row.value[..self.lanes]);
        for (lane, to) in value[..self.lanes].iter_mut().enumerate() {
            *to = T::value(value_rows.map(|row| row[lane]), weights);
        }
        if !SLOPES {
            return;
        }
        let slope_rows = rows.map(|row| &row.slope[..self.lanes]);
        let slope_weights = T::slope_weights(place.fraction);
        let [to_x, to_z] = slopes;
        for (lane, to) in to_x[..self.lanes].iter_mut().enumerate() {
            *to = T::value(slope_rows.map(|row| row[lane]), weights) * along_x.per_sample;
        }
        for (lane, to) in to_z[..self.lanes].iter_mut().enumerate() {
            *to = T::slope(value_rows.map(|row| row[lane]), slope_weights) * along_z.per_sample;
        }
    }

    /// Filters a row of pixels along x into a slot, unless it holds that row.
    fn filter(&mut self, slot: usize, index: u32) {
        let Self { pixels, lanes, columns, weights, slope_weights, filtered, .. } = self;
        let to = &mut filtered[slot];
        if to.of == Some(index) {
            return;
        }
        to.of = Some(index);
        let row = pixels.row(index);
        for lane in 0..*lanes {
            let four = pixels.four::<T>(row, columns[lane]);
            to.value[lane] = T::value(four, weights[lane]);
            if SLOPES {
                to.slope[lane] = T::slope(four, slope_weights[lane]);
            }
        }
    }
}
