//! A smooth blur whose cost does not depend on its radius.
//!
//! In: a grid and a radius in pixels. Out: three box blurs, which are a Gaussian for the eye; edges are
//! repeated.

/// Passes: one box is blocky, three are smooth.
const PASSES: usize = 3;

/// Blurs `values` of `size` along both axes.
pub(super) fn blur(values: &[f32], size: [usize; 2], radius: usize) -> Vec<f32> {
    let mut now = values.to_vec();
    let mut next = vec![0.0; values.len()];
    for _ in 0..PASSES {
        for (from, to) in now.chunks_exact(size[0]).zip(next.chunks_exact_mut(size[0])) {
            blur_row(from, to, radius);
        }
        blur_columns(&next, &mut now, size, radius);
    }
    now
}

fn blur_row(from: &[f32], to: &mut [f32], radius: usize) {
    let last = from.len() - 1;
    let clamped = |i: isize| f64::from(from[i.clamp(0, last as isize) as usize]);
    let reach = radius as isize;
    // In f64 and from the row's own level: a running sum must come back to where it was.
    let mut sum: f64 = (-reach..=reach).map(clamped).sum();
    let scale = 1.0 / (2 * radius + 1) as f64;
    for (i, to) in to.iter_mut().enumerate() {
        *to = (sum * scale) as f32;
        sum += clamped(i as isize + reach + 1) - clamped(i as isize - reach);
    }
}

/// The same down the columns, all of them at once so that memory is read row by row.
fn blur_columns(from: &[f32], to: &mut [f32], size: [usize; 2], radius: usize) {
    let [width, height] = size;
    let row = |i: isize| &from[i.clamp(0, height as isize - 1) as usize * width..][..width];
    let reach = radius as isize;
    let mut sums = vec![0.0f64; width];
    for i in -reach..=reach {
        sums.iter_mut().zip(row(i)).for_each(|(sum, &value)| *sum += f64::from(value));
    }
    let scale = 1.0 / (2 * radius + 1) as f64;
    for (i, to) in to.chunks_exact_mut(width).enumerate() {
        to.iter_mut().zip(&sums).for_each(|(to, sum)| *to = (sum * scale) as f32);
        let (enters, leaves) = (row(i as isize + reach + 1), row(i as isize - reach));
        for ((sum, &enters), &leaves) in sums.iter_mut().zip(enters).zip(leaves) {
            *sum += f64::from(enters) - f64::from(leaves);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_stay_and_a_point_spreads_evenly() {
        assert!(blur(&[5.0; 35], [7, 5], 9).iter().all(|&value| value == 5.0));
        let mut point = vec![0.0; 41 * 41];
        point[20 * 41 + 20] = 1.0;
        let spread = blur(&point, [41, 41], 3);
        assert!((spread.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!((spread[20 * 41 + 14] - spread[26 * 41 + 20]).abs() < 1e-7);
        assert!(spread[20 * 41 + 20] > spread[20 * 41 + 24]);
    }
}
