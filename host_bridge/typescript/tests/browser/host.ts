// A Host in a browser tab, as small as can be: what the browser tests drive. It is built with the package's sources.
import {
  FrameListener,
  type Observable,
  RpcClient,
  Supervisor,
  SurfaceBridge,
  WorkspaceStore,
  webSocket,
} from "../../src/index.js";
import { Agent, PEER } from "../agent.js";
import { Lossy } from "../lossy.js";

/** The web bridge's own messages go over the same connection. */
interface WebBridge {
  call(method: "bridge.serveDocument", params: object): Promise<{ url: string }>;
  call(method: "bridge.crashSidecar", params: object): Promise<object>;
  on(name: "bridge.hello", handler: (hello: { reconnect_token: string }) => void): () => void;
  on(name: "bridge.sidecar", handler: (news: { state: string }) => void): () => void;
}

let token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
history.replaceState(null, "", location.pathname);

const client = new RpcClient();
const webBridge = client as unknown as WebBridge;
const wire = new Lossy(webSocket(`ws://${location.host}/rpc`, () => ["lineup.v1", `token.${token}`]));
const tokens: string[] = [];
wire.passes = ({ result }) => {
  if (result?.surface_token) tokens.push(result.surface_token);
  return true;
};
webBridge.on("bridge.hello", ({ reconnect_token }) => {
  token = reconnect_token;
});

const runs = () =>
  new Promise<void>((resolve) => {
    const stop = webBridge.on("bridge.sidecar", ({ state }) => {
      if (state !== "running") return;
      stop();
      resolve();
    });
  });

const supervisor = new Supervisor(client, wire, {
  initialize: { host: { name: "lineup-browser-tests", version: "1.0.0" } },
  prepare: () => running,
});
let running = runs();
client.onLost(() => {
  running = runs();
});
const agent = new Agent(client);
const store = new WorkspaceStore(client, PEER);
store.follow(supervisor);
/** How late the Host hears what frames say, in milliseconds. */
const hearing = { lateMs: 0 };
const listener = new FrameListener({
  addEventListener: (type, hear) =>
    window.addEventListener(type, ({ data, source }) => {
      if (hearing.lateMs === 0) hear({ data, source });
      else setTimeout(() => hear({ data, source }), hearing.lateMs);
    }),
  removeEventListener: () => undefined,
});
const bridges = new Map<string, SurfaceBridge>();

/** Wait until what is observed is as it should be. */
function until<T>(observable: Observable<T>, holds: (value: T) => boolean): Promise<T> {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds(observable.getSnapshot())) return;
      stop();
      resolve(observable.getSnapshot());
    };
    const stop = observable.subscribe(look);
    look();
  });
}

/** Show the surface with that key in the element with that id, until it is connected or has failed. */
async function show(key: string, element: string): Promise<string> {
  const { surfaces } = await until(store, (state) => state.surfaces.some((surface) => surface.key === key));
  const surfaceId = surfaces.find((surface) => surface.key === key)?.surface_id ?? "";
  const container = document.getElementById(element);
  if (container === null) throw new Error(`no element ${element}`);
  const serve = async (surface_id: string, { html, csp }: { html: string; csp: string }) =>
    (await webBridge.call("bridge.serveDocument", { surface_id, html, csp })).url;
  const bridge =
    bridges.get(element) ??
    new SurfaceBridge({ store, surfaceId, listener, container, documents: { serve }, locale: "de" });
  bridges.set(element, bridge);
  await bridge.show();
  await until(bridge, ({ phase }) => phase === "connected" || phase === "failed");
  return surfaceId;
}

const host = { client, supervisor, store, agent, hearing, listener, bridges, tokens, show, until, webBridge };
export type Host = typeof host;
Object.assign(globalThis, { host });
void supervisor.start();
