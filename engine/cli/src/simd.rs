//! `terrane simd`: the detected level, and the levels that can be forced.

use terrane::SimdLevel;

use crate::args::SimdArgs;
use crate::error::Failure;

pub(crate) fn run(args: &SimdArgs) -> Result<(), Failure> {
    let (detected, available) = (SimdLevel::detect(), SimdLevel::available().map(SimdLevel::name));
    if args.json {
        let json = serde_json::json!({
            "detected": detected.name(),
            "available": available.collect::<Vec<_>>(),
        });
        say!("{json}");
        return Ok(());
    }
    say!("detected   {detected}");
    say!("available  {}", available.collect::<Vec<_>>().join(" "));
    let forced = SimdLevel::from_env()?;
    if forced != detected {
        say!("forced     {forced} (by {})", SimdLevel::VARIABLE);
    }
    Ok(())
}
