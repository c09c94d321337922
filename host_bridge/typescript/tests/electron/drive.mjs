// Runs the app of docs/electron-host.md to its end and prints what was seen, as JSON: a page with a view, a reload, the quit.
import { once } from "node:events";
import electron from "electron";

const { app, asked, handlers, ipcRenderer } = electron;
const frames = [];
const shown = [];

/** An element of the page, a frame or any other. */
class Element extends EventTarget {
  ownerDocument = globalThis.document;
  attributes = {};
  contentWindow = { postMessage: (message, _origin, ports) => this.hello({ message, port: ports[0] }) };
  greeted = new Promise((resolve) => {
    this.hello = resolve;
  });

  appendChild = (child) => child;
  remove = () => undefined;

  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  replaceChildren(frame) {
    frames.push(frame);
    shown.shift()?.(frame);
  }
}

globalThis.document = { createElement: () => new Element(), querySelector: () => new Element() };
globalThis.window = new EventTarget();
window.location = { origin: "shell://app" };
window.postMessage = (data, _origin, ports) => window.dispatchEvent(eventOf({ source: window, data, ports }));
globalThis.loadPage = () => import("./dist/page.mjs");

const eventOf = (fields) => Object.assign(new Event("message"), fields);
const nextFrame = () => new Promise((resolve) => shown.push(resolve));

/** Be a view: say that it is ready, take its port and ask for its state. */
async function look(frame) {
  window.dispatchEvent(eventOf({ source: frame.contentWindow, data: { lineup: "ready" }, ports: [] }));
  const { message, port } = await frame.greeted;
  const answered = new Promise((resolve) => {
    // News of the view's state may come first.
    port.on("message", (heard) => "id" in (heard.data ?? heard) && resolve(heard));
  });
  port.postMessage({ id: 1, method: "sdk.surfaces.get", params: {} });
  const answer = await answered;
  port.close();
  return { hello: message.lineup, answer: answer.data ?? answer };
}

async function fetchDocument(url) {
  const response = await handlers.protocol.get("miniapp:")({ url });
  return { status: response.status, csp: response.headers.get("content-security-policy"), text: await response.text() };
}

/** What a frame that is not the page's own hears when it wants a document served. */
async function refusalOf(event) {
  try {
    return await handlers.ipc.get("serve")(event, "surface", "", "");
  } catch (error) {
    return error.message;
  }
}

const ports = [];
ipcRenderer.on("sidecar", (event) => ports.push(event.ports[0]));
const first = nextFrame();
await import("./main.mjs");
const frame = await first;
const [{ webContents }] = asked.windows;
const report = {
  preferences: webContents.preferences,
  schemes: asked.schemes,
  html: webContents.html,
  openWindow: webContents.openWindow(),
  permission: await new Promise((resolve) => asked.permission(webContents, "media", resolve)),
  frame: { src: frame.src, sandbox: frame.attributes.sandbox },
  document: await fetchDocument(frame.src),
  unknown: (await fetchDocument("miniapp://nobody/")).status,
  stranger: await refusalOf({ senderFrame: {} }),
  view: await look(frame),
};

const second = nextFrame();
ports[0].close(); // the page is loaded anew: its port goes with it
webContents.emit("did-finish-load");
report.reloaded = await look(await second);

ports[1].close(); // the window is closed
const gone = once(app, "gone");
app.quit();
await gone;
process.stdout.write(JSON.stringify(report));
