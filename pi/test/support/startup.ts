// What the package adds to a whole `pi -p` with one instant answer. As a program: a table, and
// exit code 1 above the budget.
import { finished, PACKAGE, World } from "./world.ts";

const BUDGET_MS = 40;

export interface Startup {
  plain: number;
  loaded: number;
  added: number;
}

/** Medians in milliseconds; both are run in turn, so that noise of the machine hits both. */
export async function startup(world: World, rounds: number): Promise<Startup> {
  const kinds = { plain: [] as number[], loaded: [] as number[] };
  const run = async (kind: keyof typeof kinds) => {
    const source = kind === "loaded" ? ["-e", PACKAGE] : [];
    const began = performance.now();
    const { code, stderr } = await finished(world.spawn(["-p", "--no-session", "-ne", ...source, "go"]));
    if (code !== 0) throw new Error(stderr);
    return performance.now() - began;
  };
  for (let round = -1; round < rounds; round++) {
    const order = round % 2 ? (["plain", "loaded"] as const) : (["loaded", "plain"] as const);
    for (const kind of order) {
      const time = await run(kind);
      if (round >= 0) kinds[kind].push(time); // the first round fills caches
    }
  }
  const [plain, loaded] = [median(kinds.plain), median(kinds.loaded)];
  return { plain, loaded, added: loaded - plain };
}

function median(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? 0) + (high ?? 0)) / 2;
}

if (import.meta.main) {
  const ends: (() => void)[] = [];
  const world = await World.create({ after: (end) => ends.push(end) });
  const rounds = Number(process.argv[2] ?? 10);
  const { plain, loaded, added } = await startup(world, rounds);
  console.log(`pi -p, median of ${rounds}: ${plain.toFixed(0)} ms without the package, ${loaded.toFixed(0)} ms with it`);
  console.log(`added: ${added.toFixed(1)} ms, budget ${BUDGET_MS} ms`);
  for (const end of ends) end();
  process.exitCode = added <= BUDGET_MS ? 0 : 1;
}
