//! Radial falloff: 1 within an inner radius, 0 beyond an outer one, a smoothstep between.
//!
//! In: positions. The way from the centre is an exact difference of sample indices, held within 2^40, to f32, then the
//! fraction of a sample and the displacement are added: as good at 2^50 samples as at the origin. With x, z that way:
//! `r = sqrt(x x + z z); t = clamp((outer - r) inverse, 0, 1)`, `min((t t)(3 - 2 t), 1)`.

use terrane_lanes::{Kernel, Lanes};

use super::{Places, Where};
use crate::kernel::job::{Displacement, Samples, Targets};
use crate::phase::Coord;
use crate::program::deviation::{Deviation, length};
use crate::program::error::{ProgramError, number};
use crate::program::interval::Interval;
use crate::scratch::{ROW, Row, STRIP};

/// Largest radius in samples; beyond [`FAR`] nothing can come back within it.
const RADIUS_MAX: f64 = 1_073_741_824.0;
/// Ways are held within this many samples.
const FAR: i64 = 1 << 40;
/// No way is divided by less.
const RADIUS_MIN: f32 = 1e-20;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Falloff {
    /// Samples along x and z.
    center: [i64; 2],
    inner: f32,
    outer: f32,
    /// 1 / (outer - inner).
    inverse: f32,
}

impl Falloff {
    pub(crate) fn new(center: [i64; 2], inner: f64, outer: f64) -> Result<Self, ProgramError> {
        let inner = number("falloff", "inner", inner, 0.0..=RADIUS_MAX, "from 0 to 2^30 samples")?;
        let outer = number("falloff", "outer", outer, 0.0..=RADIUS_MAX, "from 0 to 2^30 samples")?;
        let width = outer - inner;
        number(
            "falloff",
            "outer - inner",
            width,
            1.0 / 65_536.0..=RADIUS_MAX,
            "at least 1/65536 of a sample",
        )?;
        Ok(Self { center, inner: inner as f32, outer: outer as f32, inverse: (1.0 / width) as f32 })
    }

    pub(crate) fn slope_interval(&self) -> Interval {
        // 6 t (1 - t) is at most 3/2; the way along an axis over the radius at most 1, but for rounding.
        let steepest = 1.5 * f64::from(self.inverse) * (1.0 + 1.0 / 65_536.0);
        Interval::outward(-steepest, steepest)
    }

    /// A smoothstep of the radius: along it the slope is at most 3/2 and the second derivative 6, over the width;
    /// across it the second derivative is the slope over the radius, 6 t (1 - t) / (width r), and r is at least width
    /// (1 - t).
    pub(crate) fn deviation(&self, Places { axes: [x, _, z], moved }: &Places) -> Deviation {
        let inverse = f64::from(self.inverse) * (1.0 + 1e-6);
        let (slope, second) = (1.5 * inverse, 6.0 * inverse * inverse);
        let drift = length([x.drift, z.drift]);
        let bend = slope * length([x.bend, z.bend]) + second * drift * drift / 2.0;
        let swing = slope * length([x.swing, z.swing]);
        // The way and the radius are rounded where they are at most this large: else the value is 0 for sure.
        let way = f64::from(self.outer) + moved[0] + moved[2];
        let rounding = slope * way / 1_048_576.0 + 1.0 / 1_048_576.0;
        Deviation { bend, drift: slope * drift, swing }.rounded(rounding)
    }

    pub(crate) fn text(&self) -> String {
        let Self { center: [x, z], inner, outer, .. } = self;
        format!("falloff around {x}, {z} from {inner} to {outer} samples")
    }

    /// Fills value, and slopes along x and z if asked.
    pub(crate) fn run(&self, at: Where<'_>, slopes: bool, to: &mut Targets<'_>) {
        let (mut x, mut z) = (ROW, ROW);
        let scattered = match at.samples {
            Samples::Block(block) => {
                let place =
                    |first: i64, i: usize| first.wrapping_add(i as i64 * i64::from(block.stride)).into();
                for (i, x) in x.iter_mut().enumerate().take(block.lanes) {
                    *x = self.way(0, place(block.x, i));
                }
                for (i, z) in z.iter_mut().enumerate().take(block.rows) {
                    *z = self.way(1, place(block.z, i));
                }
                false
            }
            Samples::Points(points) => {
                for ((x, z), point) in x.iter_mut().zip(z.iter_mut()).zip(points) {
                    (*x, *z) = (self.way(0, point[0]), self.way(1, point[2]));
                }
                true
            }
        };
        let size = at.samples.size();
        let ways = Ways { x: &x, z: &z, scattered, displacement: at.displacement };
        at.level.dispatch(Fill { falloff: self, ways, size, slopes, to });
        to.copy_out(size);
    }

    /// The way from the centre along x (0) or z (1).
    fn way(&self, axis: usize, at: Coord) -> f32 {
        let samples = at.index.saturating_sub(self.center[axis]).clamp(-FAR, FAR);
        samples as f32 + f32::from(at.fraction) * (1.0 / 65_536.0)
    }
}

/// Ways from the centre: x a lane; z a row, or a lane where points are scattered.
#[derive(Clone, Copy)]
struct Ways<'a> {
    x: &'a Row,
    z: &'a Row,
    scattered: bool,
    displacement: Option<Displacement<'a>>,
}

struct Fill<'a, 'to> {
    falloff: &'a Falloff,
    ways: Ways<'a>,
    size: (usize, usize),
    slopes: bool,
    to: &'a mut Targets<'to>,
}

impl Kernel for Fill<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { falloff, ways, size: (lanes, rows), slopes, to } = self;
        let [to_x, _, to_z] = &mut to.slopes;
        for row in 0..rows {
            let mut at = 0;
            while at < lanes && at + L::N <= STRIP {
                let (x, z) = ways.at(l, row, at);
                let r = l.sqrt(x * x + z * z);
                let t = (l.splat(falloff.outer) - r) * l.splat(falloff.inverse);
                let t = l.min(l.max(t, l.splat(0.0)), l.splat(1.0));
                let v = l.min(t * t * (l.splat(3.0) - (t + t)), l.splat(1.0));
                l.store(v, &mut to.value.rows[row][at..]);
                if slopes {
                    let steep = t * (l.splat(1.0) - t) * l.splat(-6.0 * falloff.inverse);
                    let r = l.max(r, l.splat(RADIUS_MIN));
                    l.store(steep * (x / r), &mut to_x.rows[row][at..]);
                    l.store(steep * (z / r), &mut to_z.rows[row][at..]);
                }
                at += L::N;
            }
        }
    }
}

impl Ways<'_> {
    #[inline(always)]
    fn at<L: Lanes>(&self, l: L, row: usize, at: usize) -> (L::F, L::F) {
        let x = l.load(&self.x[at..]);
        let z = if self.scattered { l.load(&self.z[at..]) } else { l.splat(self.z[row]) };
        match self.displacement {
            Some([by_x, _, by_z]) => (x + l.load(&by_x[row][at..]), z + l.load(&by_z[row][at..])),
            None => (x, z),
        }
    }
}
