//! `terrane inspect`: what is at one place.

use terrane::{Position, World};

use crate::args::InspectArgs;
use crate::error::Failure;
use crate::source;

pub(crate) fn run(args: &InspectArgs) -> Result<(), Failure> {
    let world = source::open(&args.source)?.world;
    let at = match (args.at, args.at_sample) {
        (_, Some(sample)) => Position::from_samples(sample)?,
        (Some(metres), None) => Position::from_metres(metres, world.sample_spacing_m())?,
        (None, None) => unreachable!("clap asks for one of them"),
    };
    let found = Place::new(&world, at);
    if args.json {
        say!("{}", found.json());
    } else {
        found.print();
    }
    Ok(())
}

struct Place {
    metres: [f64; 2],
    at: Position,
    chunk: [i64; 2],
    inside: bool,
    height_m: f32,
    sea_level_m: f32,
    normal: [f32; 3],
    slope_deg: f64,
    fields: Vec<(String, f32)>,
}

impl Place {
    fn new(world: &World, at: Position) -> Self {
        let normal = world.normal_at(at);
        let chunk = world.chunk_at(at);
        Self {
            metres: at.metres(world.sample_spacing_m()),
            at,
            chunk: [chunk.x, chunk.z],
            inside: world.contains(at),
            height_m: world.height_at(at),
            sea_level_m: world.config().height.sea_level_m,
            normal,
            slope_deg: degrees(normal[1]),
            fields: world
                .field_names()
                .enumerate()
                .map(|(i, name)| (name.to_owned(), world.field_at(i, at)))
                .collect(),
        }
    }

    fn json(&self) -> serde_json::Value {
        let fields: serde_json::Map<String, serde_json::Value> =
            self.fields.iter().map(|(name, value)| (name.clone(), (*value).into())).collect();
        serde_json::json!({
            "x_m": self.metres[0],
            "z_m": self.metres[1],
            "sample": [self.at.x.index, self.at.z.index],
            "fraction": [f64::from(self.at.x.fraction) / 65_536.0, f64::from(self.at.z.fraction) / 65_536.0],
            "chunk": self.chunk,
            "inside": self.inside,
            "height_m": self.height_m,
            "height_bits": format!("{:08x}", self.height_m.to_bits()),
            "above_sea_m": self.height_m - self.sea_level_m,
            "normal": self.normal,
            "slope_deg": self.slope_deg,
            "fields": fields,
        })
    }

    fn print(&self) {
        let [x_m, z_m] = self.metres;
        say!("place     x {x_m} m, z {z_m} m");
        let part = |fraction: u16| if fraction == 0 { String::new() } else { format!(" + {fraction}/65536") };
        let (x, z) = (self.at.x, self.at.z);
        say!("sample    {}{}, {}{}", x.index, part(x.fraction), z.index, part(z.fraction));
        let outside = if self.inside { "" } else { " (outside the world: the edge floor)" };
        say!("chunk     {}, {}{outside}", self.chunk[0], self.chunk[1]);
        say!("height    {} m, {:+} m to the sea", self.height_m, self.height_m - self.sea_level_m);
        let [nx, ny, nz] = self.normal;
        say!("normal    {nx:.6}, {ny:.6}, {nz:.6}");
        say!("slope     {:.2} degrees", self.slope_deg);
        for (name, value) in &self.fields {
            say!("field     {name} = {value}");
        }
    }
}

/// The angle to the vertical whose cosine is given: for people, so the platform's arc cosine is good enough.
#[expect(clippy::disallowed_methods, reason = "printed, never part of the world")]
fn degrees(cosine: f32) -> f64 {
    f64::from(cosine).clamp(0.0, 1.0).acos().to_degrees()
}
