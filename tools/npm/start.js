#!/usr/bin/env node
// Starts the program that npm installed for this system, with the same arguments,
// streams and exit code.
const { spawnSync } = require("node:child_process");

const name = `@git-cortex/cortex-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/cortex${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`cortex: the package ${name} is not installed`);
  console.error("hint: install again without --omit=optional, or go install github.com/git-cortex/cortex/cmd/cortex@latest");
  process.exit(1);
}
const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) {
  console.error(`cortex: ${error.message}`);
  process.exit(1);
}
if (signal) {
  process.kill(process.pid, signal);
}
process.exit(status ?? 1);
