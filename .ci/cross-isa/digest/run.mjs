// Usage: node run.mjs digest.wasm. Prints the report; times and the check of too large grids go to stderr.
import { readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const wasm = instance.exports;
const at = wasm.report_at() >>> 0;
const length = wasm.report_len() >>> 0;
process.stdout.write(new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, at, length)));

for (let level = 0; level < 3; level++) {
  wasm.speed(level, 2000);
  let best = Infinity;
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    if (Number.isNaN(wasm.speed(level, 2000))) break;
    best = Math.min(best, ((performance.now() - start) * 1e6) / (2000 * 67 * 67));
  }
  if (best < Infinity) console.error(`level ${level}: ${best.toFixed(2)} ns a sample, best of 5`);
}
let trapped = false;
try {
  wasm.too_large();
} catch {
  trapped = true;
}
console.error(`a grid that is too large ${trapped ? "panics" : "IS SILENTLY NOT FILLED"}`);
if (!trapped) process.exitCode = 1;
