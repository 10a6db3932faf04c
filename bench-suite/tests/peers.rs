//! What peers and our levels answer is checked, and the checks find what is planted.

use terrane_bench::check::{CheckError, same_bits, sane};
use terrane_bench::ours::{self, SimdLevel};
use terrane_bench::peers::PEERS;
use terrane_bench::runner::{Buffer, Prepared};
use terrane_bench::workload::{self, Kind, WORKLOADS, Work, Workload};

#[test]
fn every_peer_gives_noise_on_every_workload_it_does() {
    let mut done = vec![0; PEERS.len()];
    for workload in WORKLOADS {
        for (peer, done) in PEERS.iter().zip(&mut done) {
            let Some(mut prepared) = (peer.prepare)(&workload.work) else { continue };
            let values = answer(&workload.work, &mut prepared);
            sane(&workload.work, &values, &prepared.range)
                .unwrap_or_else(|error| panic!("{} on {}: {error}", peer.name, workload.name));
            *done += 1;
        }
    }
    let idle: Vec<_> =
        PEERS.iter().zip(&done).filter(|(_, done)| **done < 8).map(|(peer, _)| peer.name).collect();
    assert!(idle.is_empty(), "{idle:?} do hardly anything");
}

/// The same feature size, octaves, lacunarity and gain make noise that is about as rough, whoever made it.
#[test]
fn every_peer_does_the_same_work() {
    for Workload { name, work, .. } in WORKLOADS {
        let mut found = Vec::new();
        if let Some(mut ours) = ours::prepare(work, SimdLevel::SCALAR).expect("valid parameters") {
            found.push(("ours", roughness(work, &answer(work, &mut ours))));
        }
        for peer in PEERS.iter().filter(|peer| !sums_simplex(peer.name, work)) {
            let Some(mut prepared) = (peer.prepare)(work) else { continue };
            found.push((peer.name, roughness(work, &answer(work, &mut prepared))));
        }
        println!("{name} {found:.3?}");
        // How far a warp of the same amplitude goes depends on how near to 1 a library's noise comes.
        let limit = if matches!(work.kind, Kind::WarpedFbm { .. }) { 1.7 } else { 1.4 };
        let most = found.iter().map(|found| found.1).fold(0.0, f64::max);
        let least = found.iter().map(|found| found.1).fold(f64::MAX, f64::min);
        assert!(found.is_empty() || most < limit * least, "{name}: {found:.3?}");
    }
}

/// The octaves of simdnoise's fBm are simplex noise: rougher than Perlin noise of the same frequency.
fn sums_simplex(peer: &str, work: &Work) -> bool {
    peer == "simdnoise" && matches!(work.kind, Kind::Fbm { .. })
}

#[test]
fn our_levels_give_the_bits_of_the_scalar_path() {
    for workload in WORKLOADS {
        let work = &workload.work;
        let prepare = |level| ours::prepare(work, level).expect("valid parameters");
        let Some(mut scalar) = prepare(SimdLevel::SCALAR) else { continue };
        let scalar_values = answer(work, &mut scalar);
        sane(work, &scalar_values, &scalar.range)
            .unwrap_or_else(|error| panic!("{}: {error}", workload.name));
        for level in SimdLevel::available() {
            let mut prepared = prepare(level).expect("what one level does, all do");
            same_bits(&answer(work, &mut prepared), &scalar_values)
                .unwrap_or_else(|error| panic!("{level} on {}: {error}", workload.name));
        }
    }
}

#[test]
fn checks_find_what_is_planted() {
    let work = workload::find("fbm6_2d_67").expect("listed").work;
    let mut prepared = ours::prepare(&work, SimdLevel::SCALAR).expect("valid").expect("fBm is there");
    let values = answer(&work, &mut prepared);
    for planted in [f32::NAN, f32::INFINITY, -1.5] {
        let mut spoiled = values.clone();
        spoiled[4000] = planted;
        let error = sane(&work, &spoiled, &prepared.range).expect_err("planted");
        assert!(matches!(error, CheckError::Range { index: 4000, .. }), "{error}");
    }
    let flat: Vec<f32> = values.iter().map(|value| value * 0.01).collect();
    assert!(matches!(sane(&work, &flat, &prepared.range), Err(CheckError::Flat { column: 0, .. })));
    let mut ulp = values.clone();
    ulp[17] = ulp[17].next_up();
    assert!(matches!(same_bits(&ulp, &values), Err(CheckError::Bits { index: 17, .. })));
    assert_eq!(same_bits(&values, &values), Ok(()));
}

fn answer(work: &Work, prepared: &mut Prepared) -> Vec<f32> {
    let mut out = Buffer::for_work(work);
    prepared.runner.fill(out.values());
    out.values().to_vec()
}

/// Root mean square of neighbours' differences along x, in standard deviations.
fn roughness(work: &Work, values: &[f32]) -> f64 {
    let values: Vec<f64> = values[..work.samples()].iter().map(|&value| f64::from(value)).collect();
    let mean_square = |values: &mut dyn Iterator<Item = f64>| {
        let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value * value, count + 1.0));
        sum / count
    };
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let variance = mean_square(&mut values.iter().map(|value| value - mean));
    let rows = values.chunks_exact(work.size);
    let steps = mean_square(&mut rows.flat_map(|row| row.windows(2).map(|pair| pair[1] - pair[0])));
    (steps / variance).sqrt()
}
