// Forms of configs: groups that can be moved (the order is saved with the form), and a warning before edits are lost.
(() => {
  "use strict";

  const buttons = () => [...document.querySelectorAll("[data-move-group]")];
  const groupOf = (element) => element.closest(".config-group");

  function neighbour(button) {
    const step = Number(button.dataset.moveGroup);
    const found = step < 0 ? groupOf(button).previousElementSibling : groupOf(button).nextElementSibling;
    return found?.querySelector("[data-move-group]") ? found : null;
  }

  function refresh() {
    for (const button of buttons()) {
      button.hidden = false;
      button.disabled = !neighbour(button);
    }
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-move-group]");
    const other = button && neighbour(button);
    if (!other) return;
    if (Number(button.dataset.moveGroup) < 0) other.before(groupOf(button));
    else other.after(groupOf(button));
    refresh();
    showUnsaved();
    const left = button.disabled ? groupOf(button).querySelector("[data-move-group]:not(:disabled)") : button;
    left?.focus();
    groupOf(button).scrollIntoView({ block: "nearest" });
  });

  // --- Edits that are not saved ---

  let shown = "";
  let isLeaving = false;
  const form = () => document.getElementById("config-form");
  const state = () => (form() ? new URLSearchParams(new FormData(form())).toString() : "");

  function showUnsaved() {
    const mark = document.querySelector("[data-unsaved]");
    if (mark) mark.hidden = state() === shown;
  }

  window.addEventListener("beforeunload", (event) => {
    if (!isLeaving && state() !== shown) event.preventDefault();
  });
  document.addEventListener("submit", (event) => {
    if (event.target === form()) isLeaving = true;
  });
  for (const name of ["input", "change"]) document.addEventListener(name, showUnsaved);

  function begin() {
    refresh();
    // A form that came back with errors has what was typed, not what is saved.
    shown = document.querySelector("#config-form .form-errors, #config-form .errorlist") ? "" : state();
    isLeaving = false;
    showUnsaved();
  }

  // Scripts with `defer` run when the page is there.
  begin();
})();
