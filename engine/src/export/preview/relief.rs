//! Light, water and colour: heights become a picture.
//!
//! In: heights at the size of the map. Out: sRGB pixels. The method is the cartographers' multidirectional
//! shading with a warm main light from the north-west, a cool sky, soft cast shadows and an ambient term from
//! how far a place lies below its surroundings; after E. Imhof, "Cartographic Relief Presentation", and R.
//! Mark, "Multidirectional, oblique-weighted, shaded-relief image", USGS 92-422. Colours are mixed in linear
//! light. Water dims and tints what lies below it, so that the bed shows through in the shallows.

use super::super::Scene;
use super::super::color::{Encoder, linear_rgb};
use super::blur::blur;
use super::canvas::Rgb;
use super::raster::Grid;
use crate::stages::colors::ramp_color;

/// Towards the lights (x right, y up, z down the page) with their weights; unit vectors. The first one casts
/// shadows.
const LIGHTS: [([f32; 3], f32); 4] = [
    ([-0.542, 0.642, -0.542], 0.64),
    ([-0.819, 0.574, 0.0], 0.14),
    ([0.0, 0.574, -0.819], 0.14),
    ([0.579, 0.574, 0.579], 0.08),
];
/// Warm light, cool shade. Scaled so that level ground in the open has the colour of the ramp.
const SUN: [f32; 3] = [1.28, 1.19, 1.04];
const SKY: [f32; 3] = [0.26, 0.31, 0.41];

/// Tangents of the heights of a sun with an extent; their mean gives soft edges to shadows.
const SHADOW_SLOPES: [f32; 4] = [0.34, 0.44, 0.56, 0.70];
/// The share of the main light that a shadow takes.
const SHADOW_DEPTH: f32 = 0.55;

/// The relief is scaled to about this root mean square slope, so that gentle and wild worlds both read well.
const SLOPE_WANTED: f64 = 0.42;
const EXAGGERATIONS: [f32; 13] = [0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0];

/// Linear light of shallow and deep water, of the line of foam and of wet sand.
const SHALLOW: Rgb = [92, 186, 190];
const DEEP: Rgb = [16, 50, 98];
const FOAM: Rgb = [236, 246, 244];
const WET: Rgb = [112, 98, 74];

/// A painted map.
pub(super) struct Map {
    pub(super) size: [usize; 2],
    pub(super) pixels: Vec<Rgb>,
    /// Heights are drawn this many times higher than they are.
    pub(super) exaggeration: f32,
}

/// The colours of the water, for the map and the legend.
pub(super) struct Water {
    sea_m: f32,
    /// The depth at which half of the bed's light is gone.
    half_m: f32,
    shallow: [f32; 3],
    deep: [f32; 3],
}

impl Water {
    pub(super) fn new(scene: &Scene) -> Self {
        let deepest = (scene.sea_level_m - scene.min_m).max(1e-6);
        Self {
            sea_m: scene.sea_level_m,
            half_m: 0.13 * deepest,
            shallow: linear_rgb(SHALLOW),
            deep: linear_rgb(DEEP),
        }
    }

    /// Linear light of the bed seen through the water above it.
    pub(super) fn over(&self, bed: [f32; 3], height_m: f32) -> [f32; 3] {
        let depth = ((self.sea_m - height_m) / self.half_m).max(0.0);
        let seen = 0.78 / (1.0 + depth * depth.sqrt());
        let dark = depth / (depth + 2.2);
        std::array::from_fn(|c| {
            let water = self.shallow[c] + (self.deep[c] - self.shallow[c]) * dark;
            water + (bed[c] * 0.9 - water) * seen
        })
    }
}

