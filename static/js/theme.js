// Runs before the first paint, so that a dark page never flashes light. Kept apart from app.js because that is deferred.
(() => {
  const stored = (() => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // Storage may be switched off; the system's choice then counts.
    }
  })();
  const dark = stored ? stored === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.bsTheme = dark ? "dark" : "light";
})();
