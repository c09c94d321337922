import { describe, expect, it } from "vitest";
import { type Line, LineDecoder, LineJoiner } from "../src/index.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const texts = (lines: readonly Line[]) => lines.map((line) => ("text" in line ? line.text : { fault: line.fault }));

describe("LineDecoder", () => {
  const message = JSON.stringify({ text: "a\u2028b\u2029c\u0085d\u000be 漢😀—\r" });

  it("gives the same lines wherever the bytes are cut", () => {
    const whole = bytes(`${message}\n{"n":1}\r\n`);
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const decoder = new LineDecoder();
      const lines = [...decoder.feed(whole.slice(0, cut)), ...decoder.feed(whole.slice(cut))];
      expect(texts(lines).map((text) => JSON.parse(text as string))).toEqual([JSON.parse(message), { n: 1 }]);
    }
  });

  it("takes 150 KB of multi-byte text byte by byte", () => {
    const text = "漢😀é".repeat(17_000);
    const decoder = new LineDecoder();
    const lines = [...bytes(`${text}\n`)].flatMap((byte) => decoder.feed(Uint8Array.of(byte)));
    expect(texts(lines)).toEqual([text]);
  });

  it("ends a line at byte 0A and nowhere else", () => {
    const text = "a\u2028b\u2029c\u0085d\u000be\u000cf\rg";
    expect(texts(new LineDecoder().feed(bytes(`${text}\n`)))).toEqual([text]);
  });

  it("leaves out empty and blank lines", () => {
    expect(new LineDecoder().feed(bytes("\n\r\n \t\n\n"))).toEqual([]);
  });

  it("gives the last line at the end of input", () => {
    const decoder = new LineDecoder();
    expect(decoder.feed(bytes("{}"))).toEqual([]);
    expect(texts(decoder.end())).toEqual(["{}"]);
    expect(decoder.end()).toEqual([]);
  });

  it("tells of a line that is not UTF-8 and goes on", () => {
    const lines = new LineDecoder().feed(Uint8Array.of(0xff, 0x0a, 0x31, 0x0a));
    expect(texts(lines)).toEqual([{ fault: "a line that is not UTF-8" }, "1"]);
  });

  it("skips a line over its bound to its end", () => {
    const decoder = new LineDecoder(4);
    const lines = [bytes("123"), bytes("456"), bytes("7\n12"), bytes("34\n")].flatMap((chunk) => decoder.feed(chunk));
    expect(texts(lines)).toEqual([{ fault: "a line over 4 bytes" }, "1234"]);
  });

  it("keeps nothing of a chunk that its owner uses again", () => {
    const decoder = new LineDecoder();
    const chunk = bytes("ab");
    decoder.feed(chunk);
    chunk.fill(0x7a);
    expect(texts(decoder.feed(bytes("c\n")))).toEqual(["abc"]);
  });
});

describe("LineJoiner", () => {
  const first = '{"jsonrpc":"2.0","id":1,"result":{"text":"a b"}}';
  const second = '{"jsonrpc":"2.0","method":"x","params":{}}';

  it.each([
    ["with their ends", [`${first}\n`, `${second}\n`]],
    ["with CRLF", [`${first}\r\n`, `${second}\r\n`]],
    ["without their ends", [first, second]],
    ["cut at a CR that stood before the end", [`${first}\r`, "\n", `${second}\r`, "\n"]],
    [
      "in pieces cut at a CR inside",
      [first.replace(" ", "\r").slice(0, 40), `${first.replace(" ", "\r").slice(40)}\n`, second],
    ],
    ["several in one event", [`${first}\n${second}\n`]],
    ["between blank events", ["", "\n", first, "\r\n", " ", second, "\n"]],
  ])("joins events %s", (_, events) => {
    const joiner = new LineJoiner();
    expect(
      texts(events.flatMap((event) => joiner.feed(event))).map((text) => (text as string).trim().replace("\r", " ")),
    ).toEqual([first, second]);
  });

  it("hands on a batch that came without its end", () => {
    expect(texts(new LineJoiner().feed(`[${first},${first}]`))).toEqual([`[${first},${first}]`]);
  });

  it("goes on with a whole message after a piece that nothing completes", () => {
    const joiner = new LineJoiner();
    expect(joiner.feed("stray words")).toEqual([]);
    expect(texts(joiner.feed(first))).toEqual([{ fault: "a piece of a line" }, first]);
  });

  it("lets no held piece grow without bound", () => {
    const joiner = new LineJoiner(5);
    expect(joiner.feed("abcd")).toEqual([]);
    expect(texts(joiner.feed("efgh"))).toEqual([{ fault: "a line over 5 characters" }]);
  });
});
