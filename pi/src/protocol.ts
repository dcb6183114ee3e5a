// Made from src/door/rpc/protocol.rs. Do not edit; run
// UPDATE_PROTOCOL=1 cargo test --lib protocol

/** Every request that a host may send. */
export type Request = { "method": "initialize", "params": InitializeParams } | { "method": "call", "params": CallParams } | { "method": "session/start", "params": SessionParams } | { "method": "session/tree", "params": SessionParams } | { "method": "session/shutdown", "params": ShutdownParams } | { "method": "prompt", "params": PromptParams } | { "method": "bash/check", "params": BashCheckParams };

/** What every request answers. */
export type Results = { initialize: InitializeResult, call: CallResult, "session/start": RestoreResult, "session/tree": RestoreResult, "session/shutdown": ShutdownResult, prompt: PromptResult, "bash/check": BashCheckResult, };

/** Which host this is: the first part of session names. */
export type Door = "pi";

/** Parameters of `initialize`. */
export type InitializeParams = {
/** Which host this is. */
door: Door,
/** The host's session. */
sessionId: string,
/** Its directory; relative paths belong to it. */
cwd: string,
/** The host trusts the directory's own settings. */
trusted: boolean,
/** The `details` of this tool's results on the branch, oldest first. */
facts: unknown[], };

/** Parameters of `session/start` and `session/tree`. */
export type SessionParams = {
/** The host's session. */
sessionId: string,
/** Its directory; relative paths belong to it. */
cwd: string,
/** The host trusts the directory's own settings. */
trusted: boolean,
/** The `details` of this tool's results on the branch, oldest first. */
facts: unknown[], };

/** Parameters of `call`. */
export type CallParams = {
/** Name of the tool. */
tool: string,
/** Its input. */
params: unknown,
/** The host's session. */
sessionId: string,
/** Its directory. */
cwd: string, };

/** Why the host leaves. */
export type ShutdownReason = "quit" | "reload" | "new" | "resume" | "fork";

/** Parameters of `session/shutdown`. */
export type ShutdownParams = {
/** Why; after `quit` no browser of ours is left. */
reason: ShutdownReason, };

/** Parameters of `prompt`. */
export type PromptParams = {
/** What the user wrote. */
text: string, };

/** Parameters of `bash/check`. */
export type BashCheckParams = {
/** The whole command line. */
command: string, };

/** Parameters of `$/cancel`. */
export type CancelParams = {
/** The request that nobody waits for any more. */
id: number | string, };

/** Result of `initialize`. */
export type InitializeResult = {
/** The tools to register. */
tools: Array<ToolInfo>,
/** Sentences for the system prompt. */
guidelines: Array<string>,
/** Version of the program. */
version: string, };

/** A tool as the host registers it. */
export type ToolInfo = {
/** Name for the model. */
name: string,
/** Name for people. */
label: string,
/** What it is for and how a call looks. */
description: string,
/** One line for a list of tools. */
snippet: string,
/** JSON Schema of the input. */
parameters: Record<string, unknown>, };

/** Result of `session/start` and `session/tree`. */
export type RestoreResult = {
/** Facts that were folded. */
restored: number,
/** Facts that this version does not understand. */
unreadable: number,
/** The tools of this session: its directory may configure another one (WEB-04). */
tools: Array<ToolInfo>,
/** Sentences for the system prompt. */
guidelines: Array<string>, };

/** Result of `session/shutdown`. */
export type ShutdownResult = {
/** Browsers that were closed. */
closed: number,
/** Browsers that stay for whoever takes the session up again. */
kept: number, };

/** Result of `prompt`. */
export type PromptResult = {
/** Files that must be saved before the browser is closed, as the prompt wrote them. */
requiredFiles: string[], };

/** Result of `bash/check`. */
export type BashCheckResult = {
/** The command should not run. */
block: boolean,
/** Why, with the call of the tool that does the same. */
reason?: string, };

/** Result of `call`. */
export type CallResult = {
/** What the model reads and sees. */
content: Array<Content>,
/** Everything else, for the transcript. */
details: Record<string, unknown>,
/** The call failed. */
isError: boolean, };

/** One piece of content. */
export type Content = { "type": "text",
/** The text. */
text: string, } | { "type": "image",
/** Base64. */
data: string,
/** Media type. */
mimeType: string, };

/** Parameters of `$/update`. */
export type UpdateParams = {
/** The request that goes on. */
id: number | string,
/** What can be shown meanwhile. */
content: Array<Content>, };
