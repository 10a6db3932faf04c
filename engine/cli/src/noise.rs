//! `terrane noise`: a picture of a kind of noise, or of all of them.
//!
//! In: a kind, its settings and a fractal. Out: one PNG, gray, its contrast stretched to what it holds; as a sheet four
//! panels: one octave in the plane, a slice through space, five octaves, and the power spectrum of one octave, in which
//! banding would show as lines.

use std::path::Path;

use rustfft::FftPlanner;
use rustfft::num_complex::Complex;
use terrane::SimdLevel;
use terrane::config::parse_seed;
use terrane::noise::{
    Dimensions, Fractal, FractalShape, Kind, Noise, NoiseParams, Scratch, Setting, SettingRule, SettingValue,
    Volume,
};

use crate::args::NoiseArgs;
use crate::error::Failure;
use crate::picture::{self, Picture};
use crate::whole_file;

pub(crate) fn run(args: &NoiseArgs) -> Result<(), Failure> {
    if args.list {
        list();
        return Ok(());
    }
    if args.all {
        return all(args, args.out.as_deref().unwrap_or(Path::new("noise")));
    }
    let params = params(args, &args.kind)?;
    let default = format!("{}.png", args.kind);
    let path = args.out.as_deref().unwrap_or(Path::new(&default));
    whole_file::check(path, args.force)?;
    let picture = if args.sheet { sheet(&params, args.size)? } else { panel(&params, args.size)? };
    picture::write(path, &picture, args.force)
}

/// A sheet of every kind. All that can be wrong is looked at before the first is written.
fn all(args: &NoiseArgs, folder: &Path) -> Result<(), Failure> {
    let mut sheets = Vec::new();
    for info in Kind::ALL {
        let path = folder.join(format!("{}.png", info.name));
        whole_file::check(&path, args.force)?;
        sheets.push((path, sheet(&params(args, info.name)?, args.size)?));
    }
    picture::make_folder(folder)?;
    sheets.iter().try_for_each(|(path, sheet)| picture::write(path, sheet, args.force))
}

fn list() {
    for info in Kind::ALL {
        say!("{:<15} {}", info.name, info.about);
        for setting in info.settings {
            say!("{:<15}   --set {}={}  {}", "", setting.name, range(setting), setting.about);
        }
    }
}

fn range(setting: &Setting) -> String {
    match setting.rule {
        SettingRule::Number { min, max, .. } => format!("{min}..{max}"),
        SettingRule::Choice(words) => words.join("|"),
    }
}

fn params(args: &NoiseArgs, name: &str) -> Result<NoiseParams, Failure> {
    let info = Kind::ALL.iter().find(|info| info.name == name).ok_or_else(|| {
        let names: Vec<_> = Kind::ALL.iter().map(|info| info.name).collect();
        Failure::Noise(format!("no kind of noise is called {name:?}; the kinds are {}", names.join(", ")))
    })?;
    let mut settings = Vec::new();
    for text in &args.set {
        let wrong = |expected: String| Failure::Noise(format!("--set {text}: {name} noise takes {expected}"));
        let known = || info.settings.iter().map(|s| format!("{}={}", s.name, range(s))).collect::<Vec<_>>();
        let known = if info.settings.is_empty() { "no settings".to_owned() } else { known().join(" ") };
        let (key, value) = text.split_once('=').ok_or_else(|| wrong(known.clone()))?;
        let setting = info.settings.iter().find(|s| s.name == key).ok_or_else(|| wrong(known.clone()))?;
        let value = match setting.rule {
            SettingRule::Number { .. } => value.parse().ok().map(SettingValue::Number),
            SettingRule::Choice(words) => words.iter().position(|w| *w == value).map(SettingValue::Choice),
        };
        settings.push((setting.name, value.ok_or_else(|| wrong(known.clone()))?));
    }
    let kind = Kind::from_name(name, &settings).expect("a name of the list");
    let shape = FractalShape::ALL.iter().find(|(_, name, _)| *name == args.shape).expect("checked by clap").0;
    Ok(NoiseParams {
        kind: kind.map_err(|error| Failure::Noise(error.to_string()))?,
        dimensions: if args.three_d { Dimensions::Three } else { Dimensions::Two },
        seed: parse_seed(&args.seed),
        frequency: 1.0 / args.feature,
        fractal: Fractal { shape, octaves: args.octaves, ..Fractal::default() },
        periods: [None; 3],
    })
}

