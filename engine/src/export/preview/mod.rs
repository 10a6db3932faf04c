//! `preview.png`: the region as a shaded map, to be looked at.
//!
//! In: heights of a region of any size. Out: one picture of at most about 2000 pixels a side: relief over the
//! world's colour ramp, the sea, a legend with heights, a scale bar and the axes. While bands stream by,
//! heights are averaged into a raster of a few million samples at most ([`raster`]); at the end the raster is
//! brought to the size of the picture ([`resample`]), lit ([`relief`]) and set on a page ([`page`]). Long,
//! narrow regions are cut into strips that stand side by side ([`layout`]).
//!
//! Nothing here uses the platform's trigonometry: light directions are literals, and the picture of a region
//! is the same to the byte everywhere. Deliberately not here: measuring. Heights are averaged, smoothed and
//! exaggerated (the legend says by how much); use `heights.png` for numbers and `heat.png` to look for
//! faults.

mod blur;
mod canvas;
mod layout;
mod page;
mod raster;
mod relief;
mod resample;
mod text;
mod units;

use super::png_stream::{Pixel, PngStream};
use super::{Band, ExportError, Exporter, Format, OutputDir, Scene, WrittenFile};
use layout::Layout;
use raster::Raster;

pub(super) const FORMAT: Format = Format {
    id: "preview",
    files: &["preview.png"],
    about: "shaded relief with sea, legend and scale: a picture of any region, however large",
    needs_mesh: false,
    bytes: |_| PngStream::bytes_max(Pixel::Rgb8, layout::PAGE_SIDE_MAX, layout::PAGE_SIDE_MAX),
    check: |_| Ok(()),
    open: |scene, out| Ok(Box::new(Preview::open(scene, out)?)),
};

struct Preview {
    scene: Scene,
    layout: Layout,
    raster: Raster,
    out: Begun,
}

/// The target is claimed at the start, so that a picture in the way is reported before an hour of work; its
/// size is known at once, too.
struct Begun {
    png: PngStream,
    size: [usize; 2],
}

impl Preview {
    fn open(scene: &Scene, out: &OutputDir) -> Result<Self, ExportError> {
        let layout = Layout::new(scene.width, scene.height);
        let size = page::size(&layout);
        let png = PngStream::open(out, "preview.png", Pixel::Rgb8, size[0], size[1])?;
        let raster = Raster::new([scene.width, scene.height], layout.averaged);
        Ok(Self { scene: scene.clone(), layout, raster, out: Begun { png, size } })
    }
}

impl Exporter for Preview {
    fn write_band(&mut self, band: &Band<'_>) -> Result<(), ExportError> {
        band.heights.chunks_exact(self.scene.width).for_each(|row| self.raster.push_row(row));
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, ExportError> {
        let Self { scene, layout, raster, out: Begun { mut png, size } } = *self;
        let heights = resample::enlarge(&raster.finish(), layout.map);
        let spacing = layout.pixel_m(scene.sample_spacing_m);
        let map = relief::paint(&heights, spacing, &scene);
        let page = page::draw(&scene, &layout, &map);
        assert_eq!(page.size(), size, "size of the page");
        for row in page.rows() {
            png.write_row(row.as_flattened())?;
        }
        Ok(vec![png.finish()?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::test_scene::{self, TestScene};

    #[test]
    fn pictures_of_all_shapes() {
        for (cells, chunks) in [(16, [1, 1]), (64, [4, 3]), (16, [1, 50]), (16, [60, 1]), (16, [400, 2])] {
            let dir = tempfile::tempdir().unwrap();
            let file = TestScene::terrain(cells, chunks, 60.0).export(&[&FORMAT], dir.path()).remove(0);
            let (info, bytes) = test_scene::read_png(&file.path);
            let (short, long) = (info.width.min(info.height), info.width.max(info.height));
            assert!(short > 500 && long < layout::PAGE_SIDE_MAX as u32, "{chunks:?}: {short} x {long}");
            let colors: std::collections::BTreeSet<_> = bytes.chunks_exact(3).collect();
            assert!(colors.len() > 1000, "{chunks:?} is drawn with {} colours", colors.len());
        }
    }

    #[test]
    fn a_flat_world_and_a_drowned_world_can_be_drawn() {
        for (height, sea) in [(3.0, 0.0), (-50.0, 0.0), (5.0, 5.0)] {
            let mut scene = TestScene::hills(16, [2, 1]);
            scene.heights.fill(height);
            (scene.scene.min_m, scene.scene.max_m, scene.scene.sea_level_m) = (height, height, sea);
            scene.scene.world_name =
                "a name that is far too long for any title, with \u{fc} and \u{6f22}".to_owned();
            let dir = tempfile::tempdir().unwrap();
            scene.export(&[&FORMAT], dir.path());
        }
    }
}
