//! Every operation, at every level, equals the scalar definition to the bit, at the edges too.

use terrane_lanes::{Aligned, Kernel, Lanes, SimdLevel, Table8, Two};

/// Operands that tell implementations apart: signed zeros, subnormals, halves, the ends of i32, NaN.
const EDGES: [f32; 32] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    0.999_999_94,
    -0.999_999_94,
    1.5,
    -1.5,
    2.5,
    -2.5,
    1e-40,
    -1e-40,
    f32::MIN_POSITIVE,
    8_388_607.5,
    -8_388_607.5,
    8_388_608.0,
    -8_388_609.0,
    16_777_217.0,
    2_147_483_520.0,
    2_147_483_648.0,
    -2_147_483_648.0,
    -2_147_483_904.0,
    1e20,
    -1e20,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    3.25,
];

const HASHES: [u32; 32] = {
    let mut all = [0; 32];
    let mut i = 0;
    while i < 32 {
        all[i] = (i as u32).wrapping_mul(0x9E37_79B9) ^ ((i as u32) << 27);
        i += 1;
    }
    all
};

/// Runs every operation on all pairs of operands and writes the bits of the results in a fixed order.
struct Everything<'a>(&'a mut Vec<u32>);

impl Kernel for Everything<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        for shift in 0..32 {
            let mut a = Aligned([0.0; 32]);
            let mut results = Aligned([[0.0f32; 32]; 15]);
            let mut words = Aligned([[0u32; 32]; 12]);
            for i in 0..32 {
                a[i] = EDGES[(i + shift) % 32];
            }
            for at in (0..32).step_by(L::N) {
                let (a, b) = (l.load(&a[at..]), l.load(&EDGES[at..]));
                // What `split` takes: not -0, and less than 2^31.
                let small =
                    l.pick(l.lt(l.splat(-2e9), a), l.min(a, l.splat(2e9)), l.splat(0.25)) + l.splat(0.0);
                let ways = l.pick_both(l.lt(a, b), -0.25, 3.5);
                let floats = [
                    a + b,
                    a - b,
                    a * b,
                    a / b,
                    l.min(a, b),
                    l.max(a, b),
                    l.floor(a),
                    l.sqrt(a),
                    l.pick(l.lt(a, b), a, b),
                    l.look_up8(
                        &Table8::new([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]),
                        l.load_u(&HASHES[at..]),
                    ),
                    l.to_f(l.load_u(&HASHES[at..])),
                    l.splat(EDGES[shift]),
                    l.split(small).1,
                    ways.0,
                    ways.1,
                ];
                for (row, v) in results.iter_mut().zip(floats) {
                    l.store(v, &mut row[at..]);
                }
                let (x, y) = (l.load_u(&HASHES[at..]), l.splat_u(HASHES[shift]));
                let wholes = [
                    x + y,
                    x - y,
                    x * y,
                    x & y,
                    x ^ y,
                    x >> (shift as u32),
                    l.trunc(a),
                    l.pick_u(l.lt_u(x, y), x, y),
                    l.pick_u(l.lt(a, b), x, y),
                    l.iota() + l.splat_u(at as u32),
                    l.split(small).0,
                    l.xor3(x, y, x >> 15),
                ];
                for (row, v) in words.iter_mut().zip(wholes) {
                    l.store_u(v, &mut row[at..]);
                }
            }
            // The payload of a NaN is the one thing that is not pinned.
            let bits = |v: &f32| if v.is_nan() { 0x7fc0_0000 } else { v.to_bits() };
            self.0.extend(results.iter().flatten().map(bits));
            self.0.extend(words.iter().flatten());
        }
    }
}

/// The same with two vectors at once.
struct EverythingTwice<'a>(&'a mut Vec<u32>);

impl Kernel for EverythingTwice<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        Everything(self.0).run(Two(l));
    }
}