fn fill(params: &NoiseParams, size: usize, at: i64) -> Result<Vec<f32>, Failure> {
    let noise = Noise::new(params).map_err(|error| Failure::Noise(error.to_string()))?;
    let mut values = vec![0.0; size * size];
    // A slice through the middle of a lattice cell along y as likely as through its side.
    let volume = Volume { x: at, y: 17, z: at / 2, width: size, height: size, depth: 1, stride: 1 };
    let level = SimdLevel::from_env()?;
    noise.fill_volume(level, &volume, &mut values, [size, size * size], &mut Scratch::new());
    Ok(values)
}

fn panel(params: &NoiseParams, size: usize) -> Result<Picture, Failure> {
    Ok(Picture { width: size, height: size, pixels: picture::stretched(&fill(params, size, 0)?) })
}

/// The four panels side by side, with a white gap.
fn sheet(params: &NoiseParams, size: usize) -> Result<Picture, Failure> {
    let one = |dimensions| NoiseParams {
        dimensions,
        fractal: Fractal { octaves: 1, shape: FractalShape::Fbm, ..params.fractal },
        ..params.clone()
    };
    let five = NoiseParams { fractal: Fractal { octaves: 5, ..params.fractal }, ..one(Dimensions::Two) };
    let panels = [
        panel(&one(Dimensions::Two), size)?.pixels,
        panel(&one(Dimensions::Three), size)?.pixels,
        panel(&five, size)?.pixels,
        spectrum(&one(Dimensions::Two), size)?,
    ];
    const GAP: usize = 8;
    let width = panels.len() * (size + GAP) - GAP;
    let mut pixels = vec![255; width * size];
    for (i, panel) in panels.iter().enumerate() {
        for (row, to) in panel.chunks(size).zip(pixels.chunks_mut(width)) {
            to[i * (size + GAP)..][..size].copy_from_slice(row);
        }
    }
    Ok(Picture { width, height: size, pixels })
}

/// The power spectrum of one octave, frequency 0 in the middle, logarithmic over five powers of ten; the mean of 24 tiles
/// under a Hann window. Six samples a cell, so that the noise's own frequencies fill a third of the picture.
fn spectrum(params: &NoiseParams, size: usize) -> Result<Vec<u8>, Failure> {
    let mut power = vec![0.0f64; size * size];
    let fft = FftPlanner::<f32>::new().plan_fft_forward(size);
    let params = NoiseParams { frequency: 1.0 / 6.0, ..params.clone() };
    for tile in 0..24 {
        let values = fill(&NoiseParams { seed: params.seed.wrapping_add(tile), ..params.clone() }, size, 0)?;
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        let window: Vec<f32> = (0..size).map(|i| hann(i, size)).collect();
        let mut grid: Vec<Complex<f32>> = values
            .iter()
            .enumerate()
            .map(|(i, v)| Complex::new((v - mean) * window[i % size] * window[i / size], 0.0))
            .collect();
        for _ in 0..2 {
            fft.process(&mut grid);
            transpose(&mut grid, size);
        }
        for (power, value) in power.iter_mut().zip(&grid) {
            *power += f64::from(value.norm_sqr());
        }
    }
    let largest = power.iter().fold(f64::MIN_POSITIVE, |a, b| a.max(*b));
    let pixel = |i: usize| {
        let (x, y) = ((i % size + size / 2) % size, (i / size + size / 2) % size);
        let decades = decades_below(power[y * size + x] / largest);
        ((1.0 - decades / 5.0).clamp(0.0, 1.0) * 255.0 + 0.5) as u8
    };
    Ok((0..size * size).map(pixel).collect())
}

#[expect(clippy::disallowed_methods, reason = "a picture of the spectrum, not generation")]
fn decades_below(ratio: f64) -> f64 {
    -ratio.max(1e-9).log10()
}

#[expect(clippy::disallowed_methods, reason = "a window for the spectrum, not generation")]
fn hann(i: usize, n: usize) -> f32 {
    (0.5 - 0.5 * (std::f64::consts::TAU * (i as f64 + 0.5) / n as f64).cos()) as f32
}

fn transpose(grid: &mut [Complex<f32>], n: usize) {
    for y in 0..n {
        for x in 0..y {
            grid.swap(y * n + x, x * n + y);
        }
    }
}
