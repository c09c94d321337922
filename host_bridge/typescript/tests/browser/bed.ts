// What the browser tests stand on: the page built with Vite, the real web bridge that serves it, and Chromium.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Frame, type Page } from "playwright-core";
import { build } from "vite";
import { onTestFinished } from "vitest";
import type { Host } from "./host.js";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Chromium: CHROMIUM, else one of the usual places. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM"] ?? BROWSERS.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error("no Chromium here: install it, or set CHROMIUM to its program");
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic", ...quiet] });
}

/** The page, as it would be shipped; the folder is removed by the result's `remove`. */
export async function buildPage(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "lineup-page-"));
  const root = fileURLToPath(new URL(".", import.meta.url));
  const options = { outDir: folder, emptyOutDir: true, target: "es2022", modulePreload: false } as const;
  await build({ root, configFile: false, logLevel: "error", build: options });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Serve the page by the web bridge and open it; it has a session then. */
export async function openPage(browser: Browser, folder: string): Promise<Page> {
  const program = fileURLToPath(new URL("../../../../.venv/bin/lineup-host", import.meta.url));
  const child = spawn(process.env["LINEUP_HOST"] ?? program, [
    "serve",
    "--no-open",
    "--agent",
    "none",
    "--page",
    folder,
  ]);
  onTestFinished(async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
  });
  const page = await (await browser.newContext()).newPage();
  onTestFinished(() => page.context().close());
  await page.goto(await readAddress(child.stdout));
  await page.evaluate(() => (globalThis as unknown as { host: Host }).host.supervisor.start());
  return page;
}

async function readAddress(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const address = /http:\S+#token=\S+/.exec(line)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error("the web bridge ended without an address");
}

/** The frame in an element of the page. */
export async function frameIn(page: Page, element: string): Promise<Frame> {
  const frame = await (await page.waitForSelector(`#${element} iframe`)).contentFrame();
  if (frame === null) throw new Error(`no frame in ${element}`);
  return frame;
}

/** A server elsewhere that counts what reaches it. */
export async function startCanary(): Promise<{ url: string; hits: string[] }> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(request.url ?? "");
    response.setHeader("Content-Type", "text/html");
    response.end("<script>parent.postMessage({ lineup: 'ready' }, '*')</script>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/`, hits };
}
