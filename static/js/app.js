// Behaviour of the shell. Everything hangs on data- attributes; pages work without it.
(() => {
  "use strict";

  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // --- Theme ---

  function toggleTheme() {
    const theme = root.dataset.bsTheme === "dark" ? "light" : "dark";
    root.dataset.bsTheme = theme;
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // Storage may be switched off: the choice then lasts for this page.
    }
  }

  // --- Times: relative, exact on hover, in the reader's zone ---

  const steps = [
    ["year", 31557600],
    ["month", 2629800],
    ["week", 604800],
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ];
  const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });

  function relativeText(seconds) {
    const size = Math.abs(seconds);
    const step = steps.find(([, length]) => size >= length);
    if (!step) return size < 10 ? "just now" : relative.format(Math.round(seconds), "second");
    return relative.format(Math.round(seconds / step[1]), step[0]);
  }

  function showTimes(within = document) {
    for (const element of all("time[datetime]", within)) {
      const moment = new Date(element.dateTime);
      if (Number.isNaN(moment.getTime())) continue;
      element.title = exact.format(moment);
      if (!("exact" in element.dataset)) element.textContent = relativeText((moment - Date.now()) / 1000);
      else element.textContent = exact.format(moment);
    }
  }

  // --- Tabs: where they do not fit, the current one is what one sees ---

  function showCurrentTabs(within = document) {
    for (const tab of all(".tabs [aria-current]", within)) {
      const bar = tab.parentElement;
      const [there, here] = [tab.getBoundingClientRect(), bar.getBoundingClientRect()];
      bar.scrollLeft += there.left - here.left - (here.width - there.width) / 2;
    }
  }

  // --- Toasts ---

  const toastSeconds = 6;

  // `action` is a button that posts: its label, and an address of ours.
  function toast(text, level = "info", action = null) {
    const box = document.getElementById("messages");
    const template = document.getElementById("toast-template");
    if (!box || !template) return;
    const element = template.content.firstElementChild.cloneNode(true);
    element.classList.add(`is-${level}`);
    element.querySelector("[data-toast-text]").textContent = text;
    if (action) element.querySelector("[data-toast-text]").after(toastAction(action));
    box.append(element);
    ageToasts(box);
  }

  function toastAction({ label, url }) {
    const form = document.getElementById("toast-action-template").content.firstElementChild.cloneNode(true);
    form.action = url;
    form.querySelector("button").textContent = label;
    return form;
  }

  function ageToasts(within = document) {
    for (const element of all("[data-toast]:not([data-toast-aging])", within)) {
      element.dataset.toastAging = "";
      // An error stays until it is read; so does one that offers Undo.
      if (element.classList.contains("is-error") || element.querySelector("form, a")) continue;
      setTimeout(() => element.remove(), toastSeconds * 1000);
    }
  }

  // --- Copy ---

  async function copy(button) {
    const source = button.dataset.copyFrom ? document.querySelector(button.dataset.copyFrom) : null;
    const text = source ? (source.value ?? source.textContent) : button.dataset.copy;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      copyBySelection(text); // Plain http on another host has no clipboard API.
    }
    button.classList.add("is-copied");
    announce("Copied");
    setTimeout(() => button.classList.remove("is-copied"), 1200);
  }

  function copyBySelection(text) {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "visually-hidden";
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }

  function announce(text) {
    const region = document.getElementById("announcer");
    if (region) region.textContent = text;
  }

  // --- Dialogs ---

  function openDialog(selector) {
    const dialog = document.querySelector(selector || "#dialog");
    if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
  }

  function closeDialogs() {
    for (const dialog of all("dialog[open]")) dialog.close();
  }

  // --- Keyboard ---

  const typing = (target) => target.closest("input, textarea, select, [contenteditable=true], .cm-editor");

  function moveRow(step) {
    const rows = all("[data-row]").filter((row) => row.offsetParent !== null);
    if (!rows.length) return;
    const current = rows.findIndex((row) => row.contains(document.activeElement));
    const next = rows[Math.min(Math.max(current + step, 0), rows.length - 1)];
    if (!next.hasAttribute("tabindex")) next.tabIndex = -1;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }

  function openRow() {
    const row = document.activeElement?.closest("[data-row]");
    if (row !== document.activeElement) return false;
    (row.querySelector("[data-row-link]") || row.querySelector("a[href]"))?.click();
    return true;
  }

  function pressAction(key) {
    const row = document.activeElement?.closest("[data-row]");
    const button = (row || document).querySelector(`[data-key="${CSS.escape(key)}"]`);
    button?.click();
    return Boolean(button);
  }

  const keys = {
    "/": () => {
      const field = document.querySelector("[data-search-field]");
      field?.focus();
      field?.select?.();
    },
    j: () => moveRow(1),
    k: () => moveRow(-1),
    "?": () => openDialog("#keys-dialog"),
  };

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "Escape" && typing(event.target)) return event.target.blur();
    if (typing(event.target) || document.querySelector("dialog[open]")) return;
    if (event.key === "Enter" && openRow()) return event.preventDefault();
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    } else if (/^[a-z]$/.test(event.key) && pressAction(event.key)) {
      event.preventDefault();
    }
  }

  // --- Changed on disk ---

  const liveSeconds = 4;

  async function checkLive(element) {
    if (document.hidden) return;
    try {
      const answer = await fetch(element.dataset.liveUrl, { headers: { Accept: "application/json" } });
      if (!answer.ok) return;
      const { version } = await answer.json();
      if (version !== undefined && String(version) !== element.dataset.liveVersion) showChanged();
    } catch {
      // The console may be restarting; the next round tells.
    }
  }

  function showChanged() {
    const bar = document.getElementById("changed-bar");
    if (bar && bar.hidden) bar.hidden = false;
  }

  setInterval(() => all("[data-live-url][data-live-version]").forEach(checkLive), liveSeconds * 1000);
  setInterval(showTimes, 30000);

  // --- Wiring ---

  const clicks = [
    ["[data-theme-toggle]", toggleTheme],
    ["[data-copy], [data-copy-from]", copy],
    ["[data-dialog-open]", (element) => openDialog(element.dataset.dialogOpen)],
    ["[data-dialog-close]", closeDialogs],
    ["[data-toast-close]", (element) => element.closest("[data-toast]").remove()],
    ["[data-reload]", () => location.reload()],
  ];

  document.addEventListener("click", (event) => {
    if (event.target instanceof HTMLDialogElement) return event.target.close(); // The backdrop.
    for (const [selector, act] of clicks) {
      const element = event.target.closest(selector);
      if (element) act(element);
    }
  });

  document.addEventListener("keydown", onKey);

  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-submit-on-change]")) event.target.form.requestSubmit();
  });

  document.addEventListener("submit", (event) => {
    const question = event.target.dataset?.confirm;
    if (question && !window.confirm(question)) event.preventDefault();
  });

  // --- htmx ---

  document.addEventListener("htmx:afterSettle", (event) => {
    showTimes(event.target);
    showCurrentTabs(event.target);
    ageToasts();
    const wanted = event.target.querySelector?.("[autofocus]");
    wanted?.focus();
  });

  // Our own errors name where they go (HX-Retarget); a proxy's page must not land in the middle of ours.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr } = event.detail;
    if (xhr.status < 400 || xhr.status === 422 || xhr.getResponseHeader("HX-Retarget")) return;
    event.detail.shouldSwap = false;
    toast(`The console answered ${xhr.status}. Try again.`, "error");
  });
  document.addEventListener("htmx:sendError", () => toast("The console does not answer. Is it running?", "error"));
  document.body.addEventListener("show-toast", (event) => toast(event.detail.text, event.detail.level, event.detail.action));
  document.body.addEventListener("close-dialog", closeDialogs);

  showTimes();
  showCurrentTabs();
  ageToasts();
})();
