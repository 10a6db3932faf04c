// Validates GLB files with Khronos' validator: fails on any error or warning.
const fs = require('fs');
const validator = require('gltf-validator');

async function main() {
  let failed = false;
  for (const file of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 0 });
    const { numErrors, numWarnings, numInfos } = report.issues;
    console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos`);
    for (const issue of report.issues.messages.filter((issue) => issue.severity < 2).slice(0, 20)) {
      console.log(`  ${issue.code} at ${issue.pointer}: ${issue.message}`);
    }
    failed = failed || numErrors + numWarnings > 0;
  }
  if (failed || process.argv.length < 3) process.exit(1);
}
main().catch((error) => { console.error(error); process.exit(1); });
