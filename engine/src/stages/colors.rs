//! Height colours: where a height lies on the colour ramp.
//!
//! In: heights with apron. Out: sRGB and alpha per vertex, from a table of 1024 colours over the world's heights.

use crate::buffers::{APRON, apron_stride};
use crate::config::RampKey;

/// Colours of the table.
const COLORS: usize = 1024;

/// A compiled colour ramp.
#[derive(Clone, Debug)]
pub(crate) struct ColorTable {
    min_m: f32,
    /// Entries per metre.
    scale: f32,
    colors: Vec<[u8; 4]>,
}

impl ColorTable {
    /// `ramp` has at least one key, heights rising; colours blend in sRGB, and hold beyond the outermost keys.
    pub(crate) fn new(ramp: &[RampKey], min_m: f32, max_m: f32) -> Self {
        let range_m = f64::from(max_m) - f64::from(min_m);
        let color = |i: usize| {
            let height_m = f64::from(min_m) + range_m * i as f64 / (COLORS - 1) as f64;
            let above = ramp.partition_point(|key| f64::from(key.height_m) <= height_m);
            let (a, b) = (ramp[above.saturating_sub(1)], ramp[above.min(ramp.len() - 1)]);
            let width = f64::from(b.height_m) - f64::from(a.height_m);
            let t =
                if width > 0.0 { ((height_m - f64::from(a.height_m)) / width).clamp(0.0, 1.0) } else { 0.0 };
            let mix = |c: usize| {
                let (a, b) = (f64::from(a.color[c]), f64::from(b.color[c]));
                (a + t * (b - a)).round() as u8
            };
            [mix(0), mix(1), mix(2), 255]
        };
        Self {
            min_m,
            scale: ((COLORS - 1) as f64 / range_m) as f32,
            colors: (0..COLORS).map(color).collect(),
        }
    }

    /// The colour of a height in metres.
    pub(crate) fn at(&self, height_m: f32) -> [u8; 4] {
        // `as` saturates, so heights outside the range take the outermost colours.
        self.colors[(((height_m - self.min_m) * self.scale + 0.5) as usize).min(COLORS - 1)]
    }
}

/// Fills `colors` of a chunk with `side` vertices a side.
pub(crate) fn colors(side: usize, table: &ColorTable, apron: &[f32], colors: &mut [[u8; 4]]) {
    let rows = apron.chunks_exact(apron_stride(side)).skip(APRON);
    for (colors, heights) in colors.chunks_exact_mut(side).zip(rows) {
        for (color, height) in colors.iter_mut().zip(&heights[APRON..]) {
            *color = table.at(*height);
        }
    }
}
