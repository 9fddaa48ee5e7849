// How views are looked at: in both themes, at three widths.
export const LOOKS = ["light", "dark"].flatMap((theme) => [360, 720, 1000].map((width) => [theme, width]));

/** An answer as a tool gives it. */
export const result = (structuredContent) => ({ content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent });
