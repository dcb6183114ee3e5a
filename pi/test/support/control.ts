// Commands that a test sends as prompts, for what pi offers only to people at a terminal.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI): void {
  pi.registerCommand("test-reload", { description: "Reload", handler: (_args, ctx) => ctx.reload() });
  pi.registerCommand("test-tree", {
    description: "Go to an entry",
    handler: async (args, ctx) => void (await ctx.navigateTree(args.trim(), { summarize: false })),
  });
}
