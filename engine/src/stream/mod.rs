//! Streaming: from viewers to the chunks that should be drawn, one change at a time.
//!
//! - [`cut`]: which chunks are wanted, which are drawn, and the next legal change on the way.
//!
//! Deliberately not here yet: jobs, pools and events; they ask [`cut`] what to build and tell it what is there.

mod cut;
