// Plays a script: each step is done by the client, and what the client made of it is a line of JSON.
// Whether that is right is judged by `judge.mjs`.

import { readFileSync } from "node:fs";

/**
 * Plays the script named on the command line. `connect(script)` resolves to what there is to say about the
 * connection, a function for each kind of step, and `close`. `atOnce` steps are done at a time.
 */
export async function play(connect, atOnce = 1) {
  const script = JSON.parse(readFileSync(process.argv[2], "utf8"));
  let client;
  await attempt("connect", async () => (client = await connect(script)).about);
  if (!client) {
    return;
  }
  const waiting = [...script.steps.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, step] = next;
      await attempt(index, () => client.steps[step.do](step));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await attempt("close", client.close);
}

async function attempt(step, act) {
  let line;
  try {
    line = { step, got: (await act()) ?? null };
  } catch (error) {
    line = { step, failed: `${error?.message ?? error}` };
  }
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
