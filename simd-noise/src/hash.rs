//! The lattice hash: how a 64-bit seed and a lattice cell become 32 random-looking bits.
//!
//! In: a field's 64-bit seed and an octave (once, on the host), then cells as `u32` per axis. Out: per axis a seed
//! word and a phase offset; per lattice corner a `u32` of which the top three bits choose a gradient and the top 24
//! make a value. A corner splits in halves: everything along x is one number a column, everything else one number a
//! row, and only [`corner`] is paid per corner.
//!
//! The corner costs one multiplication: fold the high half of `v = half_x ^ half_z` onto the low one (which [`fold`]
//! does to the halves beforehand), multiply the result by itself plus a constant, fold again. A constant multiplier needs two rounds to pass the same tests:
//! what makes one enough is that the product is quadratic, so a difference of two cells does not simply pass
//! through it. `tests/hash.rs` holds the tests, docs/decisions/0002-lattice-hash.md the candidates that failed.
//!
//! Deliberately not here: lanes (kernels spell [`corner`] over vectors with the same constants), gradient tables,
//! and any claim of security: who knows a few corners can find the words.
//!
//! Sources: D. Steele, D. Lea, C. Flood, *Fast Splittable Pseudorandom Number Generators* (2014), for the numbered
//! stream; D. Stafford, *Better Bit Mixing* (2011), variant 13, for the constants of [`mix64`]; R. Rivest et al.,
//! *The RC6 Block Cipher* (1998), for a data-dependent quadratic as the cheapest non-linear mixer; C. Wellons, *Hash
//! Prospector* (2018), for [`KM`]. The constants and the formula are part of `generator_version`.

/// What one cell along x adds to the column's half. Found by search, with [`KY`] and [`KZ`]: no multiple up to 2^16
/// of one of them, and no sum or difference of two shifted by up to 16 bits, lies near a sum of few powers of two.
/// Such a step would change few bits of the half, and cells that far apart would be related.
pub const KX: u32 = 0xfa9d_2d63;
/// What one cell along y adds to its part of the row's half (three dimensions only).
pub const KY: u32 = 0x2ae0_cf4b;
/// What one cell along z adds to the row's half.
pub const KZ: u32 = 0x5e59_a857;
/// What separates the two factors of the product in [`corner`]: `w * (w + KM)`. Odd, so that the product's upper 31
/// bits take every value equally often.
pub const KM: u32 = 0x7feb_352d;
/// The shift of the fold before the product. 16 left a trace at strides of 4096 cells, 13 at some long offsets.
pub const FOLD_BEFORE: u32 = 15;
/// The shift of the fold after the product. It leaves the top 15 bits alone: see [`corner_top`].
pub const FOLD_AFTER: u32 = 15;

/// The increment of the numbered stream: 2^64 over the golden ratio, odd.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// Keeps the seeds of fields apart from the words of a world seed that is used as a field seed.
const FIELD_DOMAIN: u64 = 0x6669_656c_645f_6964;

