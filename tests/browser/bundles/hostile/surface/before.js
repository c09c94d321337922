"use strict";

// What a view holds that does not put the client first: everything that the client would have taken away.
globalThis.early = { RTCPeerConnection: globalThis.RTCPeerConnection, WebTransport: globalThis.WebTransport };

// The port that the Host gives, to speak over it as the client would not.
addEventListener("message", ({ ports: [port] }) => {
  globalThis.ownPort ??= port;
});
