import { describe, expect, it } from "vitest";
import type { NotificationMessage } from "../src/index.js";
import { NotificationHub, STREAM_LIMIT } from "../src/notifications.js";

const resync = (reason: string): NotificationMessage => ({ method: "runtime.resync", params: { reason } });
const failed: NotificationMessage = {
  method: "miniapp.failed",
  params: { instance_id: "i", app_scope: "a", code: "c", message: "m" },
};
const makeHub = () => new NotificationHub((error) => expect.unreachable(String(error)));

describe("NotificationHub", () => {
  it("tells a handler of its own notification until it is ended", () => {
    const hub = makeHub();
    const heard: string[] = [];
    const stop = hub.on("runtime.resync", ({ reason }) => heard.push(reason));
    hub.tell(resync("a"));
    hub.tell(failed);
    stop();
    hub.tell(resync("b"));
    expect(heard).toEqual(["a"]);
  });

  it("tells a handler that ends another that one no more", () => {
    const hub = makeHub();
    const heard: string[] = [];
    const stops: Array<() => void> = [];
    hub.onAny(() => stops[0]?.());
    stops.push(hub.onAny(() => heard.push("late")));
    hub.tell(failed);
    expect(heard).toEqual([]);
  });
});

describe("a stream", () => {
  it("keeps what comes while nobody reads, in order", async () => {
    const hub = makeHub();
    const stream = hub.stream("runtime.resync");
    for (const reason of ["a", "b"]) hub.tell(resync(reason));
    expect(await stream.next()).toEqual({ done: false, value: { reason: "a" } });
    expect(await stream.next()).toEqual({ done: false, value: { reason: "b" } });
    const later = stream.next();
    hub.tell(resync("c"));
    expect(await later).toEqual({ done: false, value: { reason: "c" } });
  });

  it("ends when its loop is left", async () => {
    const hub = makeHub();
    const stream = hub.stream("runtime.resync");
    hub.tell(resync("a"));
    for await (const { reason } of stream) {
      expect(reason).toBe("a");
      break;
    }
    hub.tell(resync("b"));
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it("ends by a signal, also while it is read", async () => {
    const controller = new AbortController();
    const stream = makeHub().stream("runtime.resync", controller.signal);
    const waiting = stream.next();
    controller.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await makeHub().stream("runtime.resync", controller.signal).next()).toMatchObject({ done: true });
  });

  it("fails, after what it kept, for a reader that is too far behind", async () => {
    const hub = makeHub();
    const stream = hub.stream("runtime.resync");
    for (let n = 0; n <= STREAM_LIMIT; n += 1) hub.tell(resync(String(n)));
    for (let n = 0; n < STREAM_LIMIT; n += 1) expect((await stream.next()).value).toEqual({ reason: String(n) });
    await expect(stream.next()).rejects.toThrow("behind");
  });
});
