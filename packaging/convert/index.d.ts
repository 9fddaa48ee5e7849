import type { Settings } from "./settings.js";

export type { Settings, Target } from "./settings.js";

/** What came out. */
export interface Report {
  /** What is sent to the target: for a result the tool's message or output, for a prompt messages, for tools declarations. */
  output: any;
  /** What is not in it, or in another form. */
  losses: Loss[];
  /** Parts for a user message after the tool's message, which cannot carry them. */
  follow_up?: any[];
  /** The blocks that are for the user alone, by index; with `audience: "respect"`. */
  for_user?: number[];
  /** `_meta` of the result, which is for the host. */
  meta?: Record<string, unknown>;
  /** `_meta` of the blocks, each with its index, likewise. */
  block_meta?: [number, Record<string, unknown>][];
  /** For tools: the name that is sent, the index of the tool, and the names of its arguments that were changed. */
  names?: { name: string; tool: number; arguments: Record<string, unknown> }[];
}

/** One thing that the model does not get, or gets in another form. */
export interface Loss {
  /** One word of a small set, such as `block_noted`. */
  code: string;
  /** The block that it is about; absent for the result as a whole. */
  index?: number;
  /** For a log. */
  text: string;
}

/** What a provider's API refuses. */
export interface Refusal {
  /** Where, such as `content[0].source`. */
  path: string;
  /** What would be accepted. */
  rule: string;
}

/** Why a value cannot be converted. */
export class ConvertError extends Error {}

/**
 * Converts what an MCP server sent: by default the result of a tool; `kind` names the others.
 * @throws {ConvertError} if it is not what the settings say, or if a policy makes a loss an error
 */
export function convert(value: unknown, settings: Settings): Report;

/** The same from JSON that no one has parsed, which keeps the spelling of its numbers. */
export function convertJson(text: string, settings: Settings): Report;

/** What the target's API refuses of the output of a converter, this or another. Empty if it accepts it. */
export function check(output: unknown, settings: Settings): Refusal[];
