// Addresses: short to look at, whole to copy.

/** @param {string} address */
const short = (address) => (address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address);

/** @param {string} address */
function copyable(address) {
  const policy = /** @type {any} */ (document).featurePolicy;
  const code = el("code", { title: address }, short(address));
  const copy = async () => {
    try {
      // A host may forbid it; to try nevertheless is an error in the console.
      if (policy && !policy.allowsFeature("clipboard-write")) throw 0;
      await navigator.clipboard.writeText(address);
      mark.textContent = "Copied";
    } catch {
      // Without the clipboard: all of it, selected.
      code.textContent = address;
      getSelection()?.selectAllChildren(code);
      mark.textContent = "Selected";
    }
    say(mark.textContent);
  };
  const mark = button("Copy", copy, { class: "link", "aria-label": `Copy ${address}` });
  return el("span", { class: "row" }, code, mark);
}
