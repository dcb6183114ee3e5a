// How calls and results look in a terminal. The model reads `content`, which stays as it is.
import { keyHint, type Theme, type ToolDefinition } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { callLine, resultLines } from "./text.ts";

const COLLAPSED_LINES = 10;
const COLLAPSED_CALL = 200;

export type Renderers = (name: string) => Pick<ToolDefinition, "renderCall" | "renderResult">;

export const renderers: Renderers = (name) => ({
  renderCall(args, theme, context) {
    const limit = context.expanded ? undefined : COLLAPSED_CALL;
    const title = theme.fg("toolTitle", theme.bold(name));
    return new Text(`${title} ${theme.fg("accent", callLine(args, limit))}`, 0, 0);
  },
  renderResult(result, { expanded, isPartial }, theme, context) {
    const { shown, hidden } = resultLines(result.content, expanded ? undefined : COLLAPSED_LINES);
    const first = isPartial ? "warning" : context.isError ? "error" : "success";
    const lines = shown.map((line, index) => coloured(line, index === 0 ? first : "toolOutput", theme));
    if (hidden > 0) {
      const hint = keyHint("app.tools.expand", "to expand");
      lines.push(`${theme.fg("muted", `… ${hidden} more lines (`)}${hint}${theme.fg("muted", ")")}`);
    }
    return new Text(lines.join("\n"), 0, 0);
  },
});

function coloured(line: string, colour: "warning" | "error" | "success" | "toolOutput", theme: Theme): string {
  const ref = /^(\s*- )(.*?)( \[.*\])$/.exec(line);
  if (line.startsWith("Next: ")) return theme.fg("muted", "Next: ") + theme.fg("accent", line.slice(6));
  if (ref) return theme.fg("muted", ref[1]) + theme.fg("toolOutput", ref[2]) + theme.fg("dim", ref[3]);
  return theme.fg(colour, line);
}
