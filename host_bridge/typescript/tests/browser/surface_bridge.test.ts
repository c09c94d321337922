// Real views in a real browser, shown by the bridge in a page that the real web bridge serves.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPage, frameIn, launchBrowser, openPage, startCanary } from "./bed.js";
import type { Host } from "./host.js";

let browser: Browser;
let built: Awaited<ReturnType<typeof buildPage>>;

beforeAll(async () => {
  [browser, built] = await Promise.all([launchBrowser(), buildPage()]);
});

afterAll(async () => {
  await browser?.close();
  await built?.remove();
});

declare const host: Host;
declare const LineUp: { connect(): Promise<{ update(patch: object): Promise<void>; state: Record<string, unknown> }> };

async function openTasks(): Promise<Page> {
  const page = await openPage(browser, built.folder);
  await page.evaluate(async () => {
    await host.agent.invoke("task-dashboard.open", { task_id: "t", title: "Build the house" });
    await host.show("tasks", "tasks");
  });
  return page;
}

const state = (page: Page, element: string) =>
  page.evaluate((element) => {
    const bridge = host.bridges.get(element);
    return { ...bridge?.getSnapshot(), refused: bridge?.refused };
  }, element);

const connected = { phase: "connected", generation: 1, error: null, refused: {} };

describe("a view in Chromium", () => {
  it("shows its state, hears its MiniApp and is heard", async () => {
    const page = await openTasks();
    const frame = await frameIn(page, "tasks");
    await expect.poll(() => frame.textContent("h2")).toBe("Build the house");
    await page.evaluate(() => host.agent.invoke("task-dashboard.update", { task_id: "t", progress: 40 }));
    await expect.poll(() => frame.textContent(".percent")).toBe("40 %");
    await frame.click(".write");
    const kind = () => page.evaluate(() => host.store.getSnapshot().interactions[0]?.record.kind);
    await expect.poll(kind).toBe("input");
    expect(await state(page, "tasks")).toMatchObject({ phase: "connected", error: null });
  });

  it("is sandboxed, without an origin, and holds no token (F04)", async () => {
    const page = await openTasks();
    expect(await page.getAttribute("#tasks iframe", "sandbox")).toBe("allow-scripts");
    const frame = await frameIn(page, "tasks");
    const tried = await frame.evaluate(() => {
      const attempt = (act: () => unknown) => {
        try {
          return String(act());
        } catch (error) {
          return (error as Error).name;
        }
      };
      return {
        origin: self.origin,
        parent: attempt(() => parent.document.title),
        storage: attempt(() => localStorage.length),
        cookie: attempt(() => document.cookie),
        opened: attempt(() => window.open("about:blank")),
        webrtc: typeof RTCPeerConnection,
      };
    });
    expect(tried).toEqual({
      origin: "null",
      parent: "SecurityError",
      storage: "SecurityError",
      cookie: "SecurityError",
      opened: "null",
      webrtc: "undefined",
    });
    const tokens = await page.evaluate(() => host.tokens);
    expect(tokens).toHaveLength(1);
    expect(await frame.content()).not.toContain(tokens[0]);
    expect(await page.evaluate(() => JSON.stringify(host.store.getSnapshot()).includes(host.tokens[0] ?? ""))).toBe(
      false,
    );
  });

  it.each([
    [0, 80],
    [50, 15],
    [500, 5],
  ])("connects every time it is shown, also where the Host hears it %i ms late (F07)", async (lateMs, rounds) => {
    const page = await openTasks();
    const phases = await page.evaluate(
      async ([lateMs, rounds]) => {
        host.hearing.lateMs = lateMs;
        const phases: string[] = [];
        for (let round = 0; round < rounds; round += 1) {
          await host.show("tasks", "tasks");
          phases.push(host.bridges.get("tasks")?.getSnapshot().phase ?? "none");
        }
        return phases;
      },
      [lateMs, rounds] as const,
    );
    expect(phases).toEqual(Array(rounds).fill("connected"));
    expect(await page.locator("#tasks iframe").count()).toBe(1);
    const frame = await frameIn(page, "tasks");
    await expect.poll(() => frame.textContent("h2")).toBe("Build the house");
  });

  it("goes on in the same frame after the sidecar was killed", async () => {
    const page = await openTasks();
    const frame = await frameIn(page, "tasks");
    await page.evaluate(async () => {
      await host.webBridge.call("bridge.crashSidecar", {});
      await host.until(host.store, ({ phase }) => phase === "stale");
      await host.until(host.store, ({ surfaces }) => surfaces.some(({ attached }) => attached));
      await host.agent.invoke("task-dashboard.update", { task_id: "t", progress: 70 });
    });
    await expect.poll(() => frame.textContent(".percent")).toBe("70 %");
    expect(await state(page, "tasks")).toMatchObject({ phase: "connected", generation: 1 });
  });
});

