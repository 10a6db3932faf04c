//! Height colours: where a height lies on the colour ramp.
//!
//! In: heights with apron. Out: sRGB and alpha per vertex, from a table of 4096 colours over the world's heights.

use crate::buffers::{APRON, apron_stride};
use crate::config::RampKey;

/// Colours of the table: 5 cm apart over a range of 200 m.
const COLORS: usize = 4096;

/// The colour at a height: sRGB codes blended between the keys of a ramp, constant beyond the outermost ones. The one
/// definition, for meshes and pictures.
///
/// # Panics
/// When the ramp is empty.
pub(crate) fn ramp_color(ramp: &[RampKey], height_m: f32) -> [f32; 3] {
    let above = ramp.partition_point(|key| key.height_m <= height_m);
    let (Some(high), Some(low)) = (ramp.get(above), ramp[..above].last()) else {
        return ramp[above.min(ramp.len() - 1)].color.map(f32::from);
    };
    let part = (height_m - low.height_m) / (high.height_m - low.height_m);
    std::array::from_fn(|channel| {
        let (a, b) = (f32::from(low.color[channel]), f32::from(high.color[channel]));
        a + (b - a) * part
    })
}

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
            let [r, g, b] = ramp_color(ramp, height_m as f32).map(|code| code.round() as u8);
            [r, g, b, 255]
        };
        Self {
            min_m,
            scale: ((COLORS - 1) as f64 / range_m) as f32,
            colors: (0..COLORS).map(color).collect(),
        }
    }

    /// Size of the table.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.colors[..])
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ramp_is_linear_between_keys_and_held_outside() {
        let ramp = [(0.0, [0, 0, 0]), (10.0, [100, 50, 0]), (20.0, [255, 255, 255])]
            .map(|(height_m, color)| RampKey { height_m, color });
        assert_eq!(ramp_color(&ramp, -5.0), [0.0; 3]);
        assert_eq!(ramp_color(&ramp, 5.0), [50.0, 25.0, 0.0]);
        assert_eq!(ramp_color(&ramp, 10.0), [100.0, 50.0, 0.0]);
        assert_eq!(ramp_color(&ramp, 99.0), [255.0; 3]);
        assert_eq!(ramp_color(&ramp[..1], 3.0), [0.0; 3]);
        let table = ColorTable::new(&ramp, -10.0, 30.0);
        for (height_m, want) in [(-1e9, 0), (-10.0, 0), (30.0, 255), (1e9, 255)] {
            assert_eq!(table.at(height_m), [want, want, want, 255]);
        }
        let [r, g, b, _] = table.at(5.0);
        assert!(r.abs_diff(50) <= 1 && g.abs_diff(25) <= 1 && b == 0);
    }
}
