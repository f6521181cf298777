// Watches a run: the server sends what happens as events with rendered pieces; see views/runs.py.
(() => {
  "use strict";

  const treeEvents = [
    "node-started",
    "node-finished",
    "node-failed",
    "node-replayed",
    "model-asked",
    "memory-progressed",
    "answer-finished",
  ];
  const lastEvents = ["run-finished", "run-failed", "run-cancelled"];

  const openNode = () => document.getElementById("node-pane")?.dataset.node ?? "";

  function replace(id, html) {
    const old = document.getElementById(id);
    const parsed = new DOMParser().parseFromString(html, "text/html").getElementById(id);
    if (!old || !parsed) return;
    const top = old.scrollTop;
    const focused = document.activeElement?.closest?.("[data-node-link]")?.dataset.nodeLink;
    old.replaceWith(parsed);
    htmx.process(parsed);
    parsed.scrollTop = top;
    // The shell shows times in the reader's zone after every swap, and so it does after ours.
    parsed.dispatchEvent(new CustomEvent("htmx:afterSettle", { bubbles: true }));
    if (focused) parsed.querySelector(`[data-node-link="${focused}"]`)?.focus({ preventScroll: true });
  }

  function markOpenNode() {
    for (const link of document.querySelectorAll("[data-node-link]")) {
      if (link.dataset.nodeLink === openNode()) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  function addText({ node, text }) {
    const stream = document.querySelector('#node-pane [data-stream][data-live="1"]');
    // The overview shows the answer; a node's page only what that node says.
    if (stream && (openNode() === "" || openNode() === String(node))) stream.append(text);
  }

  function refreshPane() {
    const pane = document.getElementById("node-pane");
    const isEditing = pane?.querySelector("details[open] textarea, .try-form");
    if (pane && !isEditing) htmx.ajax("GET", location.href, { target: "#node-pane", swap: "outerHTML" });
  }

  function formatDuration(milliseconds) {
    const seconds = milliseconds / 1000;
    if (seconds < 60) return `${seconds.toFixed(1)} s`;
    return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  }

  // How long a node has been running, counted on from what the server said, whatever the clocks say.
  const seen = new WeakMap();
  function tick() {
    for (const element of document.querySelectorAll("[data-elapsed]")) {
      if (!seen.has(element)) seen.set(element, performance.now() - Number(element.dataset.elapsed));
      element.textContent = formatDuration(performance.now() - seen.get(element));
    }
  }

  function watch(element) {
    setInterval(tick, 200);
    const source = new EventSource(element.dataset.runEvents);
    source.addEventListener("token-streamed", (event) => addText(JSON.parse(event.data)));
    for (const name of treeEvents) {
      source.addEventListener(name, (event) => {
        replace("run-tree", event.data);
        if (openNode() !== "" && name !== "model-asked") refreshPane();
      });
    }
    source.addEventListener("run-started", (event) => replace("run-status", event.data));
    for (const name of lastEvents) {
      source.addEventListener(name, (event) => {
        source.close();
        replace("run-status", event.data);
        refreshPane();
      });
    }
    window.addEventListener("pagehide", () => source.close());
  }

  document.querySelectorAll("[data-run-events]").forEach(watch);
  document.addEventListener("htmx:afterSettle", markOpenNode);
})();
