//! The libraries that people use today, one file each, each written as its documentation recommends.
//!
//! In: a piece of work. Out: a runner that does the same work (same feature size, octaves, lacunarity, gain) with that
//! library's own noise. A new peer is a file here and a line in [`PEERS`]. What cannot be built from the registry
//! joins a run as a process: `compare --peer`.

mod fastnoise_lite;
mod noise;
mod noise_functions;
#[cfg(target_arch = "x86_64")]
mod simdnoise;

use crate::runner::{Peer, Runner};
use crate::workload::{ORIGIN, Work};

/// All peers, in the order in which they run and are shown.
pub const PEERS: &[Peer] = &[
    #[cfg(target_arch = "x86_64")]
    Peer { name: "simdnoise", prepare: simdnoise::prepare },
    Peer { name: "fastnoise-lite", prepare: fastnoise_lite::prepare },
    Peer { name: "noise-functions", prepare: noise_functions::prepare },
    Peer { name: "noise", prepare: noise::prepare },
];

/// The loops of the peers that have a function of one position: `sample(x, z)` for a plane.
fn plane<S: Fn(i32, i32) -> f32>(work: &Work, sample: S) -> impl Runner + use<S> {
    let (size, stride) = (work.size, work.stride as i32);
    move |out: &mut [f32]| {
        for (z, row) in (ORIGIN[1]..).step_by(stride as usize).zip(out.chunks_exact_mut(size)) {
            let mut x = ORIGIN[0];
            for value in row {
                *value = sample(x, z);
                x += stride;
            }
        }
    }
}

/// `sample(x, z, y)` for a volume.
fn volume<S: Fn(i32, i32, i32) -> f32>(work: &Work, sample: S) -> impl Runner + use<S> {
    let (size, stride) = (work.size, work.stride as i32);
    move |out: &mut [f32]| {
        for (y, slice) in (ORIGIN[2]..).step_by(stride as usize).zip(out.chunks_exact_mut(size * size)) {
            for (z, row) in (ORIGIN[1]..).step_by(stride as usize).zip(slice.chunks_exact_mut(size)) {
                let mut x = ORIGIN[0];
                for value in row {
                    *value = sample(x, z, y);
                    x += stride;
                }
            }
        }
    }
}
