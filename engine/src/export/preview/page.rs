//! The page: the map in its frame, and beside it what one needs to read it.
//!
//! In: a painted map. Out: the finished picture. The legend holds the world's name, what makes it
//! reproducible, the colour ramp with heights (drawn with water, as on the map), a scale bar and the
//! directions of the axes.

use super::super::Scene;
use super::super::color::{Encoder, linear_rgb};
use super::canvas::{Canvas, Rgb};
use super::layout::Layout;
use super::relief::{Map, Water};
use super::text::{self, BODY, Scale};
use super::units;
use crate::stages::colors::ramp_color;

const PAPER: Rgb = [247, 244, 237];
const INK: Rgb = [44, 42, 40];
const MUTED: Rgb = [128, 122, 112];
const SEA: Rgb = [38, 104, 148];

const MARGIN: usize = 44;
const GUTTER: usize = 40;
const PANEL: usize = 320;
/// The least height of the legend.
const PANEL_HEIGHT: usize = 700;
/// Where the facts' values start, from the panel's left.
const VALUE_X: usize = 96;
const LINE: usize = 27;

/// Size of the page in pixels.
pub(super) fn size(layout: &Layout) -> [usize; 2] {
    let block = layout.block();
    [MARGIN + block[0] + GUTTER + PANEL + MARGIN, MARGIN + block[1].max(PANEL_HEIGHT) + MARGIN]
}

/// Sets the map on a page.
pub(super) fn draw(scene: &Scene, layout: &Layout, map: &Map) -> Canvas {
    let size = size(layout);
    let mut canvas = Canvas::new(size, PAPER);
    let block = layout.block();
    let top = MARGIN + block[1].max(PANEL_HEIGHT).saturating_sub(block[1]) / 2;
    for i in 0..layout.strips {
        let (from, to) = layout.strip(i);
        let mut part = map.size;
        part[layout.long] = layout.strip_length().min(map.size[layout.long] - from[layout.long]);
        let to = [MARGIN + to[0], top + to[1]];
        canvas.frame(to, part, INK);
        canvas.copy(&map.pixels, map.size[0], from, to, part);
    }

    let x = MARGIN + block[0] + GUTTER;
    let y = title(&mut canvas, [x, MARGIN], scene);
    let y = facts(&mut canvas, [x, y], scene, layout, map);
    let bottom = MARGIN + block[1].max(PANEL_HEIGHT);
    let foot = bottom - 84;
    ramp(&mut canvas, [x, y + 28], (foot - 28).saturating_sub(y + 28).min(460), scene);
    axes(&mut canvas, [x, foot]);
    scale_bar(&mut canvas, [x + 116, foot], layout.pixel_m(scene.sample_spacing_m)[layout.long]);
    canvas
}

/// The world's name over a rule; returns where to go on.
fn title(canvas: &mut Canvas, at: [usize; 2], scene: &Scene) -> usize {
    let name = if scene.world_name.is_empty() { "world" } else { &scene.world_name };
    let scale = [2.0, 1.5].map(Scale).into_iter().find(|scale| scale.width(name) <= PANEL).unwrap_or(BODY);
    text::draw(canvas, at, scale, INK, &scale.fit(name, PANEL));
    let y = at[1] + scale.height() + 10;
    canvas.fill([at[0], y], [PANEL, 1], INK);
    y + 16
}

/// What makes the picture reproducible and readable, as lines of key and value; returns where to go on.
fn facts(canvas: &mut Canvas, at: [usize; 2], scene: &Scene, layout: &Layout, map: &Map) -> usize {
    let size_m = |samples: usize| units::length((samples - 1) as f64 * scene.sample_spacing_m);
    let region = scene.region;
    let mut lines = vec![
        ("seed", scene.seed.to_string()),
        ("version", scene.generator_version.to_string()),
        ("chunks", format!("{} x {}", region.columns(), region.rows())),
        // On lines of their own, since far from the origin they are long.
        ("from x", region.x0.to_string()),
        ("from z", region.z0.to_string()),
        ("ground", format!("{} x {}", size_m(scene.width), size_m(scene.height))),
        ("sample", units::length(scene.sample_spacing_m)),
        ("relief", format!("x {}", units::number(f64::from(map.exaggeration)))),
    ];
    if layout.strips > 1 {
        let direction = ["top to bottom", "left to right"][layout.long];
        lines.push(("strips", format!("{}, {direction}", layout.strips)));
    }
    if layout.stretch() != 1.0 {
        lines.push(("width", format!("x {}", units::number(layout.stretch()))));
    }
    for (i, (key, value)) in lines.iter().enumerate() {
        let y = at[1] + i * LINE;
        text::draw(canvas, [at[0], y], BODY, MUTED, key);
        text::draw(canvas, [at[0] + VALUE_X, y], BODY, INK, &BODY.fit(value, PANEL - VALUE_X));
    }
    at[1] + lines.len() * LINE
}