#[test]
fn every_operation_has_the_scalar_bits_at_every_level() {
    let mut want = Vec::new();
    SimdLevel::SCALAR.dispatch(Everything(&mut want));
    for level in SimdLevel::available() {
        println!("level {level}");
        let (mut one, mut two) = (Vec::new(), Vec::new());
        level.dispatch(Everything(&mut one));
        level.dispatch(EverythingTwice(&mut two));
        for (vectors, got) in [(1, one), (2, two)] {
            let first = want.iter().zip(&got).position(|(a, b)| a != b);
            assert_eq!(
                first,
                None,
                "{level}, {vectors} at once: result {} of row {}",
                first.unwrap_or(0) % 32,
                first.unwrap_or(0) / 32
            );
            assert_eq!(want.len(), got.len());
        }
    }
}

/// `look_up` reaches as far as the level is wide, so it is tested against the table and not against scalar.
struct LookUps;
impl Kernel for LookUps {
    type Output = ();
    fn run<L: Lanes>(self, l: L) {
        let table: [f32; 17] = std::array::from_fn(|i| i as f32 + 0.5);
        for first in 0..=1 {
            for step in 0..L::N {
                let index: Vec<u32> = (0..L::N).map(|i| ((i * step + first) % L::N) as u32).collect();
                let mut out = vec![0.0; L::N];
                l.store(l.look_up(&table[first..], l.load_u(&index)), &mut out);
                let want: Vec<f32> = index.iter().map(|i| table[*i as usize + first]).collect();
                assert_eq!(out, want);
            }
        }
    }
}

#[test]
fn look_ups_reach_every_entry() {
    for level in SimdLevel::available() {
        level.dispatch(LookUps);
    }
}

#[test]
fn the_scalar_definition_is_the_documented_one() {
    struct One;
    impl Kernel for One {
        type Output = ();
        fn run<L: Lanes>(self, l: L) {
            let read = |v: L::F| {
                let mut out = [0.0; 16];
                l.store(v, &mut out);
                out[0]
            };
            let read_u = |v: L::U| {
                let mut out = [0; 16];
                l.store_u(v, &mut out);
                out[0]
            };
            let f = |v| l.splat(v);
            assert_eq!(read(l.min(f(f32::NAN), f(1.0))), 1.0);
            assert!(read(l.min(f(1.0), f(f32::NAN))).is_nan());
            assert_eq!(read(l.min(f(-0.0), f(0.0))).to_bits(), 0);
            assert_eq!(read(l.max(f(0.0), f(-0.0))).to_bits(), 0x8000_0000);
            assert_eq!(read(l.floor(f(-0.0))).to_bits(), 0x8000_0000);
            assert_eq!(read(l.floor(f(-0.25))), -1.0);
            assert!(read(l.floor(f(f32::NAN))).is_nan());
            for out_of_range in [f32::NAN, f32::INFINITY, -1e20, 2_147_483_648.0] {
                assert_eq!(read_u(l.trunc(f(out_of_range))), 0x8000_0000);
            }
            assert_eq!(read_u(l.trunc(f(-1.9))).cast_signed(), -1);
        }
    }
    for level in SimdLevel::available() {
        level.dispatch(One);
    }
}

#[test]
fn the_levels_of_this_processor_are_all_there() {
    let names: Vec<_> = SimdLevel::available().map(SimdLevel::name).collect();
    println!("levels that run here: {}", names.join(", "));
    assert!(names.starts_with(&["scalar", "wide"]));
    #[cfg(target_arch = "x86_64")]
    {
        assert!(names.contains(&"sse2"));
        assert_eq!(names.contains(&"sse4.2"), std::arch::is_x86_feature_detected!("sse4.2"), "{names:?}");
        assert_eq!(names.contains(&"avx2"), std::arch::is_x86_feature_detected!("avx2"), "{names:?}");
    }
    #[cfg(target_arch = "aarch64")]
    assert!(names.contains(&"neon"));
}

#[test]
fn a_level_that_is_not_here_is_an_error_that_names_the_others() {
    let unknown = "avx9".parse::<SimdLevel>().unwrap_err().to_string();
    assert!(unknown.contains("`avx9`") && unknown.contains("avx2"), "{unknown}");
    let absent = if cfg!(target_arch = "aarch64") { "avx2" } else { "neon" };
    let error = absent.parse::<SimdLevel>().unwrap_err().to_string();
    assert!(error.contains("not available on this machine; available are scalar, wide"), "{error}");
    assert_eq!(SimdLevel::from_choice("auto"), Ok(SimdLevel::detect()));
}