/// Everything that is known of the whole map before a pixel is painted.
struct Relief<'a> {
    grid: &'a Grid,
    /// Pixels of height per metre, along x and z, exaggeration included.
    scale: [f32; 2],
    /// Heights that are lit: the sea where it covers the ground.
    surface: Vec<f32>,
    fine: Vec<f32>,
    coarse: Vec<f32>,
    radii: [f32; 2],
    shadow: Vec<f32>,
    water: Water,
    foam: [f32; 3],
    wet: [f32; 3],
    ramp: Vec<[f32; 3]>,
    ramp_min_m: f32,
    ramp_steps_per_m: f32,
}

/// Paints `grid`, whose pixels are `pixel_m` metres wide along x and z.
pub(super) fn paint(grid: &Grid, pixel_m: [f64; 2], scene: &Scene) -> Map {
    let exaggeration = exaggeration(grid, pixel_m, scene.sea_level_m);
    let relief = Relief::new(grid, pixel_m.map(|metres| (f64::from(exaggeration) / metres) as f32), scene);
    let encoder = Encoder::new();
    let [width, height] = grid.size;
    let pixels = (0..height)
        .flat_map(|z| (0..width).map(move |x| (x, z)))
        .map(|(x, z)| relief.pixel(x, z).map(|light| encoder.code(shoulder(light))))
        .collect();
    Map { size: grid.size, pixels, exaggeration }
}

/// The step of [`EXAGGERATIONS`] that brings the ground's slopes closest to what reads well.
fn exaggeration(grid: &Grid, pixel_m: [f64; 2], sea_m: f32) -> f32 {
    let (mut sum, mut count) = (0.0, 0u32);
    let rows: Vec<_> = grid.rows().collect();
    for pair in rows.windows(2) {
        for x in 1..grid.size[0] {
            if pair[0][x] > sea_m {
                let dx = f64::from(pair[0][x] - pair[0][x - 1]) / pixel_m[0];
                let dz = f64::from(pair[1][x] - pair[0][x]) / pixel_m[1];
                sum += dx * dx + dz * dz;
                count += 1;
            }
        }
    }
    let slope = (sum / f64::from(count.max(1))).sqrt();
    let wanted = if slope > 0.0 { (SLOPE_WANTED / slope) as f32 } else { 1.0 };
    // Nearest by ratio, that is, the first step whose geometric middle to the next one lies above.
    let above = EXAGGERATIONS.windows(2).position(|pair| wanted * wanted < pair[0] * pair[1]);
    above.map_or(EXAGGERATIONS[EXAGGERATIONS.len() - 1], |i| EXAGGERATIONS[i])
}

impl<'a> Relief<'a> {
    /// Steps of the colour table over the world's range.
    const RAMP_STEPS: usize = 4096;

    fn new(grid: &'a Grid, scale: [f32; 2], scene: &Scene) -> Self {
        let surface: Vec<f32> =
            grid.values.iter().map(|&h| if h < scene.sea_level_m { scene.sea_level_m } else { h }).collect();
        let side = grid.size[0].max(grid.size[1]);
        let radii = [(side / 260).max(1), (side / 60).max(2)];
        let range_m = scene.max_m - scene.min_m;
        let step_m = range_m / Self::RAMP_STEPS as f32;
        let ramp = (0..=Self::RAMP_STEPS).map(|i| {
            let code = ramp_color(&scene.ramp, scene.min_m + i as f32 * step_m);
            linear_rgb(code.map(|code| (code + 0.5) as u8))
        });
        Self {
            grid,
            scale,
            fine: blur(&surface, grid.size, radii[0]),
            coarse: blur(&surface, grid.size, radii[1]),
            radii: radii.map(|radius| radius as f32),
            shadow: shadows(&surface, grid.size, scale),
            surface,
            water: Water::new(scene),
            foam: linear_rgb(FOAM),
            wet: linear_rgb(WET),
            ramp: ramp.collect(),
            ramp_min_m: scene.min_m,
            ramp_steps_per_m: if range_m > 0.0 { Self::RAMP_STEPS as f32 / range_m } else { 0.0 },
        }
    }

