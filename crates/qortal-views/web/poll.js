// Reading again by itself, while someone can see it.

/** @param {number} seconds */
function duration(seconds) {
  const [s, m, h] = [Math.floor(seconds), Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  if (h >= 48) return `${Math.floor(h / 24)} days`;
  if (h) return `${h} h ${m % 60} min`;
  return m ? `${m} min ${s % 60} s` : `${s} s`;
}

/**
 * Does something at intervals while the page can be seen, at most for a time; what it returns ends it.
 * @param {() => unknown} work @param {number} millis @param {number} most
 */
function whileVisible(work, millis, most) {
  let isSeen = true;
  const seen = new IntersectionObserver(([entry]) => (isSeen = entry?.isIntersecting ?? true));
  seen.observe(document.body);
  const begun = Date.now();
  const end = () => {
    clearInterval(timer);
    seen.disconnect();
  };
  const timer = setInterval(() => {
    if (Date.now() - begun > most) end();
    else if (isSeen && document.visibilityState === "visible") work();
  }, millis);
  return end;
}
