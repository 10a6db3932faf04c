//! Criterion's benches of terrane-noise: every kind in 2D and 3D, at every level and size.
//!
//! `cargo bench -p terrane-bench -- 'fbm6_2d/avx2'` runs some of them. What a level gives is checked first. All run in
//! one process: for ratios between levels or against peers use `compare`, which starts one for each.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use terrane_bench::check;
use terrane_bench::ours::{self, SimdLevel};
use terrane_bench::runner::{Buffer, Runner};
use terrane_bench::workload::{Dimensions, Kind, Work};

/// A new kind joins by one line; shapes that a kind has not are left out.
const KINDS: &[(&str, Kind)] = &[
    ("perlin", Kind::Fbm { octaves: 1 }),
    ("fbm4", Kind::Fbm { octaves: 4 }),
    ("fbm6", Kind::Fbm { octaves: 6 }),
    ("simplex", Kind::Simplex),
    ("value", Kind::Value),
    ("cellular", Kind::Cellular),
    ("warp_fbm5", Kind::WarpedFbm { octaves: 5 }),
    ("fbm6_grad", Kind::FbmGradient { octaves: 6 }),
];

/// Name, dimensions and sizes.
const SHAPES: &[(&str, Dimensions, &[usize])] =
    &[("2d", Dimensions::Two, &[16, 64, 256, 1024]), ("3d", Dimensions::Three, &[64])];

fn noise(criterion: &mut Criterion) {
    for &(kind_name, kind) in KINDS {
        for &(shape, dimensions, sizes) in SHAPES {
            let mut group = criterion.benchmark_group(format!("{kind_name}_{shape}"));
            for &size in sizes {
                let work = Work { kind, dimensions, size, stride: 1 };
                group.throughput(Throughput::Elements(work.samples() as u64));
                levels(&mut group, &work);
            }
            group.finish();
        }
    }
}

fn levels(group: &mut BenchmarkGroup<'_, WallTime>, work: &Work) {
    let (mut scalar, mut out) = (Buffer::for_work(work), Buffer::for_work(work));
    if let Some(mut runner) = runner(work, SimdLevel::SCALAR) {
        runner.fill(scalar.values());
    }
    for level in SimdLevel::available() {
        let Some(mut runner) = runner(work, level) else { continue };
        runner.fill(out.values());
        check::same_bits(out.values(), scalar.values()).expect("every level gives the same bits");
        group.bench_function(BenchmarkId::new(level.name(), work.size), |bencher| {
            bencher.iter(|| runner.pass(black_box(out.values())));
        });
    }
}

fn runner(work: &Work, level: SimdLevel) -> Option<Box<dyn Runner>> {
    Some(ours::prepare(work, level).expect("the list's parameters are valid")?.runner)
}

/// Short for each of some hundred benches; longer by `--measurement-time`.
fn config() -> Criterion {
    let (warm_up, measurement) = (Duration::from_millis(200), Duration::from_millis(500));
    Criterion::default().sample_size(20).warm_up_time(warm_up).measurement_time(measurement)
}

criterion_group! { name = benches; config = config(); targets = noise }
criterion_main!(benches);
