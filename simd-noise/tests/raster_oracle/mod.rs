//! Rasters one sample at a time, written from docs/RASTERS.md and not from the library: the same f32 operations from
//! positions in i128, and textbook forms in f64.
#![allow(dead_code)] // each test uses its part

use terrane_noise::{Coord, Filter, Outside, Raster, RasterParams};

const OUTSIDES: [Outside; 4] = [Outside::Clamp, Outside::Wrap, Outside::Mirror, Outside::Constant(-3.25)];

/// Every filter with every edge, somewhere between samples and pixels.
pub(crate) fn every_mode() -> impl Iterator<Item = RasterParams> {
    Filter::ALL.into_iter().flat_map(|(filter, ..)| {
        OUTSIDES.into_iter().map(move |outside| RasterParams {
            filter,
            outside,
            origin: [Coord { index: 3, fraction: 1234 }, Coord { index: -2, fraction: 0 }],
            pixels_per_sample: [0.37, 1.61],
            low: -10.0,
            high: 250.5,
        })
    })
}

/// A raster as docs/RASTERS.md has it, without any thought of speed.
pub(crate) struct Oracle<'a> {
    raster: &'a Raster,
    params: RasterParams,
    steps: [i128; 2],
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(raster: &'a Raster) -> Self {
        let params = *raster.params();
        let steps = params.pixels_per_sample.map(|pixels| (pixels * 4_294_967_296.0).round() as i128);
        Self { raster, params, steps }
    }

    /// Pixel and 32-bit fraction.
    pub(crate) fn place(&self, axis: usize, at: Coord) -> (i128, u32) {
        let parts = |at: Coord| i128::from(at.index) * 65_536 + i128::from(at.fraction);
        let product = (parts(at) - parts(self.params.origin[axis])) * self.steps[axis];
        let phase = product.div_euclid(65_536);
        (phase.div_euclid(1 << 32), phase.rem_euclid(1 << 32) as u32)
    }

    fn edge(&self, k: i128, count: u32) -> Option<usize> {
        let n = i128::from(count);
        let index = match self.params.outside {
            Outside::Clamp => k.clamp(0, n - 1),
            Outside::Wrap => k.rem_euclid(n),
            Outside::Mirror if n == 1 => 0,
            Outside::Mirror => {
                let m = k.rem_euclid(2 * (n - 1));
                m.min(2 * (n - 1) - m)
            }
            Outside::Constant(_) if k < 0 || k >= n => return None,
            Outside::Constant(_) => k,
        };
        Some(index as usize)
    }

    fn pixel(&self, x: i128, z: i128) -> f32 {
        let (width, height) = (self.raster.width(), self.raster.height());
        let RasterParams { low, high, outside, .. } = self.params;
        match (self.edge(x, width), self.edge(z, height)) {
            (Some(x), Some(z)) => {
                let pixel = self.raster.samples()[z * width as usize + x];
                low + f32::from(pixel) * (((f64::from(high) - f64::from(low)) / 65_535.0) as f32)
            }
            _ => match outside {
                Outside::Constant(value) => value,
                _ => unreachable!("only a constant is outside"),
            },
        }
    }

    /// Value and slopes along x and z, the operations of the page.
    pub(crate) fn exact(&self, x: Coord, z: Coord) -> [f32; 3] {
        self.exact_at([self.exact_place(0, x), self.exact_place(1, z)])
    }

    /// The same, displaced along x and z.
    pub(crate) fn exact_displaced(&self, x: Coord, z: Coord, by: [f32; 2]) -> [f32; 3] {
        let displaced = |axis: usize, at: Coord| {
            let (pixel, f) = self.exact_place(axis, at);
            let t = f + by[axis] * (self.steps[axis] as f32 / 4_294_967_296.0);
            (pixel + t.floor() as i128, t - t.floor())
        };
        self.exact_at([displaced(0, x), displaced(1, z)])
    }

    /// Pixel and 24-bit fraction.
    fn exact_place(&self, axis: usize, at: Coord) -> (i128, f32) {
        let (pixel, fraction) = self.place(axis, at);
        (pixel, (fraction >> 8) as f32 / 16_777_216.0)
    }

    fn exact_at(&self, [(x, fx), (z, fz)]: [(i128, f32); 2]) -> [f32; 3] {
        let along_x = [-1, 0, 1, 2].map(|j| {
            let four = [-1, 0, 1, 2].map(|i| self.pixel(x + i, z + j));
            (self.value(four, fx), self.slope(four, fx))
        });
        let [w_x, w_z] = self.steps.map(|step| step as f32 / 4_294_967_296.0);
        [
            self.value(along_x.map(|row| row.0), fz),
            self.value(along_x.map(|row| row.1), fz) * w_x,
            self.slope(along_x.map(|row| row.0), fz) * w_z,
        ]
    }

    fn value(&self, [a, b, c, d]: [f32; 4], f: f32) -> f32 {
        match self.params.filter {
            Filter::Nearest if f < 0.5 => b,
            Filter::Nearest => c,
            Filter::Bilinear => b + (c - b) * f,
            Filter::Bicubic => {
                let (g, h) = (1.0 - f, f * 0.5);
                let (wa, wc, wd) = (0.0 - (h * g) * g, h * (1.0 + f * (4.0 - f * 3.0)), 0.0 - (h * f) * g);
                ((b + (a - b) * wa) + (c - b) * wc) + (d - b) * wd
            }
        }
    }

    fn slope(&self, [a, b, c, d]: [f32; 4], f: f32) -> f32 {
        match self.params.filter {
            Filter::Nearest => 0.0,
            Filter::Bilinear => c - b,
            Filter::Bicubic => {
                let g = (1.0 - f) * 0.5;
                let (wa, wc, wd) = (g * (f * 3.0 - 1.0), g * (f * 9.0 + 1.0), (f * 0.5) * (f * 3.0 - 2.0));
                ((a - b) * wa + (c - b) * wc) + (d - b) * wd
            }
        }
    }

    /// The value in f64 by textbook forms: weights of the two, or the cubic Hermite spline with central differences.
    pub(crate) fn textbook(&self, x: Coord, z: Coord) -> f64 {
        let ((x, fx), (z, fz)) = (self.place(0, x), self.place(1, z));
        let [fx, fz] = [fx, fz].map(|f| f64::from(f) / 4_294_967_296.0);
        let rows = [-1, 0, 1, 2]
            .map(|j| self.textbook_axis([-1, 0, 1, 2].map(|i| f64::from(self.pixel(x + i, z + j))), fx));
        self.textbook_axis(rows, fz)
    }

    fn textbook_axis(&self, [a, b, c, d]: [f64; 4], t: f64) -> f64 {
        match self.params.filter {
            Filter::Nearest => {
                if (t + 0.5).floor() > 0.0 {
                    c
                } else {
                    b
                }
            }
            Filter::Bilinear => (1.0 - t) * b + t * c,
            Filter::Bicubic => {
                let (tangent_b, tangent_c) = ((c - a) / 2.0, (d - b) / 2.0);
                (2.0 * t * t * t - 3.0 * t * t + 1.0) * b
                    + (t * t * t - 2.0 * t * t + t) * tangent_b
                    + (3.0 * t * t - 2.0 * t * t * t) * c
                    + (t * t * t - t * t) * tangent_c
            }
        }
    }
}
