// Amounts as the chain has them, and times as the reader writes them.

/** A decimal string without trailing zeros, its thousands apart. @param {any} amount @param {number} [places] at least */
function amount(amount, places = 0) {
  const [whole = "0", part = ""] = String(amount ?? "").split(".");
  const kept = part.replace(/0+$/, "").padEnd(places, "0");
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (kept && `.${kept}`);
}

/** @param {number} millis @param {Intl.DateTimeFormatOptions} options */
function time(millis, options) {
  if (!Number.isFinite(millis)) return "–";
  const write = (/** @type {string} */ locale, /** @type {string} */ timeZone) =>
    new Intl.DateTimeFormat(locale || undefined, { ...options, timeZone: timeZone || undefined }).format(millis);
  try {
    return write(host.locale, options.timeZone ?? host.timeZone);
  } catch {
    return write("", "");
  }
}

/** @param {number} millis */
const clock = (millis) => time(millis, { hour: "2-digit", minute: "2-digit" });

/** @param {number} millis */
const dayAndTime = (millis) => time(millis, { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });

/** @param {number} number @param {string} one */
const counted = (number, one) => `${amount(number)} ${one}${number === 1 ? "" : "s"}`;
