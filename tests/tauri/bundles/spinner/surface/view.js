"use strict";

(async () => {
  const surface = await LineUp.connect();
  surface.addEventListener("change", () => {
    document.getElementById("state").textContent = surface.state.spins ? "spins" : "";
  });
  document.getElementById("spin").addEventListener("click", () => surface.emit("spin"));
})();
