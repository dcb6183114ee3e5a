// Words of a call or a result as one or more safe lines for a terminal.

// Control strings (OSC, DCS, …) with their text, control sequences, other escapes.
const ESCAPES = /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g;
// Everything else that moves the cursor or turns the direction of writing.
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Without anything that a terminal would obey; line breaks and tabs stay. */
export function clean(text: string): string {
  return text.replace(ESCAPES, "").replace(CONTROLS, "");
}

/** A call as one line. Arguments may be there in part while the model still writes them. */
export function callLine(args: unknown, limit = Number.POSITIVE_INFINITY): string {
  if (typeof args !== "object" || args === null) return "…";
  const parts = Object.entries(args).map(([key, value]) => {
    if (key === "args" && Array.isArray(value)) return value.map(word).join(" ");
    return `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
  });
  const line = clean(parts.join("  ").replace(/\s+/g, " "));
  return line.length > limit ? `${line.slice(0, limit)}…` : line || "…";
}

function word(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  return /^[^\s"'\\]+$/.test(text) ? text : JSON.stringify(text);
}

/** The lines of a result, at most `limit` of them, and how many are left out. */
export function resultLines(
  content: readonly { type: string; text?: string }[] = [],
  limit = Number.POSITIVE_INFINITY,
): { shown: string[]; hidden: number } {
  const texts = content.flatMap((part) => (part.type === "text" ? [clean(part.text ?? "")] : []));
  const lines = texts.join("\n").split("\n");
  return { shown: lines.slice(0, limit), hidden: Math.max(0, lines.length - limit) };
}
