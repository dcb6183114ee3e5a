"use strict";
// Finds the program of this platform and the agent-browser that came with it. No install script:
// what npm has unpacked is enough.
const { accessSync, chmodSync, constants } = require("node:fs");
const { dirname, join } = require("node:path");
const { optionalDependencies } = require("./package.json");

const NAME = "agent-browser-native";
const UPSTREAM_PATH = "AGENT_BROWSER_NATIVE_UPSTREAM_PATH";

/**
 * The program and the environment to start it with.
 * Throws with a sentence for the user when this platform has none.
 */
function locate({ platform = process.platform, arch = process.arch, env = process.env } = {}) {
  let program;
  try {
    program = require.resolve(`${NAME}-${platform}-${arch}/bin/${NAME}`);
  } catch {
    throw new Error(noProgram(`${platform}-${arch}`));
  }
  const upstream = upstreamPath(platform, arch);
  // What the user has set wins.
  return { program: executable(program), env: { ...(upstream && { [UPSTREAM_PATH]: upstream }), ...env } };
}

function upstreamPath(platform, arch) {
  try {
    const bin = join(dirname(require.resolve("agent-browser/package.json")), "bin");
    return executable(join(bin, `agent-browser-${platform}-${arch}`));
  } catch {
    return undefined; // The program looks for one itself and says what to do.
  }
}

/** Without install scripts npm may leave the execute bit out. */
function executable(path) {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    chmodSync(path, 0o755);
  }
  return path;
}

function noProgram(platform) {
  const known = Object.keys(optionalDependencies).map((name) => name.slice(NAME.length + 1));
  return known.includes(platform)
    ? `the package ${NAME}-${platform} is missing. Install ${NAME} again, without --omit=optional or --no-optional.`
    : `there is no ready program for ${platform}, only for ${known.join(", ")}. Build it from source: cargo install --path . in a checkout`;
}

module.exports = { locate };
