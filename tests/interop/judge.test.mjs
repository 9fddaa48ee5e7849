// The judge finds what is wrong.
import { doesNotThrow, throws } from "node:assert/strict";
import { test } from "node:test";
import { ended, exactly, includes, outcome, progress, prompt, resources, says } from "./judge.mjs";

function check(name, judge, right, wrong) {
  test(`judge: ${name}`, () => {
    for (const got of right) doesNotThrow(() => judge(got), JSON.stringify(got));
    for (const [got, why] of wrong) throws(() => judge(got), why, JSON.stringify(got));
  });
}

const result = (text, structuredContent, isError = false) => ({ content: [{ type: "text", text }], structuredContent, isError });
const picture = { content: [{ type: "text", text: "{}" }, { type: "image", data: "AA==", mimeType: "image/png" }] };
check("an outcome says the same twice", outcome, [result('{"a":1,"b":null}', { b: null, a: 1 }), picture], [
  [result("{}", {}, true), /isError/],
  [result("[]", []), /no object/],
  [result('{"a":1}', { a: 2 }), /differ/],
  [result("a", {}), SyntaxError],
  [result("{}"), /neither/],
  [{ structuredContent: {}, content: [] }, SyntaxError],
]);
check("a text is all there is", says("a"), [result("a")], [[result("a", {}, true), /isError/], [result("b"), /'b'/]]);
const resource = (uri, contents) => ({ uri: "a:b", contents: [{ uri, ...contents }] });
check("every resource has contents of its own", resources, [[resource("a:b", { text: "c" })], [resource("a:b", { blob: "AA==" })]], [
  [[], /no resources/],
  [[resource("a:b", { text: "c" }), resource("a:c", { text: "c" })], /a:b has/],
  [[resource("a:b", { text: "" })], /a:b has/],
]);
const messages = [{ role: "user", content: { type: "text", text: "Do." } }];
check("a prompt is listed and speaks", prompt("a"), [{ listed: ["b", "a"], messages }], [
  [{ listed: ["b"], messages }, /not listed/],
  [{ listed: ["a"], messages: [] }, /no message/],
]);
check("progress is in order and may lack its end", progress, [[0, 50, 100], [0, 50]], [[[50, 0, 100], /100/], [[0], /50/], [[], /50/]]);
check("lists are compared in order", exactly(["a", "b"]), [["a", "b"]], [[["b", "a"], /'b'/], [["a"], /'b'/], [["a", "b", "c"], /'c'/]]);
check("a name is in a list", includes("a"), [["b", "a"]], [[["b"], /no a/]]);
check("a server ends when its client goes", (it) => ended(it, false), ["start\nend 0\n"], [
  ["", /no server/],
  ["start\nstart\nend 0\n", /outlives/],
  ["start\nsignal\nend 0\n", /by a signal/],
  ["start\nend 1\n", /a failure/],
  ["start\nend 143\n", /a failure/],
]);
check("a server that is probed ends by a signal", (it) => ended(it, true), ["start\nsignal\nend 0\nstart\nend 0\n", "start\nsignal\nend 143\nstart\nend 0\n"], [
  ["start\nsignal\nend 0\n", /by a signal/],
]);
