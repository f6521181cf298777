// Ticking rows: the head's box ticks all, buttons that need a tick say how many there are. Without script the boxes
// are ordinary fields of a form.
(() => {
  "use strict";

  const boxes = (region) => [...region.querySelectorAll("[data-tick]")];

  function update(region) {
    const all = boxes(region);
    const count = all.filter((box) => box.checked).length;
    for (const button of region.querySelectorAll("[data-ticks-button]")) {
      button.disabled = count === 0;
      button.title = count === 0 ? "Tick at least one row first." : `${count} ticked`;
    }
    const head = region.querySelector("[data-ticks-all]");
    if (!head) return;
    head.checked = count > 0 && count === all.length;
    head.indeterminate = count > 0 && count < all.length;
  }

  document.addEventListener("change", (event) => {
    const region = event.target.closest?.("[data-ticks]");
    if (!region) return;
    if (event.target.matches("[data-ticks-all]")) {
      for (const box of boxes(region)) box.checked = event.target.checked;
    }
    update(region);
  });

  function updateAll() {
    for (const region of document.querySelectorAll("[data-ticks]")) update(region);
  }

  document.addEventListener("htmx:afterSwap", updateAll);
  document.addEventListener("DOMContentLoaded", updateAll);
  window.addEventListener("pageshow", updateAll); // The browser restores ticks when it goes back.
})();
