//! Edits as they are described, sample by sample over a map: the oracle.

use std::collections::BTreeMap;

use terrane::edits::{BrushShape, Edit, EditOp, SampleRect};
use terrane::{Position, World};

/// A world that is never edited, and what edits made of it.
pub(crate) struct Naive {
    plain: World,
    pub(crate) overrides: BTreeMap<[i64; 2], f32>,
}

/// What an edit did.
#[derive(Debug, PartialEq)]
pub(crate) struct Done {
    pub(crate) touched: Option<SampleRect>,
    pub(crate) clamped: u32,
}

impl Naive {
    pub(crate) fn new(plain: World) -> Self {
        Self { plain, overrides: BTreeMap::new() }
    }

    pub(crate) fn height(&self, [x, z]: [i64; 2]) -> f32 {
        let plain = || self.plain.height_at(Position::from_samples([x, z]).expect("in range"));
        self.overrides.get(&[x, z]).copied().unwrap_or_else(plain)
    }

    /// On the triangle: cells are cut from (0, 1) to (1, 0).
    pub(crate) fn surface(&self, at: Position) -> f32 {
        let [x, z] = at.sample();
        let [u, v] = [at.x.fraction, at.z.fraction].map(|part| f32::from(part) / 65_536.0);
        let [h00, h10, h01, h11] = [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[i, j]| self.height([x + i, z + j]));
        if at.is_sample() {
            h00
        } else if u + v <= 1.0 {
            h00 + (u * (h10 - h00) + v * (h01 - h00))
        } else {
            h11 + ((1.0 - u) * (h01 - h11) + (1.0 - v) * (h10 - h11))
        }
    }

    fn weight(&self, edit: &Edit, [x, z]: [i64; 2]) -> f32 {
        let center = edit.brush.center;
        let spacing_m = self.plain.sample_spacing_m();
        let away = |index: i64, center: i64, fraction: u16| {
            ((index - center) as f64 - f64::from(fraction) / 65_536.0) * spacing_m
        };
        let dx = away(x, center.x.index, center.x.fraction);
        let dz = away(z, center.z.index, center.z.fraction);
        let inwards_m = match edit.brush.shape {
            BrushShape::Circle { radius_m } => radius_m - (dx * dx + dz * dz).sqrt(),
            BrushShape::Square { half_m } => half_m - dx.abs().max(dz.abs()),
        };
        match inwards_m {
            out if out < 0.0 => 0.0,
            _ if edit.brush.falloff_m == 0.0 => 1.0,
            inside if inside >= edit.brush.falloff_m => 1.0,
            rim => {
                let t = rim / edit.brush.falloff_m;
                (t * t * (3.0 - 2.0 * t)) as f32
            }
        }
    }

    /// The mean of the samples around one, north-west first.
    fn mean(&self, [x, z]: [i64; 2]) -> f32 {
        let row = |z| {
            let [a, b, c] = [x - 1, x, x + 1].map(|x| f64::from(self.height([x, z])));
            a + b + c
        };
        ((row(z - 1) + row(z) + row(z + 1)) / 9.0) as f32
    }

    fn wanted(&self, edit: &Edit, at: [i64; 2], weight: f32, flat_m: f32) -> f32 {
        let before = self.height(at);
        let toward = |to: f32| if weight < 1.0 { before + (to - before) * weight } else { to };
        match edit.op {
            EditOp::Raise { by_m } => before + weight * by_m,
            EditOp::Lower { by_m } => before - weight * by_m,
            EditOp::Flatten => toward(flat_m),
            EditOp::Set { height_m } => toward(height_m),
            EditOp::Smooth => toward(self.mean(at)),
        }
    }

    /// Does a valid edit, without any limit of room.
    pub(crate) fn edit(&mut self, edit: &Edit) -> Done {
        let height = &self.plain.config().height;
        let (low_m, high_m) = (height.min_m, height.max_m);
        let flat_m = self.surface(edit.brush.center);
        let (BrushShape::Circle { radius_m: reach_m } | BrushShape::Square { half_m: reach_m }) =
            edit.brush.shape;
        let reach = (reach_m / self.plain.sample_spacing_m()) as i64 + 2;
        let [cx, cz] = edit.brush.center.sample();
        let (mut changed, mut clamped) = (Vec::new(), 0);
        for at in (cz - reach..=cz + reach).flat_map(|z| (cx - reach..=cx + reach).map(move |x| [x, z])) {
            let weight = self.weight(edit, at);
            let exists = self.plain.contains(Position::from_samples(at).expect("in range"));
            if weight > 0.0 && exists {
                let wanted_m = self.wanted(edit, at, weight, flat_m);
                clamped += u32::from(wanted_m < low_m || wanted_m > high_m);
                let height_m = wanted_m.max(low_m).min(high_m);
                if height_m.to_bits() != self.height(at).to_bits() {
                    changed.push((at, height_m));
                }
            }
        }
        let ends = |axis: usize| changed.iter().map(move |(at, _)| at[axis]);
        let touched = (!changed.is_empty()).then(|| SampleRect {
            min: [0, 1].map(|axis| ends(axis).min().unwrap()),
            max: [0, 1].map(|axis| ends(axis).max().unwrap()),
        });
        self.overrides.extend(changed);
        Done { touched, clamped }
    }
}
