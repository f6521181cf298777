// A place where a file can be dropped: data-drop names the file input. Without script the input does the same.
// A form with data-drop-page takes a file that is dropped anywhere on the page, and sends it at once.
(() => {
  "use strict";

  const stop = (event) => event.preventDefault();

  function show(zone, input) {
    const hint = zone.querySelector("[data-drop-hint]");
    const file = input.files[0];
    if (hint && file) hint.textContent = `${file.name}, ${Math.max(1, Math.round(file.size / 1024)).toLocaleString()} KB`;
  }

  for (const zone of document.querySelectorAll("[data-drop]")) {
    const input = document.querySelector(zone.dataset.drop);
    for (const name of ["dragenter", "dragover"]) {
      zone.addEventListener(name, (event) => {
        stop(event);
        zone.classList.add("is-over");
      });
    }
    for (const name of ["dragleave", "drop"]) zone.addEventListener(name, () => zone.classList.remove("is-over"));
    zone.addEventListener("drop", (event) => {
      stop(event);
      if (!event.dataTransfer.files.length) return;
      input.files = event.dataTransfer.files;
      show(zone, input);
    });
    input.addEventListener("change", () => show(zone, input));
  }

  const form = document.querySelector("form[data-drop-page]");
  if (!form) return;
  const hasFile = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files");
  document.addEventListener("dragover", (event) => hasFile(event) && stop(event));
  document.addEventListener("drop", (event) => {
    if (!hasFile(event)) return;
    stop(event);
    form.querySelector("input[type=file]").files = event.dataTransfer.files;
    form.requestSubmit();
  });
})();
