/** The functions of this package from its compiled module, for hosts that compile it themselves. */
export function start(module) {
  const started = () => new WebAssembly.Instance(module).exports;
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  let running = started();
  /** The most bytes that are kept for the next call: a module's memory never shrinks. */
  const KEPT = 1 << 26;

  /** Why a value cannot be converted. */
  class ConvertError extends Error {
    name = "ConvertError";
  }

  function call(text, settings, check = false) {
    const request = encoder.encode(`{"settings":${JSON.stringify(settings)},"check":${check},"value":${text}}`);
    try {
      const at = running.request(request.length);
      new Uint8Array(running.memory.buffer, at, request.length).set(request);
      const answer = running.convert();
      const json = decoder.decode(new Uint8Array(running.memory.buffer, answer, running.length()));
      if (running.memory.buffer.byteLength > KEPT) running = started();
      const { value, error } = JSON.parse(json);
      if (error === undefined) return value;
      throw new ConvertError(error);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      // Its memory was not enough, and what is left of it is of no use.
      running = started();
      throw new ConvertError(`too large to convert: ${error.message}`, { cause: error });
    }
  }

  const convert = (value, settings) => call(JSON.stringify(value), settings);
  const convertJson = (text, settings) => call(text, settings);
  const check = (output, settings) => call(JSON.stringify(output), settings, true);
  return { ConvertError, check, convert, convertJson };
}