/// A full 64-bit mix: every bit of the input changes every bit of the output with probability one half. A bijection.
///
/// ```
/// use terrane_noise::hash::mix64;
/// assert_eq!(mix64(0), 0);
/// assert!((mix64(1) ^ mix64(2)).count_ones() > 16);
/// ```
#[must_use]
pub const fn mix64(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Output `index` of the stream that belongs to `seed`. The seed is mixed first: otherwise the streams of seeds that
/// differ by a multiple of the increment would be shifted copies of each other.
const fn draw(seed: u64, index: u64) -> u64 {
    mix64(mix64(seed).wrapping_add(index.wrapping_add(1).wrapping_mul(GOLDEN)))
}

/// The seed of a field of a world. Neighbouring ids and seeds that differ by one bit give unrelated fields.
///
/// ```
/// use terrane_noise::hash::{field_seed, octave_words};
/// let (hills, caves) = (field_seed(42, 0), field_seed(42, 1));
/// assert_ne!(octave_words(hills, 0), octave_words(caves, 0));
/// ```
#[must_use]
pub const fn field_seed(world_seed: u64, field_id: u64) -> u64 {
    draw(world_seed ^ FIELD_DOMAIN, field_id)
}

/// The seed words of one octave for x, y and z. All 64 bits of the seed matter to each.
///
/// ```
/// use terrane_noise::hash::octave_words;
/// let [x, y, z] = octave_words(42, 0);
/// assert!(x != y && y != z);
/// assert_ne!(octave_words(42, 0), octave_words(42 ^ 1 << 63, 0));
/// ```
#[must_use]
pub const fn octave_words(field_seed: u64, octave: u32) -> [u32; 3] {
    let at = octave as u64 * 8;
    [
        (draw(field_seed, at) >> 32) as u32,
        (draw(field_seed, at + 1) >> 32) as u32,
        (draw(field_seed, at + 2) >> 32) as u32,
    ]
}

/// The phase of sample 0 along x, y and z in 32.32 fixed point, independent of [`octave_words`]. Without it the
/// lattice lines of all octaves, where gradient noise is zero at every corner, would meet at the origin.
///
/// ```
/// use terrane_noise::hash::octave_offsets;
/// let step = (0.02 * 4_294_967_296.0) as u64;
/// let [x, _, _] = octave_offsets(42, 0);
/// let phase = 1000u64.wrapping_mul(step).wrapping_add(x);
/// let (cell, fraction) = ((phase >> 32) as u32, phase as u32);
/// assert_eq!(u64::from(cell) << 32 | u64::from(fraction), phase);
/// ```
#[must_use]
pub const fn octave_offsets(field_seed: u64, octave: u32) -> [u64; 3] {
    let at = octave as u64 * 8 + 4;
    [draw(field_seed, at), draw(field_seed, at + 1), draw(field_seed, at + 2)]
}

/// A second word for x, for noise on two lattices at once (simplex in 3D).
///
/// ```
/// use terrane_noise::hash::{octave_second_word, octave_words};
/// assert!(!octave_words(42, 0).contains(&octave_second_word(42, 0)));
/// ```
#[must_use]
pub const fn octave_second_word(field_seed: u64, octave: u32) -> u32 {
    (draw(field_seed, octave as u64 * 8 + 3) >> 32) as u32
}

/// The column's half: one multiplication a lattice column, or one addition of [`KX`] from the column before.
///
/// ```
/// use terrane_noise::hash::{KX, half_x, octave_words};
/// let [word_x, _, _] = octave_words(42, 0);
/// assert_eq!(half_x(8, word_x), half_x(7, word_x).wrapping_add(KX));
/// ```
#[must_use]
#[inline(always)]
pub const fn half_x(cell: u32, word_x: u32) -> u32 {
    cell.wrapping_mul(KX).wrapping_add(word_x)
}

/// The part of the row's half that comes from y.
///
/// ```
/// use terrane_noise::hash::{half_y, half_yz, half_z};
/// assert_eq!(half_yz(1, 2, 30, 40), half_y(1, 30) ^ half_z(2, 40));
/// ```
#[must_use]
#[inline(always)]
pub const fn half_y(cell: u32, word_y: u32) -> u32 {
    cell.wrapping_mul(KY).wrapping_add(word_y)
}

/// The row's half in two dimensions.
///
/// ```
/// use terrane_noise::hash::{KZ, half_z};
/// assert_eq!(half_z(u32::MAX, 5), 5u32.wrapping_sub(KZ)); // cells wrap: -1 follows u32::MAX
/// ```
#[must_use]
#[inline(always)]
pub const fn half_z(cell: u32, word_z: u32) -> u32 {
    cell.wrapping_mul(KZ).wrapping_add(word_z)
}

/// The row's half in three dimensions. The parts meet in an exclusive or: a sum would repeat exactly after a step of
/// at most about 2^16 cells in the y, z plane, and make any two fields shifted copies of each other in that plane.
///
/// ```
/// use terrane_noise::hash::{corner, half_x, half_yz, octave_words};
/// let [x, y, z] = octave_words(42, 0);
/// let gradient = corner(half_x(10, x), half_yz(20, 30, y, z)) >> 29;
/// assert!(gradient < 8);
/// ```
#[must_use]
#[inline(always)]
pub const fn half_yz(cell_y: u32, cell_z: u32, word_y: u32, word_z: u32) -> u32 {
    half_y(cell_y, word_y) ^ half_z(cell_z, word_z)
}

/// The hash of a lattice corner from its two halves; its upper bits are the best. A gradient is `corner >> 29`, a
/// value `(corner >> 8) as f32`.
///
/// ```
/// use terrane_noise::hash::{corner, half_x, half_z, octave_words};
/// let [x, _, z] = octave_words(42, 0);
/// let h = corner(half_x(10, x), half_z(20, z));
/// let value = (h >> 8) as f32 * (1.0 / 16_777_216.0);
/// assert!((0.0..1.0).contains(&value));
/// ```
#[must_use]
#[inline(always)]
pub const fn corner(half_x: u32, half_z: u32) -> u32 {
    let m = corner_top(half_x, half_z);
    m ^ (m >> FOLD_AFTER)
}

/// [`corner`] without its last fold: the same top 15 bits, and lower bits that are not fit for use. Kernels that only
/// need the gradient stop here and save two operations.
///
/// ```
/// use terrane_noise::hash::{corner, corner_top};
/// assert_eq!(corner_top(123, 456) >> 29, corner(123, 456) >> 29);
/// ```
#[must_use]
#[inline(always)]
pub const fn corner_top(half_x: u32, half_z: u32) -> u32 {
    let w = fold(half_x) ^ fold(half_z);
    w.wrapping_mul(w.wrapping_add(KM))
}

/// A half with its upper bits folded onto the lower ones. Shifts and exclusive ors commute, so folding the two halves
/// and joining them is folding the joined word: grid kernels fold once a column and once a row, and a corner is left with
/// one exclusive or, one addition and one multiplication. Kernels that go sample by sample fold where it is less work.
///
/// ```
/// use terrane_noise::hash::fold;
/// let (a, b) = (0x1234_5678, 0x9abc_def0);
/// assert_eq!(fold(a) ^ fold(b), fold(a ^ b));
/// ```
#[must_use]
#[inline(always)]
pub const fn fold(half: u32) -> u32 {
    half ^ (half >> FOLD_BEFORE)
}

/// Another 32 bits for the same corner: the same round once more. Cellular noise takes the point's x from `corner`
/// and its z from here.
///
/// ```
/// use terrane_noise::hash::{again, corner};
/// let x = corner(123, 456);
/// let z = again(x);
/// assert_ne!(x >> 16, z >> 16);
/// ```
#[must_use]
#[inline(always)]
pub const fn again(corner_hash: u32) -> u32 {
    corner(corner_hash, 0)
}
