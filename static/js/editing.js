// Boxes in which memory is changed: keys, leaving, choosing several, the place of a split. Pages work without it.
(() => {
  "use strict";

  const boxOf = (element) => element?.closest?.("[data-edit]");
  const formOf = (box) => (box instanceof HTMLFormElement ? box : box.querySelector("form"));

  // --- Unsaved text ---

  const isDirty = (box) =>
    [...box.querySelectorAll("textarea, input:not([type=hidden])")].some((field) =>
      field.type === "checkbox" || field.type === "radio" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue,
    );

  function leave(box, link) {
    if (isDirty(box) && !window.confirm("Leave without saving what you typed?")) return;
    leaving = true;
    const slot = box.closest("[data-edit-slot]");
    if (!slot || link?.hasAttribute("data-edit-reload")) {
      const target = (link || box.querySelector("[data-edit-cancel]")).href;
      if (target.split("#")[0] === location.href.split("#")[0]) location.reload();
      else location.assign(target);
      return;
    }
    const row = slot.closest("[data-row]");
    slot.replaceChildren();
    leaving = false;
    row?.focus({ preventScroll: true });
  }

  let leaving = false;

  window.addEventListener("beforeunload", (event) => {
    if (!leaving && [...document.querySelectorAll("[data-edit]")].some(isDirty)) event.preventDefault();
  });
  document.addEventListener("submit", (event) => {
    if (boxOf(event.target)) leaving = true;
  });
  // After an answer that leaves the page as it is, what was typed counts as unsaved again.
  document.addEventListener("htmx:afterRequest", (event) => {
    const { xhr } = event.detail;
    if (!xhr?.getResponseHeader("HX-Redirect") && !xhr?.getResponseHeader("HX-Refresh")) leaving = false;
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target.matches?.("form") && boxOf(event.target)) leaving = true;
  });

  // --- Keys: before app.js, whose Escape only leaves the field ---

  document.addEventListener(
    "keydown",
    (event) => {
      const box = boxOf(event.target);
      if (!box || document.querySelector("dialog[open]")) return;
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        formOf(box)?.requestSubmit();
      } else if (event.key === "Escape") {
        event.preventDefault();
        leave(box);
      }
    },
    true,
  );

  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-edit-cancel]");
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    leave(boxOf(link), link);
  });

  // --- Where a box opens ---

  document.addEventListener("htmx:afterSettle", (event) => {
    for (const menu of document.querySelectorAll(".row-actions details[open]")) menu.open = false;
    const box = event.target.querySelector?.("[data-edit]");
    const field = box?.querySelector("[data-autofocus], select, input:not([type=hidden]), textarea, button");
    if (!field || event.target.contains(document.activeElement)) return;
    field.focus();
    if (field.matches("textarea:not([readonly])")) field.setSelectionRange(0, 0);
  });

  const opened = document.querySelector("[data-edit] [data-autofocus]");
  opened?.focus({ preventScroll: true });

  // --- The place of a split ---

  function showSplit(area) {
    const box = boxOf(area);
    const field = box.querySelector("[data-split-position]");
    // A text area counts UTF-16 units and one unit a line end; the console counts characters.
    const before = [...area.value.slice(0, area.selectionStart)].length;
    const total = [...area.value].length;
    if (before < 1 || before >= total) return;
    field.value = String(before);
    box.querySelector("[data-split-parts]").textContent = `First part ${before} characters, second part ${total - before}.`;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }

  for (const name of ["click", "keyup"]) {
    document.addEventListener(name, (event) => {
      if (event.target.matches?.("[data-split-text]")) showSplit(event.target);
    });
  }

  // --- Choosing several ---

  function countPicked() {
    for (const bar of document.querySelectorAll("[data-pick-bar]")) {
      const boxes = [...document.querySelectorAll(`input[type=checkbox][form="${bar.id}"]`)];
      const count = boxes.filter((box) => box.checked).length;
      bar.querySelector("[data-pick-count]").textContent = count ? `${count} chosen` : "";
      bar.querySelector("button[type=submit]").disabled = !count;
      const all = bar.querySelector("[data-pick-all]");
      if (all) {
        all.checked = count > 0 && count === boxes.length;
        all.indeterminate = count > 0 && count < boxes.length;
      }
    }
  }

  document.addEventListener("change", (event) => {
    const bar = event.target.closest("[data-pick-bar]");
    if (bar && event.target.matches("[data-pick-all]")) {
      for (const box of document.querySelectorAll(`input[type=checkbox][form="${bar.id}"]`)) box.checked = event.target.checked;
    }
    countPicked();
  });
  document.addEventListener("htmx:afterSettle", countPicked);
  countPicked();
})();
