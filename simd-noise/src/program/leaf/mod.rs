//! What is evaluated at positions: noise, radial falloff and rasters.
//!
//! In: a block of a grid or some points, and how far each is moved. Out: values, and slopes with respect to the moved
//! position; the chain rule is an operation of its own (`ops/chain.rs`). One more is a file beside these and a line in each
//! `match`; nothing else of a program needs to know.

mod falloff;
mod noise;
mod raster;

pub(crate) use falloff::Falloff;
pub(crate) use noise::NoiseLeaf;
pub(crate) use raster::RasterLeaf;

use terrane_lanes::SimdLevel;

use super::deviation::{Deviation, Operand};
use super::error::ProgramError;
use super::interval::Interval;
use crate::blocks::Cut;
use crate::kernel::job::{Displacement, Samples, Targets};
use crate::source::Memory;

/// Something that is evaluated at positions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Leaf {
    Noise(Box<NoiseLeaf>),
    Falloff(Falloff),
    Raster(Box<RasterLeaf>),
}

/// What there is of slopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeafSlopes {
    /// They are not defined.
    Missing,
    /// 0 everywhere; kernels need not make them.
    Zero,
    /// Along x and z, and along y where the leaf is three-dimensional.
    Made,
}

/// Where a leaf is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Where<'a> {
    pub(crate) level: SimdLevel,
    pub(crate) samples: Samples<'a>,
    /// The block's place among others; none for points.
    pub(crate) cut: Option<&'a Cut>,
    pub(crate) displacement: Option<Displacement<'a>>,
}

/// The places that the samples of one coarse triangle are evaluated at, along x, y, z.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    /// In samples, displacements included.
    pub(crate) axes: [Deviation; 3],
    /// The largest displacement, in samples.
    pub(crate) moved: [f64; 3],
}

impl Places {
    /// Of triangles of `stride` samples on the plane at y 0, moved or not.
    pub(crate) fn new(stride: u32, moved: Option<&[Operand]>) -> Self {
        let along = Deviation::of_coordinate(stride);
        let mut places = Self { axes: [along, Deviation::NONE, along], moved: [0.0; 3] };
        for (axis, by) in moved.into_iter().flatten().enumerate() {
            places.axes[axis] = places.axes[axis].plus(by.deviation);
            places.moved[axis] = by.size();
        }
        places
    }
}

impl Leaf {
    /// True where values vary along y.
    pub(crate) fn three(&self) -> bool {
        match self {
            Self::Noise(noise) => noise.source().three(),
            Self::Falloff(_) | Self::Raster(_) => false,
        }
    }

    /// Tables that it takes.
    pub(crate) fn octaves(&self) -> usize {
        match self {
            Self::Noise(noise) => noise.source().octave_count(),
            Self::Falloff(_) | Self::Raster(_) => 0,
        }
    }

    /// True where it needs memory aside for octaves before they join a sum.
    pub(crate) fn needs_aside(&self) -> bool {
        match self {
            Self::Noise(noise) => !noise.source().adds_itself(),
            Self::Falloff(_) | Self::Raster(_) => false,
        }
    }

    pub(crate) fn slopes(&self) -> LeafSlopes {
        match self {
            Self::Noise(noise) => noise.slopes(),
            Self::Falloff(_) => LeafSlopes::Made,
            Self::Raster(raster) => raster.slopes(),
        }
    }

    /// Bounds of the values.
    pub(crate) fn interval(&self) -> Interval {
        match self {
            Self::Noise(noise) => noise.interval(),
            Self::Falloff(_) => Interval::new(0.0, 1.0),
            Self::Raster(raster) => raster.interval(),
        }
    }

    /// Bounds of the slope along an axis, with respect to the moved position.
    pub(crate) fn slope_interval(&self, axis: usize) -> Interval {
        match self {
            Self::Noise(noise) => noise.slope_interval(axis),
            Self::Falloff(falloff) => falloff.slope_interval(),
            Self::Raster(raster) => raster.slope_interval(axis),
        }
    }

    /// How far values can leave a coarse triangulation.
    pub(crate) fn deviation(&self, at: &Places) -> Deviation {
        match self {
            Self::Noise(noise) => noise.deviation(at),
            Self::Falloff(falloff) => falloff.deviation(at),
            Self::Raster(raster) => raster.deviation(at),
        }
    }

    /// How far the slope along an axis can.
    pub(crate) fn slope_deviation(&self, axis: usize, at: &Places) -> Deviation {
        match self {
            Self::Noise(noise) => noise.slope_deviation(axis, at),
            Self::Falloff(_) | Self::Raster(_) => Deviation::UNKNOWN,
        }
    }

    /// Refuses displacements, in samples, that are too large for this leaf.
    pub(crate) fn check_move(&self, node: usize, by: [Interval; 3]) -> Result<(), ProgramError> {
        match self {
            Self::Noise(noise) => noise.check_move(node, by),
            Self::Falloff(_) => Ok(()),
            Self::Raster(raster) => raster.check_move(node, by),
        }
    }

    /// The name and the settings.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Noise(noise) => noise.text(),
            Self::Falloff(falloff) => falloff.text(),
            Self::Raster(raster) => raster.text(),
        }
    }

    /// Fills the targets with values, and slopes if asked.
    pub(crate) fn run(&self, at: Where<'_>, slopes: bool, memory: &mut Memory<'_>, to: &mut Targets<'_>) {
        match self {
            Self::Noise(noise) => noise.run(at, slopes, memory, to),
            Self::Falloff(falloff) => falloff.run(at, slopes, to),
            Self::Raster(raster) => raster.run(at, slopes, to),
        }
    }
}
