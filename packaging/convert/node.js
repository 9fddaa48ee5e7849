// The same functions, and one ConvertError, for those who import and those who require.
import all from "./index.cjs";

export const { ConvertError, check, convert, convertJson } = all;
