// docs/electron-host.md: every line of it runs here, on plain Node, with the real sidecar.
import { execFile, execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { sidecarPath, temporaryFolder } from "./sidecar.js";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const GUIDE = fileURLToPath(new URL("../../../docs/electron-host.md", import.meta.url));
const FILE = /^`([\w.]+)`[^\n]*:\n\n```\w+\n(.*?)^```$/gms;
const MAIN = ["main.mjs", "preload.cjs", "sidecar.mjs"];
const PAGE = ["index.html", "page.mjs", "port.mjs"];

beforeAll(() => {
  execFileSync("npm", ["run", "--silent", "build"], { cwd: PACKAGE });
});

/** Lay the guide's files out as an app whose page is built, with a stand-in where Electron would be. */
async function layOut(): Promise<string> {
  const folder = await temporaryFolder();
  const modules = join(folder, "node_modules");
  for (const made of [join(modules, "electron"), join(modules, "@lineup"), join(folder, "dist")]) {
    mkdirSync(made, { recursive: true });
  }
  symlinkSync(PACKAGE, join(modules, "@lineup", "host"));
  copyFileSync(join(PACKAGE, "tests", "electron", "stand_in.cjs"), join(modules, "electron", "index.js"));
  copyFileSync(join(PACKAGE, "tests", "electron", "drive.mjs"), join(folder, "drive.mjs"));
  const files = [...readFileSync(GUIDE, "utf8").matchAll(FILE)].map(([, name = "", text = ""]) => ({ name, text }));
  expect(files.map(({ name }) => name).sort()).toEqual([...MAIN, ...PAGE].sort());
  for (const { name, text } of files) writeFileSync(join(folder, PAGE.includes(name) ? "dist" : "", name), text);
  return folder;
}

/** A program that notes its pid and becomes the sidecar. */
function noteStarts(folder: string): string {
  const program = join(folder, "lineup-sidecar");
  writeFileSync(program, `#!/bin/sh\necho $$ >> "${folder}/started"\nexec "${sidecarPath()}" "$@"\n`, { mode: 0o755 });
  return program;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("the guide's app mounts a MiniApp, survives a reload and leaves no process behind", async () => {
  const folder = await layOut();
  const env = { ...process.env, LINEUP_SIDECAR: noteStarts(folder), APP_DATA: folder };
  const ran = await promisify(execFile)(process.execPath, ["drive.mjs"], { cwd: folder, env, timeout: 25_000 });
  const seen = JSON.parse(ran.stdout);
  expect(seen.preferences).toMatchObject({ contextIsolation: true, sandbox: true, nodeIntegration: false });
  expect(seen.schemes.map(({ scheme }: { scheme: string }) => scheme)).toEqual(["shell", "miniapp"]);
  expect(seen.html).toContain("frame-src miniapp:;");
  expect(seen.openWindow).toEqual({ action: "deny" });
  expect(seen.permission).toBe(false);
  expect(seen.frame).toEqual({ src: expect.stringMatching(/^miniapp:\/\/\w+\/?$/), sandbox: "allow-scripts" });
  expect(seen.document).toMatchObject({ status: 200, csp: expect.stringContaining("connect-src 'none'") });
  expect(seen.document.text).toContain(">Task Dashboard</title>");
  expect(seen.unknown).toBe(404);
  expect(seen.stranger).toBe("only the page serves documents");
  expect(seen.view).toMatchObject({ hello: "port", answer: { id: 1, result: { state: expect.anything() } } });
  expect(seen.reloaded).toEqual(seen.view);
  const pids = readFileSync(join(folder, "started"), "utf8").trim().split("\n").map(Number);
  expect(pids).toHaveLength(2);
  expect(pids.filter(isThere)).toEqual([]);
});
