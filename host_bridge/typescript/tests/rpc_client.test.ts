import { describe, expect, it } from "vitest";
import {
  ConnectionLostError,
  isRefusal,
  type ProtocolFault,
  ResponseError,
  RpcClient,
  UnsendableError,
} from "../src/index.js";

/** A client whose texts are kept, and what answers them. */
function attach(client = new RpcClient()) {
  const sent: string[] = [];
  const faults: ProtocolFault[] = [];
  client.onFault((fault) => faults.push(fault));
  const receiver = client.attach((text) => void sent.push(text));
  const hear = (message: unknown) => receiver.receive(JSON.stringify(message));
  const asked = (index: number) => JSON.parse(sent.at(index) ?? "null");
  const answer = (index: number, result: unknown) => hear({ jsonrpc: "2.0", id: asked(index).id, result });
  return { client, sent, faults, receiver, hear, asked, answer };
}

const changed = (revision: number) => ({
  jsonrpc: "2.0",
  method: "workspace.changed",
  params: { conversation_id: "c", revision, foreground: null, focus_stack: [], instances: [] },
});

describe("RpcClient", () => {
  it("writes a request as JSON-RPC 2.0 and resolves with its result", async () => {
    const { client, asked, answer } = attach();
    const call = client.call("audit.list", { limit: 1 });
    expect(asked(0)).toEqual({ jsonrpc: "2.0", id: 1, method: "audit.list", params: { limit: 1 } });
    answer(0, { entries: [] });
    expect(await call).toEqual({ entries: [] });
  });

  it("sends empty params where none are given", async () => {
    const { client, asked, answer } = attach();
    const call = client.call("ping");
    expect(asked(0).params).toEqual({});
    answer(0, {});
    await call;
  });

  it("rejects with the error answer, its refusal and its faults", async () => {
    const { client, hear } = attach();
    const call = client.call("surface.detach", { surface_id: "s" });
    hear({ jsonrpc: "2.0", id: 1, error: { code: 1000, message: "no", data: { code: "surface_not_found" } } });
    const error = await call.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ code: 1000, refusal: "surface_not_found", faults: [], message: "no" });
    expect(isRefusal(error)).toBe(true);
    expect(isRefusal(error, "surface_not_found")).toBe(true);
    expect(isRefusal(error, "shutting_down")).toBe(false);
  });

  it("settles answers in whatever order they come", async () => {
    const { client, answer } = attach();
    const [first, second] = [client.call("ping"), client.call("audit.list")];
    answer(1, { entries: [] });
    answer(0, {});
    expect(await Promise.all([first, second])).toEqual([{}, { entries: [] }]);
  });

  it("hands a result over in the order of the wire, before later news", async () => {
    const { client, hear, answer } = attach();
    const order: string[] = [];
    client.on("workspace.changed", ({ revision }) => order.push(`news ${revision}`));
    const call = client.call("ping", {}, { onResult: () => order.push("result") });
    hear(changed(1));
    answer(0, {});
    hear(changed(2));
    await call;
    expect(order).toEqual(["news 1", "result", "news 2"]);
  });

  it("asks a batch as one message and gives each outcome in its place", async () => {
    const { client, sent, hear, asked } = attach();
    const batch = client.batch([["ping"], ["audit.list", { limit: 1 }], ["surface.detach", { surface_id: "s" }]]);
    expect(sent).toHaveLength(1);
    const [ping, list, detach] = asked(0);
    const error = { code: 1000, message: "no", data: { code: "surface_not_found" } };
    hear([
      { jsonrpc: "2.0", id: detach.id, error },
      { jsonrpc: "2.0", id: list.id, result: { entries: [] } },
      { jsonrpc: "2.0", id: ping.id, result: {} },
    ]);
    const [first, second, third] = await batch;
    expect(first).toEqual({ status: "fulfilled", value: {} });
    expect(second).toEqual({ status: "fulfilled", value: { entries: [] } });
    expect(third).toMatchObject({ status: "rejected", reason: { refusal: "surface_not_found" } });
  });

  it("sends nothing for an empty batch", async () => {
    const { client, sent } = attach();
    expect(await client.batch([])).toEqual([]);
    expect(sent).toEqual([]);
  });

  it("does not send what the Runtime could not read", async () => {
    const { client, sent } = attach();
    const emit = (payload: unknown) =>
      client.call("sdk.surfaces.emit", { context_token: "t", surface_id: "s", event: "e", payload: payload as never });
    await expect(emit({ n: Number.NaN })).rejects.toThrow(UnsendableError);
    await expect(emit({ text: "\ud800" })).rejects.toThrow(UnsendableError);
    await expect(emit({ text: "x".repeat(9 * 1024 * 1024) })).rejects.toThrow(UnsendableError);
    expect(sent).toEqual([]);
  });

  describe("on loss", () => {
    it("rejects what is pending and all that follows with the same distinct error", async () => {
      const { client, receiver } = attach();
      const pending = [client.call("ping"), client.call("audit.list"), client.batch([["ping"], ["ping"]])];
      receiver.lost({ message: "gone", exitCode: 1 });
      const [first, second, batch] = await Promise.allSettled(pending);
      for (const outcome of [first, second]) {
        expect(outcome).toMatchObject({
          status: "rejected",
          reason: { code: "connection_lost", loss: { exitCode: 1 } },
        });
      }
      expect(batch).toMatchObject({ status: "fulfilled", value: [{ status: "rejected" }, { status: "rejected" }] });
      expect(client.connected).toBe(false);
      await expect(client.call("ping")).rejects.toThrow(ConnectionLostError);
      await expect(client.batch([["ping"]])).rejects.toThrow("gone");
    });

    it("matches no old answer to a new request", async () => {
      const { client, receiver, hear } = attach();
      const old = client.call("ping");
      receiver.lost({ message: "gone" });
      await expect(old).rejects.toThrow("gone");
      const next = attach(client);
      const call = client.call("ping");
      expect(next.asked(0).id).toBe(2);
      hear({ jsonrpc: "2.0", id: 2, result: { stale: true } }); // the old connection speaks
      next.hear({ jsonrpc: "2.0", id: 1, result: { stale: true } }); // the new one answers what it was never asked
      expect(next.faults).toEqual([{ message: "an answer to nothing that was asked" }]);
      next.answer(0, {});
      expect(await call).toEqual({});
    });

    it("tells once, and does not hear an old connection's second loss", () => {
      const { client, receiver } = attach();
      const losses: string[] = [];
      client.onLost(({ message }) => losses.push(message));
      receiver.lost({ message: "first" });
      attach(client);
      receiver.lost({ message: "second" });
      expect(losses).toEqual(["first"]);
      expect(client.connected).toBe(true);
    });

    it("counts a message that cannot be written as a loss", async () => {
      const client = new RpcClient();
      client.attach(() => Promise.reject(new Error("not allowed")));
      await expect(client.call("ping")).rejects.toThrow("the message could not be written: not allowed");
      client.attach(() => {
        throw new Error("broken pipe");
      });
      await expect(client.call("ping")).rejects.toThrow("broken pipe");
    });
  });

  describe("waiting", () => {
    it("is given up by a signal; the late answer is no fault", async () => {
      const { client, answer, faults } = attach();
      const controller = new AbortController();
      const call = client.call("ping", {}, { signal: controller.signal });
      controller.abort(new Error("enough"));
      await expect(call).rejects.toThrow("enough");
      answer(0, {});
      expect(faults).toEqual([]);
    });

    it("does not begin where the signal is aborted", async () => {
      const { client, sent } = attach();
      await expect(client.call("ping", {}, { signal: AbortSignal.abort(new Error("never")) })).rejects.toThrow("never");
      expect(sent).toEqual([]);
    });
  });

  it.each([
    ["not JSON", "no json"],
    ["a JSON value that is no message", "42"],
    ["null", "null"],
    ["an object that is no message", "{}"],
    ["another version", '{"jsonrpc":"1.0","id":1,"result":{}}'],
    ["a result and an error", '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}'],
    ["neither of them", '{"jsonrpc":"2.0","id":1}'],
    ["an error that is none", '{"jsonrpc":"2.0","id":1,"error":"x"}'],
    ["an answer without an id", '{"jsonrpc":"2.0","result":{}}'],
    ["an answer whose id is text", '{"jsonrpc":"2.0","id":"1","result":{}}'],
    ["an answer to something else", '{"jsonrpc":"2.0","id":7,"result":{}}'],
    ["an error about something unreadable", '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}'],
    ["a request", '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ])("tells of %s, and settles nothing by it", async (_, text) => {
    const { client, receiver, faults, answer } = attach();
    const call = client.call("ping");
    receiver.receive(text);
    expect(faults).toHaveLength(1);
    answer(0, {});
    expect(await call).toEqual({});
  });

  it("settles a request once, whatever answers come after", async () => {
    const { client, answer, faults } = attach();
    const call = client.call("ping");
    answer(0, {});
    answer(0, { second: true });
    expect(await call).toEqual({});
    expect(faults).toEqual([{ message: "an answer to nothing that was asked" }]);
  });

  it("keeps telling the others where a handler fails", () => {
    const { client, hear, faults } = attach();
    const heard: number[] = [];
    client.on("workspace.changed", () => {
      throw new Error("mine");
    });
    client.on("workspace.changed", ({ revision }) => heard.push(revision));
    hear(changed(1));
    expect(heard).toEqual([1]);
    expect(faults).toEqual([{ message: "a handler failed: mine" }]);
  });
});