    /// Linear light of a pixel.
    fn pixel(&self, x: usize, z: usize) -> [f32; 3] {
        let [width, height] = self.grid.size;
        let i = z * width + x;
        let [left, right] = [x.saturating_sub(1), (x + 1).min(width - 1)];
        let [up, down] = [z.saturating_sub(1), (z + 1).min(height - 1)];
        let at = |x: usize, z: usize| self.grid.values[z * width + x];
        let across = |difference: f32, pixels: usize, scale: f32| difference * scale / pixels.max(1) as f32;
        let slope = [
            across(at(right, z) - at(left, z), right - left, self.scale[0]),
            across(at(x, down) - at(x, up), down - up, self.scale[1]),
        ];
        let height_m = at(x, z);
        let below_sea_m = self.water.sea_m - height_m;
        let ground = self.ground(height_m);
        let lit = self.lit(ground, slope, i);

        // The coast's distance in pixels, from the height above it and the slope there.
        let steep = (slope[0] * slope[0] + slope[1] * slope[1]).sqrt().max(0.04);
        let off_shore = below_sea_m * self.scale[0] / steep;
        if off_shore < -4.0 {
            return lit;
        }
        let wet = mix(
            lit,
            product(self.wet, lit_factor(ground, lit)),
            0.30 * (1.0 + off_shore / 4.0).clamp(0.0, 1.0),
        );
        if off_shore < -0.5 {
            return wet;
        }
        let water = self.water.over(lit, height_m);
        let foam = 0.55 * (1.0 - (off_shore - 0.8).abs() / 1.8).max(0.0)
            + 0.10 * (1.0 - off_shore / 9.0).clamp(0.0, 1.0);
        mix(wet, mix(water, self.foam, foam), (off_shore + 0.5).clamp(0.0, 1.0))
    }

    /// Colour of the bare ground.
    fn ground(&self, height_m: f32) -> [f32; 3] {
        // The cast truncates and saturates at 0.
        let step = ((height_m - self.ramp_min_m) * self.ramp_steps_per_m + 0.5) as usize;
        self.ramp[step.min(Self::RAMP_STEPS)]
    }

    /// Ground of a slope under sun and sky.
    fn lit(&self, ground: [f32; 3], slope: [f32; 2], i: usize) -> [f32; 3] {
        let inverse = 1.0 / (1.0 + slope[0] * slope[0] + slope[1] * slope[1]).sqrt();
        let normal = [-slope[0] * inverse, inverse, -slope[1] * inverse];
        let mut sun = 0.0;
        for (light, ([x, y, z], weight)) in LIGHTS.into_iter().enumerate() {
            let facing = (normal[0] * x + normal[1] * y + normal[2] * z).max(0.0);
            let shade = if light == 0 { 1.0 - SHADOW_DEPTH * self.shadow[i] } else { 1.0 };
            sun += weight * facing * shade;
        }
        let open = self.openness(i);
        let sky = (0.55 + 0.45 * normal[1]) * open;
        // Hollows lose some sun as well: it makes valleys read at a glance.
        let sun = sun * (0.72 + 0.28 * open);
        std::array::from_fn(|c| ground[c] * (SUN[c] * sun + SKY[c] * sky))
    }

    /// About 1 on open ground, less in hollows, a little more on ridges.
    fn openness(&self, i: usize) -> f32 {
        let scale = self.scale[0].min(self.scale[1]);
        let soft = |t: f32| t / (1.0 + t.abs());
        let fine = soft((self.surface[i] - self.fine[i]) * scale / self.radii[0] * 2.4);
        let coarse = soft((self.surface[i] - self.coarse[i]) * scale / self.radii[1] * 2.4);
        (1.0 + 0.34 * fine + 0.50 * coarse).clamp(0.25, 1.4)
    }
}

