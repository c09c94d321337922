"use strict";

/** What was reached by each attempt, by name; a test calls them one by one. */
globalThis.attempt = async (act) => {
  try {
    return String(await act());
  } catch (error) {
    return error.name;
  }
};

/** The Host: its DOM, storage, globals and window. */
globalThis.reachHost = async () => {
  const attempts = {
    origin: () => self.origin,
    "parent document": () => parent.document.title,
    "top document": () => top.document.body.textContent,
    "frame element": () => frameElement,
    "parent globals": () => parent.anything,
    "parent storage": () => parent.sessionStorage.length,
    cookies: () => document.cookie,
    "own storage": () => localStorage.length,
    "session storage": () => sessionStorage.length,
    databases: () => new Promise((yes, no) => {
      const opening = indexedDB.open("x");
      opening.onsuccess = () => yes("opened");
      opening.onerror = () => no(opening.error);
    }),
    caches: () => caches.open("x"),
    "service worker": () => navigator.serviceWorker.register("x.js"),
    tauri: () => typeof globalThis.__TAURI_INTERNALS__,
    webkit: () => typeof globalThis.webkit,
    popup: () => open("about:blank"),
    "named window": () => open("", "_top"),
    alert: () => alert("x"),
    confirm: () => confirm("x"),
    eval: () => eval("'ran'"),
    "new Function": () => new Function("return 'ran'")(),
    clipboard: () => navigator.clipboard.writeText("x"),
    microphone: () => navigator.mediaDevices.getUserMedia({ audio: true }),
    location: () => new Promise((yes, no) => navigator.geolocation.getCurrentPosition(yes, () => no(new DOMException("", "NotAllowedError")))),
    "top navigation": () => {
      top.location.href = "about:blank";
      return "navigated";
    },
    "sandbox attribute": () => frameElement.removeAttribute("sandbox"),
  };
  const reached = {};
  for (const [name, act] of Object.entries(attempts)) reached[name] = await attempt(act);
  return reached;
};

