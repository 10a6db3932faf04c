//! The numbers of `smoothness.rs`, proved by branch and bound.
//!
//! A box of places and directions is a ball an axis: a centre and a radius. Sums and products of balls hold all sums
//! and products of what they hold, and the fade's derivatives change by at most 15/8, 5.774 and 60 times their
//! argument. A box whose largest possible sum is within the number stated is done; any other is cut in two. When no
//! box is left, no place and no direction is above it.

use std::f64::consts::PI;
use std::ops::{Add, Mul, Sub};

use super::{Kind, Perlin, PerlinClassic, Simplex, Smoothness, Value};
use crate::gradient::{DIRECTION_X, DIRECTION_Z};

#[derive(Clone, Copy, Debug)]
struct Ball {
    center: f64,
    radius: f64,
}

impl Add for Ball {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { center: self.center + other.center, radius: self.radius + other.radius }
    }
}

impl Sub for Ball {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { center: self.center - other.center, radius: self.radius + other.radius }
    }
}

impl Mul for Ball {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let radius =
            self.center.abs() * other.radius + other.center.abs() * self.radius + self.radius * other.radius;
        Self { center: self.center * other.center, radius }
    }
}

fn exactly(center: f64) -> Ball {
    Ball { center, radius: 0.0 }
}

/// The first or the second derivative.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Order {
    First,
    Second,
}

/// A box: the place's two balls and the direction's angle.
type Box3 = [Ball; 3];

#[expect(clippy::disallowed_methods, reason = "a proof, not generation")]
fn along([_, _, angle]: &Box3) -> [Ball; 2] {
    [Ball { center: angle.center.cos(), ..*angle }, Ball { center: angle.center.sin(), ..*angle }]
}

/// The largest |g . v| of a list of gradients; without one, of a number in -1..=1 times the first.
fn largest(gradients: Option<&[[f64; 2]]>, v: [Ball; 2]) -> f64 {
    let Some(gradients) = gradients else { return v[0].center.abs() + v[0].radius };
    let sizes = gradients.iter().map(|[x, z]| {
        (x * v[0].center + z * v[1].center).abs() + x.abs() * v[0].radius + z.abs() * v[1].radius
    });
    sizes.fold(0.0, f64::max)
}

/// The bracket of `smoothness.rs`, from the weight and its derivatives along t.
fn bracket(weight: [Ball; 3], way: [Ball; 2], t: [Ball; 2], order: Order) -> [Ball; 2] {
    let [w, first, second] = weight;
    let (lead, rest) = if order == Order::First { (first, w) } else { (second, exactly(2.0) * first) };
    [lead * way[0] + rest * t[0], lead * way[1] + rest * t[1]]
}

/// What the corners of a square cell can give.
fn square(gradients: Option<&[[f64; 2]]>, at: &Box3, order: Order) -> f64 {
    let fade = |Ball { center: x, radius }: Ball| {
        [
            Ball { center: x * x * x * (x * (x * 6.0 - 15.0) + 10.0), radius: 1.875 * radius },
            Ball { center: 30.0 * x * x * (x - 1.0) * (x - 1.0), radius: 5.774 * radius },
            Ball { center: 60.0 * x * (2.0 * x * x - 3.0 * x + 1.0), radius: 60.0 * radius },
        ]
    };
    let side = |[f, f1, f2]: [Ball; 3], upper: bool| {
        let zero = exactly(0.0);
        if upper { [f, f1, f2] } else { [exactly(1.0) - f, zero - f1, zero - f2] }
    };
    let (fade_x, fade_z, t) = (fade(at[0]), fade(at[1]), along(at));
    let mut sum = 0.0;
    for right in [false, true] {
        for up in [false, true] {
            let (a, b) = (side(fade_x, right), side(fade_z, up));
            let first = a[1] * b[0] * t[0] + a[0] * b[1] * t[1];
            let mixed = exactly(2.0) * a[1] * b[1] * t[0] * t[1];
            let second = a[2] * b[0] * t[0] * t[0] + mixed + a[0] * b[2] * t[1] * t[1];
            let way = [at[0] - exactly(f64::from(right)), at[1] - exactly(f64::from(up))];
            sum += match gradients {
                Some(_) => largest(gradients, bracket([a[0] * b[0], first, second], way, t, order)),
                None => largest(None, [if order == Order::First { first } else { second }; 2]),
            };
        }
    }
    sum
}

