//! Programs with slopes: every kind of noise moved by others, and every operation of the builder, in the plane and in
//! space.
use terrane_noise::{
    Cellular, Coord, Curve, CurveKey, Dimensions, Filter, Fractal, FractalShape, Kind, Node, NoiseParams,
    Outside, Perlin, Program, ProgramBuilder, ProgramError, Raster, RasterParams, Scratch, SimdLevel,
    Simplex, Value, Volume, WarpBy, WarpNoise, WarpOrder,
};

use crate::Fnv;
use crate::noise::{FAR, positions};

pub fn report(out: &mut String) {
    for (dimensions, name) in [(Dimensions::Two, "flat"), (Dimensions::Three, "space")] {
        for info in Kind::ALL {
            let program = moved_kind(dimensions, info.name, info.slope_max.is_some()).expect(info.name);
            program_lines(out, &format!("{name} moved {}", info.name), &program);
        }
        program_lines(out, name, &operations(dimensions).expect(name));
    }
}

fn noise(
    kind: impl Into<Kind>,
    dimensions: Dimensions,
    seed: u64,
    feature: f64,
    octaves: u32,
) -> NoiseParams {
    let fractal = Fractal { octaves, lacunarity: 2.03, ..Fractal::default() };
    let (kind, frequency) = (kind.into(), 1.0 / feature);
    NoiseParams { kind, dimensions, seed, frequency, fractal, ..NoiseParams::default() }
}

/// Three octaves of simplex noise along each axis.
fn sway(dimensions: Dimensions) -> WarpNoise {
    let along = |seed| noise(Simplex, dimensions, seed, 130.0, 3);
    WarpNoise { x: along(11), y: (dimensions == Dimensions::Three).then(|| along(12)), z: along(13) }
}

fn moved_kind(dimensions: Dimensions, name: &str, slopes: bool) -> Result<Program, ProgramError> {
    let mut to = ProgramBuilder::new();
    let kind = Kind::from_name(name, &[]).expect("listed").expect("defaults are right");
    let plain = noise(kind, dimensions, 21, 47.0, 2);
    let billow = Fractal { shape: FractalShape::Billow, weighted_strength: 0.6, ..plain.fractal };
    for (name, params) in [("fbm", plain.clone()), ("billow", NoiseParams { fractal: billow, ..plain })] {
        let source = to.noise(&params)?;
        for (order, word) in ORDERS {
            let moved = to.warp_by_noise(source, &sway(dimensions), order, 35.0)?;
            let name = format!("{name} {word}");
            if slopes { to.output_with_slopes(&name, moved)? } else { to.output(&name, moved)? }
        }
    }
    to.build()
}

pub const ORDERS: [(WarpOrder, &str); 2] =
    [(WarpOrder::Independent, "independent"), (WarpOrder::Progressive, "progressive")];

/// Every operation, of simplex fBm that is moved twice and of others; the slopes of each.
fn operations(dimensions: Dimensions) -> Result<Program, ProgramError> {
    let mut to = ProgramBuilder::new();
    let fbm = to.noise(&noise(Simplex, dimensions, 1, 90.0, 5))?;
    let by_noise = to.warp_by_noise(fbm, &sway(dimensions), WarpOrder::Progressive, 40.0)?;
    let [x, y, z] = [31, 32, 33].map(|seed| noise(Value, dimensions, seed, 200.0, 2));
    let (x, y, z) = (to.noise(&x)?, to.noise(&y)?, to.noise(&z)?);
    let y = (dimensions == Dimensions::Three).then_some(y);
    let a = to.warp(by_noise, WarpBy { x, y, z }, -55.5)?;
    let ridged = noise(Perlin, dimensions, 2, 61.0, 4);
    let fractal = Fractal { shape: FractalShape::Ridged, weighted_strength: 0.7, ..ridged.fractal };
    let b = to.noise(&NoiseParams { fractal, ..ridged })?;
    let falloff = to.falloff([-50, FAR + 20], 10.0, 400.0)?;
    let moved_falloff = to.warp(falloff, WarpBy { x: a, y: None, z: b }, 25.0)?;
    let keys = [(-1.0, 0.4), (-0.3, -0.7), (0.1, 0.2), (0.8, 0.9)].map(|(at, to)| CurveKey { at, to });
    let third = to.constant(1.0 / 3.0)?;
    let cells = to.noise(&noise(Cellular::default(), dimensions, 3, 33.0, 1))?;
    let mut nodes: Vec<(String, Node)> = vec![
        ("moved by noise".into(), by_noise),
        ("moved twice".into(), a),
        ("ridged".into(), b),
        ("falloff".into(), falloff),
        ("moved falloff".into(), moved_falloff),
        ("add".into(), to.add(a, b)?),
        ("subtract".into(), to.subtract(b, a)?),
        ("multiply".into(), to.multiply(a, b)?),
        ("min".into(), to.min(a, b)?),
        ("max".into(), to.max(a, b)?),
        ("smooth_min".into(), to.smooth_min(a, b, 0.37)?),
        ("smooth_max".into(), to.smooth_max(a, b, 0.37)?),
        ("mix".into(), to.mix(a, third, b)?),
        ("curve".into(), to.curve(a, &Curve::new(&keys, [-1.0, 0.8])?)?),
        ("terrace".into(), to.terrace(a, 5.3, 0.9)?),
        ("remap".into(), to.remap(a, [-0.7, 0.9], [3.0, -11.0])?),
        ("clamp".into(), to.clamp(a, -0.2, 0.3)?),
        ("abs".into(), to.abs(a)?),
    ];
    for exponent in 1..=8 {
        nodes.push((format!("power {exponent}"), to.power(a, exponent)?));
    }
    for (filter, name, _) in Filter::ALL {
        let pixels = to.raster(&raster(filter))?;
        nodes.push((name.into(), pixels));
        nodes.push((format!("moved {name}"), to.warp(pixels, WarpBy { x: a, y: None, z: b }, 60.0)?));
    }
    for (name, node) in nodes {
        to.output_with_slopes(&name, node)?;
    }
    let steep = to.slope(a, 0.75)?;
    to.output("slope", steep)?;
    let moved_cells = to.warp(cells, WarpBy { x: a, y: Some(x), z: b }, 20.0)?;
    to.output("moved cells", moved_cells)?;
    to.build()
}

