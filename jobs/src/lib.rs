//! Pools, arenas and a priority job graph that allocates nothing once it runs. Knows nothing of terrain.
//!
//! In the order in which one builds on the other:
//!
//! - [`Clock`]: time, as the host gives it;
//! - [`Column`]: a fixed-capacity array that starts on a cache line;
//! - [`Arena`]: a worker's scratch memory, with a hard limit;
//! - [`Pool`]: slots made once and lent out, [`Unique`] to fill one and [`Shared`] to read it;
//! - [`Histogram`]: how often which value came, in fixed memory.

mod arena;
mod clock;
mod column;
mod histogram;
mod pool;
mod sync;

pub use arena::{Arena, ArenaFull};
#[cfg(feature = "threads")]
pub use clock::SystemClock;
pub use clock::{Clock, ManualClock};
pub use column::Column;
pub use histogram::{Histogram, HistogramTable};
pub use pool::{Pool, Shared, SlotId, Unique};