/** The network, by every way that a page knows. Whether anything arrived is for the server there to say. */
globalThis.reachNetwork = async (address) => {
  const put = (tag, properties) => {
    const element = document.createElement(tag);
    Object.assign(element, properties);
    document.body.append(element);
    return element;
  };
  const blob = (text, type) => URL.createObjectURL(new Blob([text], { type }));
  const attempts = {
    fetch: () => fetch(`${address}/fetch`),
    "fetch no-cors": () => fetch(`${address}/fetch-no-cors`, { mode: "no-cors", keepalive: true }),
    xhr: () => new Promise((yes, no) => {
      const request = new XMLHttpRequest();
      request.open("GET", `${address}/xhr`);
      request.onload = () => yes("loaded");
      request.onerror = () => no(new DOMException("", "NetworkError"));
      request.send();
    }),
    websocket: () => new WebSocket(`${address.replace("http", "ws")}/websocket`),
    eventsource: () => new EventSource(`${address}/eventsource`),
    beacon: () => navigator.sendBeacon(`${address}/beacon`, "x"),
    image: () => put("img", { src: `${address}/img` }),
    "new Image": () => (new Image().src = `${address}/image`),
    srcset: () => put("img", { srcset: `${address}/srcset 2x` }),
    script: () => put("script", { src: `${address}/script` }),
    "module script": () => put("script", { type: "module", src: `${address}/module` }),
    "inline script": () => put("script", { textContent: `fetch("${address}/inline")` }),
    import: () => import(`${address}/import`),
    stylesheet: () => put("link", { rel: "stylesheet", href: `${address}/stylesheet` }),
    "style import": () => put("style", { textContent: `@import "${address}/style-import";` }),
    "style url": () => put("p", { style: `background: url("${address}/style-url")` }),
    prefetch: () => put("link", { rel: "prefetch", href: `${address}/prefetch` }),
    preload: () => put("link", { rel: "preload", as: "image", href: `${address}/preload` }),
    modulepreload: () => put("link", { rel: "modulepreload", href: `${address}/modulepreload` }),
    preconnect: () => put("link", { rel: "preconnect", href: address }),
    "dns-prefetch": () => put("link", { rel: "dns-prefetch", href: address }),
    manifest: () => put("link", { rel: "manifest", href: `${address}/manifest` }),
    icon: () => put("link", { rel: "icon", href: `${address}/icon` }),
    video: () => put("video", { src: `${address}/video`, poster: `${address}/poster`, autoplay: true }),
    audio: () => put("audio", { src: `${address}/audio`, autoplay: true }),
    track: () => put("video", {}).append(Object.assign(document.createElement("track"), { src: `${address}/track`, default: true })),
    object: () => put("object", { data: `${address}/object` }),
    embed: () => put("embed", { src: `${address}/embed` }),
    "nested document": () => put("iframe", { srcdoc: `<img src="${address}/srcdoc"><script>fetch("${address}/srcdoc-fetch")</script>` }),
    "nested data": () => put("iframe", { src: `data:text/html,<img src="${address}/data-frame">` }),
    "nested blob": () => put("iframe", { src: blob(`<img src="${address}/blob-frame">`, "text/html") }),
    form: () => put("form", { action: `${address}/form`, method: "post" }).submit(),
    "form in a new window": () => put("form", { action: `${address}/form-blank`, target: "_blank" }).submit(),
    "link click": () => put("a", { href: `${address}/click`, target: "_blank" }).click(),
    ping: () => put("a", { href: "#x", ping: `${address}/ping` }).click(),
    "base element": () => {
      put("base", { href: `${address}/base/` });
      put("img", { src: "base-img" });
    },
    font: () => new FontFace("x", `url("${address}/font")`).load(),
    svg: () => (document.body.innerHTML += `<svg><image href="${address}/svg"/><use href="${address}/use#x"/></svg>`),
    worker: () => new Worker(blob(`fetch("${address}/worker")`, "text/javascript")),
    "shared worker": () => new SharedWorker(blob(`fetch("${address}/shared-worker")`, "text/javascript")),
    "audio worklet": () => new AudioContext().audioWorklet.addModule(`${address}/worklet`),
    reporting: () => put("meta", { httpEquiv: "Content-Security-Policy", content: `img-src 'none'; report-uri ${address}/report` }),
    refresh: () => put("meta", { httpEquiv: "refresh", content: `9999;url=${address}/refresh` }),
    speculation: () => put("script", { type: "speculationrules", textContent: `{"prefetch":[{"urls":["${address}/speculation"]}]}` }),
    webtransport: () => new early.WebTransport(`${address.replace("http", "https")}/webtransport`).ready,
    transport: () => new WebTransport(`${address.replace("http", "https")}/transport`),
  };
  const reached = {};
  for (const [name, act] of Object.entries(attempts)) {
    const waited = new Promise((done) => setTimeout(done, 300, "nothing came"));
    reached[name] = await Promise.race([attempt(act), waited]);
  }
  return reached;
};

/** Ways to go elsewhere, or to bring what is there into a frame of the view's own. */
globalThis.navigate = {
  assign: (address) => location.assign(`${address}/assign`),
  replace: (address) => location.replace(`${address}/replace`),
  link: (address) => Object.assign(document.createElement("a"), { href: `${address}/link` }).click(),
  download: (address) => Object.assign(document.createElement("a"), { href: `${address}/x`, download: "x" }).click(),
  refresh: (address) => {
    const meta = Object.assign(document.createElement("meta"), { httpEquiv: "refresh", content: `0;url=${address}/refresh` });
    document.head.append(meta);
  },
  frame: (address) => document.body.append(Object.assign(document.createElement("iframe"), { src: `${address}/frame` })),
  "named frame": (address) => {
    document.body.append(Object.assign(document.createElement("iframe"), { name: "inner" }));
    open(`${address}/named`, "inner");
  },
};

/** A peer connection by the constructor given: what it gathers goes out as datagrams. */
globalThis.reachPeers = async (PeerConnection, port) => {
  if (PeerConnection === undefined) return "undefined";
  const peer = new PeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${port}` }] });
  peer.createDataChannel("x");
  await peer.setLocalDescription(await peer.createOffer());
  await new Promise((done) => setTimeout(done, 1500));
  return "gathered";
};

/** A constructor of a fresh realm, if there is one to be had. */
globalThis.freshPeerConnection = () => {
  const frame = document.createElement("iframe");
  document.body.append(frame);
  return frame.contentWindow.RTCPeerConnection;
};
