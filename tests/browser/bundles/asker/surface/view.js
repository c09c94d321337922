"use strict";

(async () => {
  const surface = await LineUp.connect();
  const show = () => {
    document.getElementById("said").textContent = surface.state.said;
  };
  surface.addEventListener("change", show);
  document.getElementById("modal").addEventListener("click", () => surface.emit("ask", { presentation: "modal" }));
  document.getElementById("inline").addEventListener("click", () => surface.emit("ask", { presentation: "inline" }));
  document.getElementById("capability").addEventListener("click", () => surface.emit("capability"));
  show();
})();
