import { isTauri } from "@tauri-apps/api/core";
import { render } from "preact";
import { addressOf } from "./markdown/markdown.ts";
import { Host } from "./model/host.ts";
import { applyPreferences } from "./model/preferences.ts";
import { TauriShell } from "./shell/tauri.ts";
import { WebShell } from "./shell/web.ts";
import "./styles/main.css";
import { keepFocus } from "./ui/focus.ts";
import { HostProvider } from "./ui/host_context.ts";
import { Page } from "./ui/page.tsx";

const host = new Host((client) => (isTauri() ? new TauriShell() : new WebShell(client)));

applyPreferences(document.documentElement);
keepWindow();
keepFocus();
const place = document.getElementById("app");
if (place !== null) {
  render(
    <HostProvider value={host}>
      <Page />
    </HostProvider>,
    place,
  );
}
host.start();

/** The window stays where it is: links go through the shell, and nothing that is dropped on it replaces it. */
function keepWindow(): void {
  for (const type of ["click", "auxclick"]) {
    addEventListener(type, (event) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      if (link === null || link.hasAttribute("download")) return;
      event.preventDefault();
      const address = addressOf(event);
      if (address !== null && (event as MouseEvent).button !== 2)
        void host.attempt(() => host.shell.openOutside(address));
    });
  }
  for (const type of ["dragover", "drop"]) addEventListener(type, (event) => event.preventDefault());
}