describe("a hostile view in Chromium", () => {
  it("cannot speak for its sibling, nor to it (F01, F02, F11)", async () => {
    const page = await openTasks();
    await page.evaluate(async () => {
      await host.agent.invoke("whiteboard.open", { board_id: "b", title: "Board" });
      const boards = await host.until(host.store, ({ surfaces }) => surfaces.length === 3);
      const key = boards.surfaces.find(({ key }) => key !== "tasks" && key !== "timeline")?.key ?? "";
      await host.show(key, "board");
    });
    const [tasks, board] = [await frameIn(page, "tasks"), await frameIn(page, "board")];
    await tasks.evaluate(() => {
      const heard: unknown[] = [];
      addEventListener("message", ({ data }) => heard.push(data));
      Object.assign(globalThis, { heard });
    });
    const tasksId = await page.evaluate(
      () => host.store.getSnapshot().surfaces.find(({ key }) => key === "tasks")?.surface_id,
    );
    await board.evaluate((surface_id) => {
      for (let index = 0; index < parent.frames.length; index += 1) {
        const { port2 } = new MessageChannel();
        parent.frames[index]?.postMessage({ lineup: "port", surface_id: "forged" }, "*", [port2]);
        parent.frames[index]?.postMessage({ event: "patched", revision: 99, patch: { forged: true } }, "*");
      }
      parent.postMessage({ lineup: "ready", surface_id }, "*");
    }, tasksId);
    const delivered = () => tasks.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard);
    await expect.poll(delivered).toEqual([
      { lineup: "port", surface_id: "forged" },
      { event: "patched", revision: 99, patch: { forged: true } },
    ]);
    await expect.poll(() => state(page, "board")).toEqual({ ...connected, refused: { ready_again: 1 } });
    expect(await state(page, "tasks")).toEqual(connected);
    await page.evaluate(() => host.agent.invoke("task-dashboard.update", { task_id: "t", progress: 15 }));
    await expect.poll(() => tasks.textContent(".percent")).toBe("15 %");
    const view = await tasks.evaluate(async () => Object.keys((await LineUp.connect()).state));
    expect(view).not.toContain("forged");
    expect(await tasks.evaluate(async () => (await LineUp.connect()).update({ own: 1 }))).toBeUndefined();
    const states = await page.evaluate(() =>
      host.store.getSnapshot().surfaces.map(({ key, state }) => [key, state?.["own"]]),
    );
    expect(states.filter(([, own]) => own === 1)).toEqual([["tasks", 1]]);
  });

  it("gets no port where it is a window that the Host did not make for a surface (F02)", async () => {
    const page = await openTasks();
    await page.evaluate(async () => {
      const shown = host.store.getSnapshot().surfaces.find(({ key }) => key === "tasks");
      const { html = "", csp = "" } = shown?.document ?? {};
      const { url } = await host.webBridge.call("bridge.serveDocument", { surface_id: "stranger", html, csp });
      const stranger = document.createElement("iframe");
      stranger.setAttribute("sandbox", "allow-scripts");
      stranger.src = url;
      document.getElementById("board")?.append(stranger);
    });
    const refused = () => page.evaluate(() => host.listener.refused.unknown_window ?? 0);
    await expect.poll(refused).toBeGreaterThan(2); // it asks again and again
    expect(await state(page, "tasks")).toEqual(connected);
    const stranger = await frameIn(page, "board");
    expect(await stranger.textContent("#tasks")).toBe("");
  });

  it("ends with its port where it goes elsewhere, and nothing arrives there (F03)", async () => {
    const canary = await startCanary();
    await fetch(`${canary.url}?proof`);
    const page = await openTasks();
    const frame = await frameIn(page, "tasks");
    await frame.evaluate((url) => void setTimeout(() => location.assign(`${url}?stolen`)), canary.url);
    await expect
      .poll(() => state(page, "tasks"))
      .toMatchObject({ phase: "failed", error: expect.stringContaining("another page") });
    expect(await page.locator("#tasks iframe").count()).toBe(0);
    expect(canary.hits).toEqual(["/?proof"]);
    const status = () =>
      page.evaluate(() => host.store.getSnapshot().surfaces.find(({ key }) => key === "tasks")?.status);
    expect(await status()).toBe("failed");
    await page.evaluate(() => host.show("tasks", "tasks"));
    expect(await state(page, "tasks")).toMatchObject({ phase: "connected", generation: 2 });
    expect(await status()).toBe("open");
  });

  it("stays where a link within its page is followed, whether or not the engine calls that a load", async () => {
    const page = await openTasks();
    const frame = await frameIn(page, "tasks");
    await frame.evaluate(() => {
      const link = Object.assign(document.createElement("a"), { href: "#notice", textContent: "down" });
      document.body.append(link);
      setTimeout(() => link.click());
    });
    await frame.waitForFunction(() => location.hash === "#notice");
    await page.evaluate(() => document.querySelector("#tasks iframe")?.dispatchEvent(new Event("load")));
    await frame.evaluate(async () => (await LineUp.connect()).update({ after: 1 }));
    await page.waitForTimeout(1_200);
    expect(await state(page, "tasks")).toEqual(connected);
    await page.evaluate(() => host.agent.invoke("task-dashboard.update", { task_id: "t", progress: 40 }));
    await expect.poll(() => frame.textContent(".percent")).toBe("40 %");
  });

  it("ends where it loads itself again: no second port for it", async () => {
    const page = await openTasks();
    await (await frameIn(page, "tasks")).evaluate(() => void setTimeout(() => location.reload()));
    await expect.poll(() => state(page, "tasks")).toMatchObject({ phase: "failed" });
    expect(await page.locator("#tasks iframe").count()).toBe(0);
  });

  it("learns at once what cannot be sent, and the next message works (F14)", async () => {
    const page = await openTasks();
    const frame = await frameIn(page, "tasks");
    const codes = await frame.evaluate(async () => {
      const view = await LineUp.connect();
      const cyclic: Record<string, unknown> = {};
      cyclic["self"] = cyclic;
      const values: unknown[] = [
        () => 1,
        document.body,
        cyclic,
        new Error("x"),
        new Map(),
        "x".repeat(50_000_000),
        "fine",
      ];
      const codes: string[] = [];
      for (const value of values) {
        const outcome = await view.update({ value }).then(
          () => "done",
          (error: { name: string; code: unknown }) => `${error.name} ${error.code}`,
        );
        codes.push(outcome);
      }
      return codes;
    });
    expect(codes).toEqual([
      "DataCloneError 25",
      "DataCloneError 25",
      "RefusedError -32602",
      "RefusedError -32602",
      "RefusedError -32602",
      "RefusedError limit_exceeded",
      "done",
    ]);
    expect(await state(page, "tasks")).toMatchObject({ phase: "connected", refused: { params: 3, size: 1 } });
  });
});
