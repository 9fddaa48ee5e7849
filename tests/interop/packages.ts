// What the types of the package allow and what they do not: compiled, never run.
import { ConvertError, check, convert, type Loss, type Report, type Settings, type Target } from "qortal-mcp-convert";

const to: Target = "anthropic";
const settings: Settings = { to, for: "any", kind: "result", maxChars: 20_000, callId: "toolu_1", lossless: false };
const report: Report = convert({ content: [] }, settings);
const codes: string[] = report.losses.map((it: Loss) => it.code);
const rules: string[] = check(report.output, { to: "gemini", family: "gemini2" }).map((it) => `${it.path}: ${it.rule}`);
export const all = [...codes, ...rules, new ConvertError().message];

// @ts-expect-error A target is needed.
convert({}, {});
// @ts-expect-error There is no such target.
convert({}, { to: "nowhere" });
// @ts-expect-error There is no such setting.
convert({}, { to: "rig", maxByte: 1 });
// @ts-expect-error It is a number.
convert({}, { to: "rig", maxBytes: "1" });
