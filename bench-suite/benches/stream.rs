//! What a stream costs its host, and what threads give it.
//!
//! `cargo bench -p terrane-bench --bench stream`. Three figures of one run, each with its answer checked first:
//! - `poll` of a stream where all is drawn;
//! - chunks a second with one worker and with two, the host blocked in `flush`, in turns over the same places;
//! - the same with the host's own thread instead of workers.
//!
//! A place is a fresh part of the world, so that nothing is there already; both streams go to the same places in the same
//! order, and must draw the same chunks with the same bytes.

use std::sync::Arc;
use std::time::Instant;

use terrane::{
    Budget, Flushed, Position, StreamEvent, StreamSettings, Streamer, SystemClock, Viewer, World, WorldConfig,
};

const PLACES: usize = 40;
const POLLS: usize = 20_000;

fn open(threads: usize) -> Streamer {
    let world = World::open(WorldConfig::preset("hills").expect("a preset")).expect("a world");
    let settings = StreamSettings { levels: 5, threads: Some(threads), ..StreamSettings::default() };
    Streamer::open(world, settings, Arc::new(SystemClock::new())).expect("a stream")
}

/// Looks at place number `place` until all is drawn. Chunks that became ready, and seconds.
fn go(stream: &mut Streamer, place: usize) -> (u64, f64) {
    let at = Position::from_samples([place as i64 * 1_000_003, 77]).expect("a position");
    let begun = Instant::now();
    stream.set_viewers(&[Viewer::at(at)]).expect("one viewer");
    let mut ready = 0;
    let flushed = stream.flush(|event| ready += u64::from(matches!(event, StreamEvent::Ready(_))));
    assert_eq!(flushed, Flushed::Settled);
    (ready, begun.elapsed().as_secs_f64())
}

fn digest(stream: &Streamer) -> u128 {
    stream.drawn().map(|(chunk, _)| chunk.digest()).fold(0, u128::wrapping_add)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Chunks a second of two streams in turns, and the median of their ratios.
fn compare(threads: [usize; 2], places: usize) {
    let mut streams = threads.map(open);
    for stream in &mut streams {
        go(stream, 0);
    }
    let [one, other] = &streams;
    assert_eq!((one.stats().drawn, digest(one)), (other.stats().drawn, digest(other)), "both draw the same");

    let mut rates = [const { Vec::new() }; 2];
    for place in 1..=places {
        // Who comes first takes turns as well.
        for which in [place % 2, 1 - place % 2] {
            let (ready, seconds) = go(&mut streams[which], place);
            rates[which].push(ready as f64 / seconds);
        }
    }
    let ratios = rates[0].iter().zip(&rates[1]).map(|(one, other)| other / one).collect();
    let [one, other] = rates.map(median);
    println!(
        "{} worker(s) {one:.0} chunks/s, {} worker(s) {other:.0} chunks/s: {:.2} times",
        threads[0],
        threads[1],
        median(ratios)
    );
}

/// Nanoseconds of a poll that has nothing to do.
fn idle_poll() {
    let mut stream = open(1);
    go(&mut stream, 0);
    let mut times: Vec<f64> = (0..POLLS)
        .map(|_| {
            let begun = Instant::now();
            let polled = stream.poll(Budget::of_ms(2.0), |_| panic!("all was told"));
            let ns = begun.elapsed().as_nanos() as f64;
            assert_eq!(polled.items, 0);
            ns
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("idle poll: median {:.0} ns, p99 {:.0} ns", times[POLLS / 2], times[POLLS / 100 * 99]);
}

fn main() {
    // `cargo test --benches` starts it with `--test`: once, to see that it works.
    let test = std::env::args().any(|arg| arg == "--test");
    idle_poll();
    compare([1, 2], if test { 1 } else { PLACES });
    compare([1, 0], if test { 1 } else { PLACES });
}