fn raster(filter: Filter) -> Raster {
    let params = RasterParams {
        origin: [(-60).into(), Coord { index: FAR, fraction: 0x4321 }],
        pixels_per_sample: [0.31, 0.77],
        filter,
        outside: Outside::Mirror,
        low: -0.8,
        high: 0.7,
    };
    Raster::new(pixels(19, 13).into(), 19, 13, &params).expect("valid")
}

/// Pixels of no pattern.
pub fn pixels(width: u32, height: u32) -> Vec<u16> {
    (0..width * height).map(|i| (i.wrapping_mul(0x9e37_79b9) ^ i << 13) as u16).collect()
}

/// Each output alone, with its slopes where it has them; all of them at once; points.
fn program_lines(out: &mut String, case: &str, program: &Program) {
    let (scratch, positions) = (&mut Scratch::new(), positions());
    let names: Vec<_> = program.outputs().map(String::from).collect();
    for level in SimdLevel::available() {
        for stride in [1, 8] {
            let depth = if program.varies_along_y() { 3 } else { 1 };
            let volume = Volume { x: -70, y: -1, z: FAR, width: 83, height: 33, depth, stride };
            let strides = [83, 83 * 33];
            for (output, name) in names.iter().enumerate() {
                let (mut hash, mut columns) = (Fnv::new(), [0; 4].map(|_| vec![0f32; volume.samples()]));
                let [value, x, y, z] = &mut columns;
                program.fill_output(level, output, &volume, value, strides, scratch);
                hash.f32s(value);
                let bounds = program.bounds(output);
                hash.f32s(&[bounds.low, bounds.high]);
                if let Some(bounds) = program.slope_bounds(output) {
                    program.fill_gradient(level, output, &volume, value, [x, y, z], strides, scratch);
                    hash.f32s(value);
                    for slope in [x, y, z] {
                        hash.slopes(slope);
                    }
                    hash.slopes(&bounds.map(|bounds| [bounds.low, bounds.high]).concat());
                }
                hash.line(out, format_args!("program {case}: {name} s{stride}"), level);
            }
            let mut columns = vec![vec![0f32; volume.samples()]; names.len()];
            let mut outs: Vec<_> = columns.iter_mut().map(|column| &mut column[..]).collect();
            program.fill_volume(level, &volume, &mut outs, strides, scratch);
            let mut hash = Fnv::new();
            columns.iter().for_each(|column| hash.f32s(column));
            hash.line(out, format_args!("program {case}: all s{stride}"), level);
        }
        let mut columns = vec![vec![0f32; positions.len()]; names.len()];
        let mut outs: Vec<_> = columns.iter_mut().map(|column| &mut column[..]).collect();
        program.fill_points(level, &positions, &mut outs, scratch);
        let mut hash = Fnv::new();
        columns.iter().for_each(|column| hash.f32s(column));
        hash.line(out, format_args!("program {case}: points"), level);
    }
    for (output, name) in names.iter().enumerate() {
        let mut hash = Fnv::new();
        for at in &positions {
            hash.f32s(&[program.at_3d(output, *at)]);
            if program.slope_bounds(output).is_some() {
                let gradient = program.gradient_at(output, *at);
                hash.f32s(&[gradient.value]);
                hash.slopes(&gradient.slope);
            }
        }
        hash.line(out, format_args!("program {case}: {name} one point"), "scalar");
    }
}
