//! Heights that are hard to mesh, and the plain way to measure a mesh against them.
//!
//! Heights are multiples of 2^-8 m below 2^12 m: f64 then adds, halves and quarters them without rounding, so that
//! "equal" means equal.

use super::{Point, area};

/// A square of samples.
#[derive(Clone)]
pub(crate) struct Ground {
    pub(crate) name: &'static str,
    /// Cells a side.
    pub(crate) cells: usize,
    pub(crate) heights: Vec<f32>,
}

/// A generator of numbers (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to below `n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// From -1 to 1.
    pub(crate) fn signed(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A kind of ground: its height over x and z in 0..=cells, with six random numbers.
type Kind = (&'static str, fn([f64; 2], f64, &[f64; 6], &mut Random) -> f64);

#[expect(clippy::disallowed_methods, reason = "sines for hills: rounded, and compared with themselves only")]
pub(crate) const KINDS: [Kind; 14] = [
    ("flat", |_, _, r, _| 100.0 * r[0]),
    // Slopes of whole numbers: planes to the bit.
    ("plane", |[x, z], _, r, _| (8.0 * r[0]).round() * x + (8.0 * r[1]).round() * z),
    ("ridge along x", |[_, z], n, _, _| (z - n / 2.0).abs()),
    ("ridge by the rule", |[x, z], n, r, _| (x + z - n - (r[0] * n / 2.0).round()).abs()),
    ("ridge against the rule", |[x, z], n, r, _| (x - z - (r[0] * n / 2.0).round()).abs()),
    (
        "cliff",
        |[x, z], n, r, _| if r[0] * (x - n / 2.0) + r[1] * (z - n / 2.0) > r[2] { 300.0 } else { -2.0 },
    ),
    ("saddle", |[x, z], n, r, _| (x - n / 2.0 - r[0]) * (z - n / 2.0 - r[1]) / 32.0),
    ("saddle in cells", |[x, z], _, _, _| if (x + z) % 2.0 == 0.0 { 3.0 } else { -1.0 }),
    ("spikes", |_, _, _, random| if random.below(40) == 0 { 500.0 * random.signed() } else { 0.0 }),
    ("one spike", |[x, z], n, r, _| {
        let at = |r: f64| (n * (r + 1.0) / 2.0).round();
        if [x, z] == [at(r[0]), at(r[1])] { 64.0 * r[2] } else { 0.0 }
    }),
    ("border spikes", |[x, z], n, _, random| {
        let is_border = x == 0.0 || z == 0.0 || x == n || z == n;
        if is_border && random.below(3) == 0 { 40.0 * random.signed() } else { 0.0 }
    }),
    ("noise", |_, _, _, random| 50.0 * random.signed()),
    ("bowl", |[x, z], n, r, _| {
        0.25 * ((x - n * r[0]) * (x - n * r[0]) + (z - n * r[1]) * (z - n * r[1])) / n
    }),
    ("hills", |[x, z], _, r, _| {
        let wave = |f: f64, phase: f64, at: f64| (f * at + 9.0 * phase).sin();
        40.0 * wave(0.11, r[0], x + 0.4 * z) * wave(0.07, r[1], z - 0.2 * x)
            + 9.0 * wave(0.31, r[2], x - 0.5 * z)
            + 2.0 * wave(0.9, r[3], z) * wave(0.8, r[4], x)
    }),
];

impl Ground {
    /// The ground of a kind, the same for the same seed.
    pub(crate) fn new(kind: usize, cells: usize, seed: u64) -> Self {
        let (name, height) = KINDS[kind];
        let mut random = Random(seed ^ ((kind as u64) << 32));
        let numbers: [f64; 6] = std::array::from_fn(|_| random.signed());
        let mut heights = Vec::with_capacity((cells + 1) * (cells + 1));
        for z in 0..=cells {
            for x in 0..=cells {
                let height = height([x as f64, z as f64], cells as f64, &numbers, &mut random);
                heights.push((256.0 * height).round() as f32 / 256.0);
            }
        }
        assert!(heights.iter().all(|height| height.abs() < 4096.0), "{name} at {cells} cells");
        Self { name, cells, heights }
    }

    pub(crate) fn side(&self) -> usize {
        self.cells + 1
    }

    pub(crate) fn at(&self, [x, z]: Point) -> f64 {
        f64::from(self.heights[z as usize * self.side() + x as usize])
    }

    /// The height at any place, by the rule: cells are cut from (x0, z1) to (x1, z0).
    pub(crate) fn height(&self, [x, z]: [f64; 2]) -> f64 {
        let last = self.cells as i64 - 1;
        let (x0, z0) = ((x.floor() as i64).min(last), (z.floor() as i64).min(last));
        let (u, v) = (x - x0 as f64, z - z0 as f64);
        let [h00, h10] = [self.at([x0, z0]), self.at([x0 + 1, z0])];
        let [h01, h11] = [self.at([x0, z0 + 1]), self.at([x0 + 1, z0 + 1])];
        if u + v <= 1.0 {
            (1.0 - u - v) * h00 + u * h10 + v * h01
        } else {
            (u + v - 1.0) * h11 + (1.0 - u) * h01 + (1.0 - v) * h10
        }
    }

    /// The largest vertical distance to a mesh over samples, and where it is. Looks at every vertex of the merged
    /// triangulation: all samples, all corners, all crossings of a triangle's edges with rows, columns and diagonals.
    pub(crate) fn distance(&self, triangles: &[[Point; 3]]) -> (f64, [f64; 2]) {
        let mut most = (0.0, [0.0; 2]);
        for corners in triangles {
            let mut look = |at: [f64; 2]| {
                let distance = (self.height(at) - self.on_triangle(*corners, at)).abs();
                if distance > most.0 {
                    most = (distance, at);
                }
            };
            for [x, z] in samples(*corners) {
                look([x as f64, z as f64]);
            }
            for (from, to) in [(0, 1), (1, 2), (2, 0)] {
                for at in crossings(corners[from], corners[to]) {
                    look(at);
                }
            }
        }
        most
    }

    /// The largest vertical distance at samples alone.
    pub(crate) fn distance_at_samples(&self, triangles: &[[Point; 3]]) -> f64 {
        let mut most: f64 = 0.0;
        for corners in triangles {
            for at in samples(*corners) {
                let on_triangle = self.on_triangle(*corners, at.map(|along| along as f64));
                most = most.max((self.at(at) - on_triangle).abs());
            }
        }
        most
    }

    fn on_triangle(&self, corners: [Point; 3], at: [f64; 2]) -> f64 {
        let cross = |a: Point, b: Point| {
            (b[1] - a[1]) as f64 * (at[0] - a[0] as f64) - (b[0] - a[0]) as f64 * (at[1] - a[1] as f64)
        };
        let [a, b, c] = corners;
        let weights = [cross(b, c), cross(c, a), cross(a, b)];
        let sum: f64 = (0..3).map(|i| weights[i] * self.at(corners[i])).sum();
        sum / area(corners) as f64
    }
}

/// The samples in a triangle, its border included.
fn samples(corners: [Point; 3]) -> Vec<Point> {
    let mut samples = Vec::new();
    let [xs, zs] = [0, 1].map(|axis| corners.map(|corner| corner[axis]));
    for z in *zs.iter().min().unwrap()..=*zs.iter().max().unwrap() {
        for x in *xs.iter().min().unwrap()..=*xs.iter().max().unwrap() {
            let [a, b, c] = corners;
            let parts = [area([a, b, [x, z]]), area([b, c, [x, z]]), area([c, a, [x, z]])];
            if parts.iter().all(|part| *part >= 0) || parts.iter().all(|part| *part <= 0) {
                samples.push([x, z]);
            }
        }
    }
    samples
}

/// Where an edge meets the rows, columns and diagonals of the grid.
fn crossings(from: Point, to: Point) -> Vec<[f64; 2]> {
    let mut places = Vec::new();
    let lines: [fn(Point) -> i64; 3] = [|[x, _]| x, |[_, z]| z, |[x, z]| x + z];
    for line in lines {
        let (first, last) = (line(from), line(to));
        for value in first.min(last)..first.max(last) {
            let along = (value - first) as f64 / (last - first) as f64;
            places.push([0, 1].map(|axis| from[axis] as f64 + along * (to[axis] - from[axis]) as f64));
        }
    }
    places
}
