//! placeholder until the study lands
#![allow(missing_docs)]
pub const KX: u32 = 0x9E37_79B1;
pub const KZ: u32 = 0x85EB_CA77;
pub const KM: u32 = 0x27D4_EB2D;
pub const fn mix64(mut z: u64) -> u64 {
    z ^= z >> 30;
    z = z.wrapping_mul(0xbf58476d1ce4e5b9);
    z ^= z >> 27;
    z = z.wrapping_mul(0x94d049bb133111eb);
    z ^ (z >> 31)
}
pub const fn octave_words(seed: u64, octave: u32) -> [u32; 3] {
    let a = mix64(seed ^ mix64(octave as u64 + 1));
    let b = mix64(a ^ 0x1234567);
    [a as u32, (a >> 32) as u32, b as u32]
}
pub const fn octave_offsets(seed: u64, octave: u32) -> [u64; 3] {
    let a = mix64(seed ^ mix64(octave as u64 + 1) ^ 0x77777);
    [mix64(a), mix64(a ^ 1), mix64(a ^ 2)]
}
#[inline(always)]
pub const fn half_x(cell: u32, word: u32) -> u32 {
    cell.wrapping_mul(KX).wrapping_add(word)
}
#[inline(always)]
pub const fn half_z(cell: u32, word: u32) -> u32 {
    cell.wrapping_mul(KZ).wrapping_add(word)
}
#[inline(always)]
pub const fn corner(hx: u32, hz: u32) -> u32 {
    (hx ^ hz).wrapping_mul(KM)
}
