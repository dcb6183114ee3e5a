#!/usr/bin/env node
"use strict";
// Starts the program of this platform in our place: same streams, same signals, same exit code.
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { locate } = require("../index.cjs");

const COULD_NOT_RUN = 3;

function fail(error) {
  process.stderr.write(`agent-browser-native: ${error.message}\n`);
  process.exitCode = COULD_NOT_RUN;
}

function run({ program, env }) {
  const child = spawn(program, process.argv.slice(2), { stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", fail);
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}

try {
  run(locate());
} catch (error) {
  fail(error);
}