/// How much each place lies in the shadow of the main light, 0..=1.
///
/// The light comes down the page's diagonal, so the height of the shadow over a pixel follows from its upper
/// left neighbour: one pass.
fn shadows(surface: &[f32], size: [usize; 2], scale: [f32; 2]) -> Vec<f32> {
    let [width, height] = size;
    let scale = scale[0].min(scale[1]);
    let mut share = vec![0.0; surface.len()];
    for slope in SHADOW_SLOPES {
        // Pixels of a diagonal are sqrt(2) apart.
        let falls = slope * std::f32::consts::SQRT_2 / scale;
        let mut above = surface.to_vec();
        for z in 1..height {
            for x in 1..width {
                let i = z * width + x;
                let cast = above[i - width - 1] - falls;
                if cast > above[i] {
                    above[i] = cast;
                }
                let deep = ((above[i] - surface[i]) * scale / 1.5).clamp(0.0, 1.0);
                share[i] += deep / SHADOW_SLOPES.len() as f32;
            }
        }
    }
    // The diagonal shows in the edges of shadows otherwise.
    blur(&share, size, 1)
}

/// Bends bright light towards 1 instead of cutting it off, so that sunlit snow keeps its shape.
fn shoulder(light: f32) -> f32 {
    const START: f32 = 0.66;
    if light <= START {
        return light;
    }
    let beyond = (light - START) / (1.0 - START);
    START + (1.0 - START) * beyond / (1.0 + beyond)
}

fn mix(a: [f32; 3], b: [f32; 3], part: f32) -> [f32; 3] {
    std::array::from_fn(|c| a[c] + (b[c] - a[c]) * part)
}

fn product(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|c| a[c] * b[c])
}

/// The light that turned `ground` into `lit`.
fn lit_factor(ground: [f32; 3], lit: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|c| lit[c] / ground[c].max(1e-3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::test_scene::TestScene;

    #[test]
    fn lights_are_unit_vectors_and_level_ground_keeps_its_colour() {
        let weights: f32 = LIGHTS.iter().map(|light| light.1).sum();
        assert!((weights - 1.0).abs() < 1e-6);
        for ([x, y, z], _) in LIGHTS {
            assert!((x * x + y * y + z * z - 1.0).abs() < 2e-3);
        }
        let up: f32 = LIGHTS.iter().map(|([_, y, _], weight)| y * weight).sum();
        for c in 0..3 {
            assert!((SUN[c] * up + SKY[c] - 1.08).abs() < 0.06, "channel {c}");
        }
    }

    #[test]
    fn the_slope_to_the_light_is_brighter() {
        let scene = TestScene::hills(16, [1, 1]).scene;
        let roof = |x: usize| 100.0 - (x as f32 - 50.0).abs();
        let grid = Grid { size: [101, 60], values: (0..60).flat_map(|_| (0..101).map(roof)).collect() };
        let map = paint(&grid, [1.0, 1.0], &scene);
        let sum = |x: usize| map.pixels[30 * 101 + x].iter().map(|&code| u32::from(code)).sum::<u32>();
        assert!(sum(25) > sum(75) + 60, "{} and {}", sum(25), sum(75));
    }

    #[test]
    fn exaggeration_brings_slopes_together() {
        let plane = |slope: f32| Grid {
            size: [50, 50],
            values: (0..2500).map(|i| 10.0 + slope * (i % 50) as f32).collect(),
        };
        let factors = [0.0, 0.04, 0.42, 4.2].map(|slope| exaggeration(&plane(slope), [1.0, 1.0], 0.0));
        assert_eq!(factors, [1.0, 12.0, 1.0, 0.1]);
    }

    #[test]
    fn deep_water_hides_the_bed() {
        let water = Water::new(&TestScene::hills(16, [1, 1]).scene);
        let differs = |height_m| {
            let (a, b) = (water.over([0.0; 3], height_m), water.over([1.0; 3], height_m));
            (a[0] - b[0]).abs()
        };
        assert!(differs(-0.5) > 0.6 && differs(-80.0) < 0.05);
    }
}
