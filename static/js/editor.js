// Edits a workflow: the text in the textarea is the one document; every step posts it with what to do and gets back
// the new text, cards, form and problems (views/editor.py). Nothing is kept on the server until it is saved.
(() => {
  "use strict";

  const form = document.getElementById("editor");
  if (!form) return;
  const area = document.getElementById("editor-text");
  const grid = form.querySelector(".editor-grid");
  const nodeField = document.getElementById("editor-node");
  const palette = document.getElementById("palette");
  const undoButton = document.getElementById("editor-undo");
  const saveButton = document.getElementById("editor-save");
  const dirtyMark = document.getElementById("editor-dirty");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const live = () => document.getElementById("editor-live");
  const selected = () => Number(live().dataset.selected);
  const toast = (text, level = "success") =>
    document.body.dispatchEvent(new CustomEvent("show-toast", { detail: { text, level } }));

  const pieces = ["editor-nodes", "editor-pane", "editor-budget", "editor-problems"];
  let known = area.value; // The text that cards and form show.
  const saved = form.hasAttribute("data-was-refused") ? null : area.value;
  const history = [];
  let editor = null;
  let lastTemplated = null;
  let view = "form";
  let isLeaving = false;
  let completions = null;

  // --- The document ---

  function setText(text) {
    known = text;
    if (editor) window.JsonEditor.setText(editor, text);
    area.value = text;
    showDirty();
  }

  function remember(text, node, back) {
    history.push({ text, node, back });
    if (history.length > 100) history.shift();
    undoButton.disabled = false;
  }

  // The shelf is no part of the text, so undoing what used it is a step of its own; else a node would be on neither.
  function wayBack(op, { value }, before) {
    if (op === "put-back") return { op: "stow", key: value, index: selected() };
    const key = op === "shelve" && newKey(before);
    return key ? { op: "drop", key } : null;
  }

  function newKey(before) {
    return shelfKeys().find((key) => !before.includes(key));
  }

  // A node that is put on the shelf again has another key there; earlier steps knew it by the old one.
  function renameKey(old, key) {
    for (const { back } of history) if (back?.key === old) back.key = key;
  }

  function shelfKeys() {
    return all('[data-step="put-back"]').map((button) => button.dataset.value);
  }

  function showDirty() {
    dirtyMark.hidden = area.value === saved;
  }

  // --- Steps, one after another ---

  let queue = Promise.resolve();

  function step(op, values = {}, { keepsForm = false } = {}) {
    queue = queue.then(() => send(op, typeof values === "function" ? values() : values, keepsForm)).catch(report);
    return queue;
  }

  async function send(op, values, keepsForm) {
    const before = { text: known, node: selected() };
    const sent = area.value;
    const marks = { nodes_mark: markOf("editor-nodes"), problems_mark: markOf("editor-problems"), length: sent.length };
    const answer = parse(await post(form.dataset.changeUrl, { op, ...marks, ...values }));
    const next = answer.getElementById("editor-live");
    if (!next) return;
    const text = read(answer.getElementById("editor-next"), sent);
    const shelfBefore = shelfKeys();
    show(next, keepsForm && next.dataset.selected === String(before.node) && !next.dataset.error);
    if (op === "stow") renameKey(values.key, newKey(shelfBefore));
    if (text !== before.text) remember(before.text, before.node, wayBack(op, values, shelfBefore));
    if (text !== sent || area.value === known) setText(text);
    if (next.dataset.said) toast(next.dataset.said);
    if (next.dataset.error) showError(next.dataset.error, next.dataset.errorField);
  }

  function markOf(id) {
    return document.getElementById(id)?.dataset.mark ?? "";
  }

  // The text after a step: all of it, or what takes the place of a stretch of the one that was sent.
  function read(field, sent) {
    const { start, end } = field.dataset;
    return start === undefined ? field.value : sent.slice(0, Number(start)) + field.value + sent.slice(Number(end));
  }

  async function post(url, values) {
    const data = new FormData(form);
    data.delete("note");
    data.delete("insist_reason");
    for (const [name, value] of Object.entries(values)) data.set(name, value);
    const answer = await fetch(url, { method: "POST", body: data, headers: { "HX-Request": "true" } });
    if (!answer.ok) throw new Error(await explain(answer));
    return answer.text();
  }

  async function explain(answer) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const text = page.querySelector("[data-toast-text], .state-text, .state-title")?.textContent.trim();
    return text || `The console answered ${answer.status}. Try again.`;
  }

  function report(error) {
    toast(error instanceof TypeError ? "The console does not answer. Is it running?" : error.message, "error");
  }

  function parse(html) {
    return new DOMParser().parseFromString(html, "text/html");
  }

  // --- Showing ---

  function show(next, keepsForm) {
    const old = live();
    const focus = document.activeElement;
    const place = placeOf(focus);
    const top = document.getElementById("editor-nodes")?.querySelector(".node-list")?.scrollTop ?? 0;
    const open = all("details[open][id]", old).map((item) => item.id);
    const closed = all("details:not([open])[id]", old).map((item) => item.id);
    const isAlike = pieces.every((id) => Boolean(old.querySelector(`#${id}`)) === Boolean(next.querySelector(`#${id}`)));
    if (keepsForm) {
      const pane = old.querySelector("#editor-pane");
      const fresh = next.querySelector("#editor-pane");
      for (const row of all("[data-row-field]", pane)) {
        const now = fresh?.querySelector(`[data-row-field="${CSS.escape(row.dataset.rowField)}"]`);
        row.toggleAttribute("data-present", Boolean(now?.hasAttribute("data-present")));
      }
      for (const list of all("datalist", fresh)) pane.querySelector(`#${CSS.escape(list.id)}`)?.replaceWith(list);
    } else {
      lastTemplated = null;
    }
    if (isAlike) {
      for (const id of pieces) {
        const piece = next.querySelector(`#${id}`);
        if (piece && !("same" in piece.dataset) && !(keepsForm && id === "editor-pane")) old.querySelector(`#${id}`).replaceWith(piece);
      }
      for (const name of Object.keys(next.dataset)) old.dataset[name] = next.dataset[name];
    } else {
      // What the page has already is sent as an empty piece.
      for (const piece of all("[data-same]", next)) piece.replaceWith(old.querySelector(`#${piece.id}`));
      old.replaceWith(next);
    }
    showSelected();
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    for (const id of closed) document.getElementById(id)?.removeAttribute("open");
    const list = document.querySelector("#editor-nodes .node-list");
    if (list) list.scrollTop = top;
    nodeField.value = live().dataset.selected;
    if (!document.contains(focus)) focusPlace(place);
    decorate();
  }

  function showSelected() {
    const now = all(".node-item")[selected()];
    const before = document.querySelector(".node-item.is-selected");
    if (now === before) return;
    before?.classList.remove("is-selected");
    before?.querySelector("[data-select]").removeAttribute("aria-current");
    now?.classList.add("is-selected");
    now?.querySelector("[data-select]").setAttribute("aria-current", "true");
  }

  // What had the focus, by what it is and not by the element, which may be another one now.
  function placeOf(element) {
    if (!element || !live().contains(element)) return "";
    if (element.matches("[data-select]")) return "[aria-current=true][data-select]";
    if (element.id) return `#${CSS.escape(element.id)}`;
    if (element.dataset.step) return `[data-step="${element.dataset.step}"][data-to="${element.dataset.to ?? ""}"], [data-step="${element.dataset.step}"]`;
    return element.closest("#editor-nodes") ? "[aria-current=true][data-select]" : "";
  }

  function focusPlace(place) {
    const element = place && document.querySelector(place);
    if (!element) return;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest" });
  }

  function decorate() {
    const counts = document.querySelector("#editor-problems .problem-counts");
    const top = document.querySelector("#editor-counts a");
    if (counts && top) top.innerHTML = counts.innerHTML;
    document.getElementById("editor-insist").hidden = live().dataset.errors === "0";
    showNotes();
    showView(view);
    makeSortable();
    for (const field of all("textarea[data-field], textarea[data-item]")) grow(field);
    if (editor) window.JsonEditor.showProblems(editor, listMarks());
  }

  function showNotes() {
    for (const box of all("[data-notes]")) box.replaceChildren();
    for (const item of all(`.problem[data-problem-index="${selected()}"]`)) {
      const field = item.dataset.problemField || "type";
      const box = document.querySelector(`[data-notes="${CSS.escape(field)}"]`) ?? document.querySelector('[data-notes="type"]');
      if (!box) continue;
      const note = document.createElement("p");
      note.className = `edit-note ${[...item.classList].find((name) => name.startsWith("is-")) ?? ""}`;
      note.textContent = item.dataset.message;
      box.append(note);
    }
  }

  function showError(message, field) {
    const box = field && document.querySelector(`[data-notes="${CSS.escape(field)}"]`);
    if (!box) return toast(message, "error");
    const note = document.createElement("p");
    note.className = "edit-note is-error";
    note.setAttribute("role", "alert");
    note.textContent = message;
    box.prepend(note);
    box.closest("details")?.setAttribute("open", "");
  }

  function listMarks() {
    return all(".problem").map((item) => ({
      line: Number(item.dataset.line) || 1,
      column: Number(item.dataset.column) || 1,
      severity: { error: "error", warning: "warning" }[item.dataset.severity] ?? "info",
      message: item.dataset.message,
    }));
  }

  function grow(field) {
    field.style.height = "auto";
    if (field.scrollHeight) field.style.height = `${Math.min(field.scrollHeight + 4, 640)}px`;
  }

  // --- Views of the node: form, variables, what it returns now ---

  function showView(name) {
    const tab = document.querySelector(`#editor-pane [data-view="${name}"]`) ?? document.querySelector('[data-view="form"]');
    if (!tab) return;
    view = tab.dataset.view;
    for (const other of all("#editor-pane [role=tab]")) {
      const isThis = other === tab;
      other.setAttribute("aria-selected", String(isThis));
      other.tabIndex = isThis ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).hidden = !isThis;
    }
    const panel = document.getElementById(tab.getAttribute("aria-controls"));
    if (panel.dataset.look && panel.dataset.text !== known) load(panel);
  }

  async function load(panel) {
    panel.dataset.text = known;
    try {
      const html = await post(form.dataset.lookUrl, { what: panel.dataset.look });
      panel.innerHTML = html; // Rendered and escaped by the console itself.
    } catch (error) {
      report(error);
    }
  }

  function insert(name) {
    const target = lastTemplated && document.contains(lastTemplated) ? lastTemplated : document.querySelector("[data-templated]");
    if (!target) return toast("No field of this node takes variables.", "error");
    showView("form");
    target.closest("details")?.setAttribute("open", "");
    target.focus();
    target.setRangeText(`{${name}}`, target.selectionStart, target.selectionEnd, "end");
    changed(target);
  }

  // --- Fields ---

  function changed(element) {
    if (element.matches("[data-variable]")) {
      return step("set-variable", { field: element.dataset.variable, value: element.value, as: looksJson(element) });
    }
    const field = element.closest("[data-field]");
    if (!field || !form.contains(field)) return undefined;
    const values = { field: field.dataset.field, value: valueOf(field), index: selected() };
    if (field.dataset.kind !== "text") values.as = "json";
    if (field.dataset.kind === "json" && !values.value.trim()) return undefined;
    return step("set", values, { keepsForm: !("whole" in field.dataset) });
  }

  // A variable that was no text stays none, when what is typed allows it.
  function looksJson(element) {
    try {
      return typeof JSON.parse(element.defaultValue) === "string" ? "text" : JSON.parse(element.value) === undefined ? "text" : "json";
    } catch {
      return "text";
    }
  }

  function valueOf(field) {
    const kind = field.dataset.kind;
    if (kind === "switch") return JSON.stringify(field.checked);
    if (kind === "items") return JSON.stringify(all("[data-item]", field).map((item) => item.value));
    if (kind === "pairs") {
      const rows = all(".edit-item", field);
      const pairs = rows.map((row) => [row.querySelector("[data-item-key]").value, row.querySelector("[data-item]").value]);
      return JSON.stringify(Object.fromEntries(pairs.filter(([key]) => key)));
    }
    return field.value;
  }

  function addItem(field) {
    const isPair = field.dataset.kind === "pairs";
    const row = document.createElement("div");
    row.className = isPair ? "edit-item is-pair" : "edit-item";
    const item = document.createElement(isPair ? "input" : "textarea");
    item.className = "form-control mono";
    item.dataset.item = "";
    item.dataset.templated = "";
    item.setAttribute("aria-label", isPair ? "Value" : "Item");
    if (!isPair) item.rows = 1;
    const key = document.createElement("input");
    key.className = "form-control mono";
    key.dataset.itemKey = "";
    key.setAttribute("aria-label", "Key");
    row.append(...(isPair ? [key, item] : [item]));
    field.querySelector("[data-item-add]").before(row);
    (isPair ? key : item).focus();
  }

  // --- Cards ---

  function move(by) {
    const index = selected();
    const to = index + by;
    const count = all(".node-item").length;
    if (to < 0 || to >= count) return;
    step("move", { index, to });
  }

  function makeSortable() {
    const list = document.getElementById("node-list");
    if (!list || !window.Sortable || list.dataset.sortable) return;
    list.dataset.sortable = "1";
    window.Sortable.create(list, {
      animation: 120,
      delay: 150,
      delayOnTouchOnly: true,
      onEnd: ({ oldIndex, newIndex }) => {
        if (oldIndex === newIndex) return;
        document.getElementById("editor-nodes").dataset.mark = ""; // The list is no longer as it came, so it has to come anew.
        step("move", { index: oldIndex, to: newIndex });
      },
    });
  }

  function jump(item) {
    const index = Number(item.dataset.problemIndex);
    const field = item.dataset.problemField;
    if (index < 0) return showLine(Number(item.dataset.line));
    view = "form";
    const go = () => {
      const control = document.getElementById(field ? `field-${field}` : "field-type");
      if (!control) return showLine(Number(item.dataset.line));
      showView("form");
      control.closest("details")?.setAttribute("open", "");
      (control.matches("input, textarea, select") ? control : control.querySelector("input, textarea, button"))?.focus();
      control.scrollIntoView({ block: "center" });
    };
    if (index === selected()) go();
    else select(index).then(go);
    if (editor && isJsonShown()) scrollTo(Number(item.dataset.line));
  }

  function select(index) {
    nodeField.value = index;
    return step("refresh", () => ({ node: index, index }));
  }

  // A card was chosen: the JSON turns to the node, too; the focus stays where it is.
  function pick(index) {
    select(index).then(() => {
      if (!editor || !isJsonShown()) return;
      const doc = editor.state.doc;
      const at = doc.line(Math.min(Number(live().dataset.line) || 1, doc.lines)).from;
      const turn = () => { editor.scrollDOM.scrollTop = editor.lineBlockAt(at).top; };
      editor.dispatch({ selection: { anchor: at } });
      turn();
      requestAnimationFrame(turn); // Lines that were never shown are measured only now.
    });
  }

  // --- The JSON ---

  function isJsonShown() {
    return getComputedStyle(document.querySelector(".editor-json")).display !== "none";
  }

  function showLine(line) {
    if (!isJsonShown()) toggleJson(true);
    if (editor) window.JsonEditor.goToLine(editor, line);
    else area.focus();
  }

  function scrollTo(line) {
    const focus = document.activeElement;
    window.JsonEditor.goToLine(editor, line);
    focus?.focus({ preventScroll: true });
  }

  function toggleJson(on) {
    const isOn = grid.classList.toggle("shows-json", on);
    document.getElementById("editor-json-toggle").setAttribute("aria-pressed", String(isOn));
  }

  let typingTimer = 0;

  function typed() {
    showDirty();
    if (area.value === known) return;
    clearTimeout(typingTimer);
    typingTimer = setTimeout(() => {
      if (area.value === known) return;
      const text = area.value;
      remember(known, selected());
      known = text;
      step("refresh");
    }, 500);
  }

  // Completion: keys of the node type that the caret is in, and values of a key that has few.
  function complete(context) {
    const before = context.matchBefore(/"[^"\n]*/);
    if (!before || !completions) return null;
    const text = context.state.doc.sliceString(0, before.from);
    const keyBefore = /"([^"\\\n]*)"\s*:\s*$/.exec(text.slice(-300))?.[1];
    const keys = keysAround(text, context.state.doc.sliceString(before.from));
    const type = keys.type;
    const specs = completions.keys ?? completions.types?.[type] ?? completions.types?.Standard ?? {};
    if (keyBefore !== undefined) {
      const values = keyBefore === "type" && completions.types ? Object.keys(completions.types) : specs[keyBefore]?.values ?? [];
      const options = values.filter((value) => typeof value === "string").map((value) => ({ label: `"${value}"`, type: "enum", apply: writing(`"${value}"`) }));
      return options.length ? { from: before.from, options, validFor: /^"[^"]*"?$/ } : null;
    }
    if (!/[{,]\s*$/.test(text.slice(-300))) return null;
    const options = Object.entries(specs).map(([key, spec]) => ({ label: `"${key}"`, detail: spec.info, type: "property", apply: writing(`"${key}": `) }));
    return { from: before.from, options, validFor: /^"[^"]*"?$/ };
  }

  // The editor closes quotes by itself; what is chosen takes the place of the closing one too.
  function writing(insert) {
    return (view, completion, from, to) => {
      const end = view.state.doc.sliceString(to, to + 1) === '"' ? to + 1 : to;
      view.dispatch({ changes: { from, to: end, insert }, selection: { anchor: from + insert.length } });
    };
  }

  function keysAround(before, after) {
    const start = before.slice(before.lastIndexOf("{"));
    const end = after.slice(0, after.indexOf("}") + 1 || undefined);
    return { type: /"type"\s*:\s*"([^"]*)"/.exec(start + end)?.[1] };
  }

  async function attachEditor() {
    if (!window.JsonEditor || matchMedia("(max-width: 480px)").matches) return;
    editor = window.JsonEditor.attach(area, { nonce: area.dataset.nonce, complete, checks: false });
    window.JsonEditor.showProblems(editor, listMarks());
    const answer = await fetch(form.dataset.schemaUrl);
    if (answer.ok) completions = await answer.json();
  }

  // A link from the list of all problems names its place.
  function showPlace() {
    const at = new URLSearchParams(location.search).get("at");
    if (at === null) return;
    const steps = at.split("/").slice(1).filter((part) => part !== "nodes");
    const control = steps.length > 1 && document.getElementById(`field-${steps[1]}`);
    if (!control) {
      const item = all(".problem").find((problem) => problem.dataset.at === at);
      if (item && !document.getElementById("editor-nodes")) showLine(Number(item.dataset.line));
      return;
    }
    control.closest("details")?.setAttribute("open", "");
    (control.matches("input, textarea, select") ? control : control.querySelector("input, textarea, button"))?.focus();
    control.scrollIntoView({ block: "center" });
  }

  // --- Undo, save ---

  let undoing = Promise.resolve();

  function undo() {
    undoing = undoing.then(undoLast);
  }

  async function undoLast() {
    const last = history.pop();
    if (!last) return;
    undoButton.disabled = !history.length;
    // A node that was put back goes to the shelf again while the text still has it.
    if (last.back?.op === "stow") await step("stow", { index: last.back.index, key: last.back.key });
    setText(last.text);
    nodeField.value = last.node;
    const isShelved = last.back?.op === "drop" && shelfKeys().includes(last.back.key);
    const rest = isShelved ? { op: "drop", value: last.back.key } : { op: "refresh" };
    await step("undo-show", () => ({ ...rest, node: last.node, index: last.node })).then(() => {
      undoButton.disabled = !history.length;
    });
  }

  let isSettled = false;

  form.addEventListener("submit", async (event) => {
    if (isSettled) {
      const staysHere = Boolean(event.submitter?.formTarget);
      isLeaving = !staysHere;
      isSettled = !staysHere;
      return;
    }
    event.preventDefault();
    const button = event.submitter;
    if (form.contains(document.activeElement)) document.activeElement.blur();
    clearTimeout(typingTimer);
    await queue;
    const isSave = !button || button === saveButton;
    if (isSave && area.value !== known) await step("refresh");
    const reason = document.getElementById("insist-reason");
    if (isSave && live().dataset.errors !== "0" && !reason.value.trim()) {
      document.getElementById("editor-insist").hidden = false;
      toast("There are errors. Mend them, or say why to save all the same.", "error");
      reason.focus();
      return;
    }
    isSettled = true;
    // A form takes no second submission while its event is still being told, so this waits for its end.
    setTimeout(() => form.requestSubmit(button ?? saveButton));
  });

  window.addEventListener("pageshow", () => {
    isSettled = false;
    isLeaving = false;
  });
  window.addEventListener("beforeunload", (event) => {
    if (!isLeaving && saved !== null && area.value !== saved) event.preventDefault();
  });

  // --- Palette ---

  let addAt = null;

  function openPalette() {
    addAt = all(".node-item").length ? selected() + 1 : 0;
    const search = document.getElementById("palette-search");
    search.value = "";
    filterPalette("");
    palette.showModal();
    search.focus();
  }

  function filterPalette(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const family of all(".palette-family", palette)) {
      let shown = 0;
      for (const item of all("[data-palette-text]", family)) {
        const isThere = words.every((word) => item.dataset.paletteText.toLowerCase().includes(word));
        item.hidden = !isThere;
        shown += isThere;
      }
      family.hidden = !shown;
      count += shown;
    }
    document.getElementById("palette-none").hidden = count > 0;
  }

  function add(type) {
    palette.close();
    view = "form";
    step("add", { value: type, to: addAt ?? 0 }).then(() => document.getElementById("field-title")?.focus());
  }

  palette?.addEventListener("input", (event) => filterPalette(event.target.value));
  palette?.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.id === "palette-search") {
      event.preventDefault();
      all("[data-palette-text]:not([hidden]) [data-add-type]", palette).find((item) => item.offsetParent)?.click();
    }
  });

  // --- Wiring ---

  const clicks = [
    ["[data-select]", (element) => pick(Number(element.dataset.select))],
    ["[data-palette-open]", openPalette],
    ["[data-add-type]", (element) => add(element.dataset.addType)],
    ["[data-step]", act],
    ["[data-clear]", (element) => step("clear", { field: element.dataset.clear, index: selected() })],
    ["[data-jump]", (element) => jump(element.closest(".problem"))],
    ["[data-view]", (element) => showView(element.dataset.view)],
    ["[data-insert]", (element) => insert(element.dataset.insert)],
    ["[data-item-add]", (element) => addItem(element.closest("[data-field]"))],
    ["[data-item-remove]", removeItem],
    ["[data-variable-add]", addVariable],
    ["#editor-json-toggle", () => toggleJson()],
    ["#editor-undo", undo],
  ];

  function act(element) {
    if (element.dataset.step === "move") return move(Number(element.dataset.to));
    const values = { index: selected(), value: element.dataset.value ?? "", field: element.dataset.stepField ?? "" };
    return step(element.dataset.step, values);
  }

  function removeItem(element) {
    const field = element.closest("[data-field]");
    element.closest(".edit-item").remove();
    changed(field);
  }

  function addVariable(element) {
    const name = element.parentElement.querySelector("[data-new-variable]").value.trim();
    if (name) step("set-variable", { field: name, value: "" });
  }

  document.addEventListener("click", (event) => {
    for (const [selector, run] of clicks) {
      const element = event.target.closest(selector);
      if (element) return void run(element);
    }
  });

  form.addEventListener("change", (event) => {
    if (event.target.id === "editor-user" || event.target.id === "editor-discussion") return void step("refresh");
    if (event.target !== area) changed(event.target);
  });

  form.addEventListener("input", (event) => {
    if (event.target === area) return typed();
    if (event.target.matches("textarea")) grow(event.target);
    return undefined;
  });

  form.addEventListener("focusin", (event) => {
    if (event.target.matches("[data-templated]")) lastTemplated = event.target;
  });

  function onTabKey(event) {
    const tabs = all("#editor-pane [role=tab]");
    const next = tabs[(tabs.indexOf(event.target) + (event.key === "ArrowRight" ? 1 : -1) + tabs.length) % tabs.length];
    showView(next.dataset.view);
    next.focus();
  }

  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, textarea, select, .cm-editor");
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
      event.preventDefault();
      if (!saveButton.disabled) form.requestSubmit(saveButton);
    } else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.shiftKey && !isTyping) {
      event.preventDefault();
      undo();
    } else if (event.altKey && ["ArrowUp", "ArrowDown"].includes(event.key) && !event.target.closest(".cm-editor, textarea")) {
      event.preventDefault();
      move(event.key === "ArrowUp" ? -1 : 1);
    } else if (event.key === "Delete" && event.target.matches("[data-select]")) {
      event.preventDefault();
      step("remove", { index: Number(event.target.dataset.select) });
    } else if (["ArrowUp", "ArrowDown"].includes(event.key) && event.target.matches("[data-select]")) {
      event.preventDefault();
      const picks = all("[data-select]");
      picks[picks.indexOf(event.target) + (event.key === "ArrowUp" ? -1 : 1)]?.focus();
    } else if (["ArrowLeft", "ArrowRight"].includes(event.key) && event.target.matches("[role=tab]")) {
      event.preventDefault();
      onTabKey(event);
    } else if (event.key === "Enter" && event.target.matches("#editor input:not([type=checkbox])")) {
      event.preventDefault();
      if (event.target.matches("[data-new-variable]")) addVariable(event.target);
      else event.target.blur();
    }
  });

  decorate();
  attachEditor().then(showPlace);
  if (form.hasAttribute("data-was-refused")) document.getElementById("insist-reason").focus();
})();
