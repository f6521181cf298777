// The edit box of a draft: Ctrl+Enter saves, and leaving with unsaved words is asked about. The page works without it.
(() => {
  "use strict";

  const boxOf = (form) => form.querySelector("textarea");
  let leaving = false;

  document.addEventListener("keydown", (event) => {
    const form = event.target.closest?.("[data-draft]");
    if (!form || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit(form.querySelector("[data-draft-primary]"));
  });

  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-draft]")) leaving = true;
  });

  window.addEventListener("beforeunload", (event) => {
    const isDirty = [...document.querySelectorAll("[data-draft]")].some((form) => boxOf(form).value !== boxOf(form).defaultValue);
    if (!leaving && isDirty) event.preventDefault();
  });
})();