/// The colours from high to low, with round heights and the sea's level.
fn ramp(canvas: &mut Canvas, at: [usize; 2], height: usize, scene: &Scene) {
    const WIDTH: usize = 34;
    let (min, max) = (f64::from(scene.min_m), f64::from(scene.max_m));
    let (water, encoder) = (Water::new(scene), Encoder::new());
    canvas.frame(at, [WIDTH, height], INK);
    for y in 0..height {
        let metres = (max - (max - min) * (y as f64 + 0.5) / height as f64) as f32;
        let ground = linear_rgb(ramp_color(&scene.ramp, metres).map(|code| (code + 0.5) as u8));
        let light = if metres < scene.sea_level_m { water.over(ground, metres) } else { ground };
        canvas.fill([at[0], at[1] + y], [WIDTH, 1], light.map(|light| encoder.code(light)));
    }
    if max <= min {
        text::draw(canvas, [at[0] + WIDTH + 18, at[1]], BODY, INK, &units::length(min));
        return;
    }
    let row = |metres: f64| at[1] + ((max - metres) / (max - min) * (height - 1) as f64 + 0.5) as usize;
    let sea = f64::from(scene.sea_level_m);
    let has_sea = sea > min && sea <= max;
    // At most one label per 56 pixels, at round heights.
    let labels = (height / 56).max(2) as f64;
    let mut step = units::round_down((max - min) / labels);
    while (max - min) / step > labels {
        step *= 2.0;
    }
    let mut tick = (min / step).ceil();
    while tick * step <= max {
        let metres = tick * step;
        let near_sea = has_sea && row(metres).abs_diff(row(sea)) < 22;
        canvas.fill([at[0] + WIDTH + 1, row(metres)], [8, 1], INK);
        if !near_sea {
            label(canvas, [at[0] + WIDTH + 18, row(metres)], INK, &units::length(metres));
        }
        tick += 1.0;
    }
    if has_sea {
        canvas.fill([at[0] - 1, row(sea)], [WIDTH + 14, 1], SEA);
        label(canvas, [at[0] + WIDTH + 18, row(sea)], SEA, &format!("{} sea level", units::length(sea)));
    }
}

/// A line of text whose middle is at `at[1]`.
fn label(canvas: &mut Canvas, at: [usize; 2], color: Rgb, text: &str) {
    text::draw(canvas, [at[0], at[1].saturating_sub(BODY.height() / 2)], BODY, color, text);
}

/// Two arrows from a corner: x to the right, z down the page.
fn axes(canvas: &mut Canvas, at: [usize; 2]) {
    const LENGTH: usize = 44;
    canvas.fill(at, [LENGTH, 2], INK);
    canvas.fill(at, [2, LENGTH], INK);
    for i in 0..6 {
        // Heads: six columns, each a little lower than the one before.
        let half = 5 - i;
        canvas.fill([at[0] + LENGTH + i, at[1] + 1 - half.min(at[1])], [1, 2 * half], INK);
        canvas.fill([at[0] + 1 - half.min(at[0]), at[1] + LENGTH + i], [2 * half, 1], INK);
    }
    label(canvas, [at[0] + LENGTH + 12, at[1] + 1], INK, "x");
    label(canvas, [at[0] + 12, at[1] + LENGTH], INK, "z");
}

/// A bar of a round length, in four parts.
fn scale_bar(canvas: &mut Canvas, at: [usize; 2], pixel_m: f64) {
    const ROOM: f64 = 160.0;
    let metres = units::round_down(ROOM * pixel_m);
    let pixels = (metres / pixel_m + 0.5) as usize;
    canvas.fill([at[0], at[1] + 36], [pixels, 9], INK);
    for part in 0..4 {
        let (from, to) = (part * pixels / 4, (part + 1) * pixels / 4);
        let color = if part % 2 == 0 { INK } else { PAPER };
        canvas.fill([at[0] + from + 1, at[1] + 37], [(to - from).saturating_sub(2).max(1), 7], color);
    }
    text::draw(canvas, [at[0], at[1] + 54], BODY, INK, "0");
    let end = units::length(metres);
    let x = (at[0] + pixels).saturating_sub(BODY.width(&end) / 2);
    text::draw(canvas, [x, at[1] + 54], BODY, INK, &end);
}