/// What the corners of one of a rhombus's two triangles can give, over its bound; 0 for boxes outside of it.
fn triangle(gradients: &[[f64; 2]], at: &Box3, order: Order, upper: bool) -> f64 {
    let [u, v, _] = *at;
    let outside = if upper { u - v } else { v - u };
    if outside.center > outside.radius {
        return 0.0;
    }
    let (t, unskew) = (along(at), (3.0 - 3f64.sqrt()) / 6.0);
    let mut sum = 0.0;
    for corner in [[0.0, 0.0], if upper { [0.0, 1.0] } else { [1.0, 0.0] }, [1.0, 1.0]] {
        let (u, v) = (u - exactly(corner[0]), v - exactly(corner[1]));
        let turned = |a: Ball, b: Ball| a * exactly(1.0 - unskew) - b * exactly(unskew);
        let way = [turned(u, v), turned(v, u)];
        let mut left = exactly(0.5) - way[0] * way[0] - way[1] * way[1];
        // No more than 0 is left beyond the rim; holding a ball there makes it no wider.
        if left.center + left.radius <= 0.0 {
            continue;
        }
        left.center = left.center.max(0.0);
        let (toward, left2) = (way[0] * t[0] + way[1] * t[1], left * left);
        let left3 = left2 * left;
        let second = exactly(48.0) * left2 * toward * toward - exactly(8.0) * left3;
        let weight = [left2 * left2, exactly(-8.0) * left3 * toward, second];
        sum += largest(Some(gradients), bracket(weight, way, t, order));
    }
    sum / 0.010_059_8
}

/// Whether no place of the unit square and no direction is above `limit`.
fn is_proved(limit: f64, of: impl Fn(&Box3) -> f64) -> bool {
    let middle = |center: f64| Ball { center, radius: center };
    let mut open = vec![[middle(0.5), middle(0.5), middle(PI / 2.0)]];
    while let Some(at) = open.pop() {
        // f64 rounding counts for far less than 1e-9.
        if of(&at) <= limit * (1.0 - 1e-9) {
            continue;
        }
        // Turning changes less than moving does.
        let sizes = [at[0].radius, at[1].radius, at[2].radius * 0.6];
        let axis = (0..3).fold(0, |a, b| if sizes[b] > sizes[a] { b } else { a });
        if at[axis].radius < 1e-6 {
            return false;
        }
        for side in [-0.5, 0.5] {
            let mut half = at;
            half[axis] =
                Ball { center: at[axis].center + side * at[axis].radius, radius: at[axis].radius / 2.0 };
            open.push(half);
        }
    }
    true
}

/// The largest found on a grid.
fn found(of: impl Fn(&Box3) -> f64) -> f64 {
    let mut largest = 0f64;
    for i in 0..=40 {
        for j in 0..=40 {
            for k in 0..36 {
                let at = [f64::from(i) / 40.0, f64::from(j) / 40.0, f64::from(k) * PI / 36.0];
                largest = largest.max(of(&at.map(exactly)));
            }
        }
    }
    largest
}

/// With TERRANE_LONG the numbers themselves, which takes a minute; otherwise half as much again, and that they are not
/// too far up.
#[test]
fn no_place_and_no_direction_is_above_the_numbers_stated() {
    let perlin: Vec<_> = DIRECTION_X.iter().zip(DIRECTION_Z).map(|(x, z)| [*x, z].map(f64::from)).collect();
    let perlin: Vec<[f64; 2]> = perlin.into_iter().map(|g| g.map(|part| part / 0.693_6)).collect();
    let plain: Vec<[f64; 2]> = perlin.iter().map(|g| g.map(|part| part * 0.693_6)).collect();
    let classic = [
        [1.0, 1.0],
        [-1.0, 1.0],
        [1.0, -1.0],
        [-1.0, -1.0],
        [1.0, 0.0],
        [-1.0, 0.0],
        [0.0, 1.0],
        [0.0, -1.0],
    ];
    let more = if std::env::var_os("TERRANE_LONG").is_some() { 1.0 } else { 1.5 };
    for order in [Order::First, Order::Second] {
        let stated = |kind: Kind| {
            let Smoothness { slope_max, second_max, .. } = kind.smoothness(false);
            if order == Order::First { slope_max } else { second_max }
        };
        let check = |kind: Kind, of: &dyn Fn(&Box3) -> f64| {
            let (stated, found) = (stated(kind), found(of));
            assert!(is_proved(stated * more, of), "{kind:?}, {order:?}: above {}", stated * more);
            assert!(found <= stated && found > 0.95 * stated, "{kind:?}, {order:?}: {found} of {stated}");
            assert!(!is_proved(found * 0.9, of), "the proof proves what is wrong");
        };
        check(Perlin.into(), &|at| square(Some(&perlin), at, order));
        check(PerlinClassic::default().into(), &|at| square(Some(&classic), at, order));
        check(Value.into(), &|at| square(None, at, order));
        for upper in [false, true] {
            check(Simplex.into(), &|at| triangle(&plain, at, order, upper));
        }
    }
}
