// Electron's interface, as far as docs/electron-host.md uses it, on plain Node: main process and page are one process here.
const { EventEmitter } = require("node:events");
const { readFile } = require("node:fs/promises");
const { MessageChannel } = require("node:worker_threads");

const handlers = { ipc: new Map(), protocol: new Map() };
const asked = { schemes: [], windows: [] };

class App extends EventEmitter {
  whenReady = () => Promise.resolve();
  getPath = () => process.env.APP_DATA;

  quit() {
    let prevented = false;
    this.emit("will-quit", { preventDefault: () => (prevented = true) });
    if (!prevented) this.emit("gone");
  }
}

class MainPort extends EventEmitter {
  #port;

  constructor(port) {
    super();
    this.#port = port;
    port.on("close", () => this.emit("close"));
  }

  postMessage = (message) => this.#port.postMessage(message);
  start = () => this.#port.on("message", (data) => this.emit("message", { data }));
}

class MessageChannelMain {
  constructor() {
    const { port1, port2 } = new MessageChannel();
    Object.assign(this, { port1: new MainPort(port1), port2 });
  }
}

class WebContents extends EventEmitter {
  mainFrame = {};
  setWindowOpenHandler = (handler) => (this.openWindow = handler);
  postMessage = (channel, message, ports) => ipcRenderer.emit(channel, { ports }, message);

  constructor(preferences) {
    super();
    this.preferences = preferences;
  }

  async loadURL(url) {
    require(this.preferences.preload);
    const response = await handlers.protocol.get(new URL(url).protocol)({ url });
    this.html = await response.text();
    await globalThis.loadPage();
    this.emit("did-finish-load");
  }
}

class BrowserWindow {
  constructor({ webPreferences }) {
    this.webContents = new WebContents(webPreferences);
    asked.windows.push(this);
  }
}

const ipcRenderer = new EventEmitter();
ipcRenderer.invoke = async (channel, ...values) => {
  const senderFrame = asked.windows[0].webContents.mainFrame;
  return handlers.ipc.get(channel)({ senderFrame }, ...structuredClone(values));
};

exports.app = new App();
exports.BrowserWindow = BrowserWindow;
exports.MessageChannelMain = MessageChannelMain;
exports.ipcRenderer = ipcRenderer;
exports.ipcMain = { handle: (channel, handler) => handlers.ipc.set(channel, handler) };
exports.contextBridge = { exposeInMainWorld: (name, value) => (globalThis.window[name] = value) };
exports.net = { fetch: async (url) => new Response(await readFile(new URL(url))) };
exports.protocol = {
  registerSchemesAsPrivileged: (schemes) => asked.schemes.push(...schemes),
  handle: (scheme, handler) => handlers.protocol.set(`${scheme}:`, handler),
};
exports.session = { defaultSession: { setPermissionRequestHandler: (handler) => (asked.permission = handler) } };
exports.asked = asked;
exports.handlers = handlers;
