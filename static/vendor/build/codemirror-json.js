// A JSON editor over a <textarea>: the textarea stays the form field and the fallback without script.
import { json, jsonLanguage, jsonParseLinter } from "@codemirror/lang-json";
import { lintGutter, linter, setDiagnostics } from "@codemirror/lint";
import { EditorView, basicSetup } from "codemirror";

// `complete` is a CodeMirror completion source; with `checks: false` the page sets the diagnostics itself.
function attach(textarea, { nonce = "", complete = null, checks = true } = {}) {
  const keep = EditorView.updateListener.of((update) => {
    if (!update.docChanged) return;
    textarea.value = update.state.doc.toString();
    textarea.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const view = new EditorView({
    doc: textarea.value,
    extensions: [
      basicSetup,
      json(),
      complete ? jsonLanguage.data.of({ autocomplete: complete }) : [],
      lintGutter(),
      checks ? linter(jsonParseLinter()) : [],
      keep,
      EditorView.lineWrapping,
      EditorView.cspNonce.of(nonce),
      EditorView.editable.of(!textarea.readOnly),
      EditorView.contentAttributes.of({ "aria-label": textarea.getAttribute("aria-label") || textarea.name }),
    ],
  });
  textarea.hidden = true;
  textarea.after(view.dom);
  return view;
}

function goToLine(view, number) {
  const line = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
  view.dispatch({ selection: { anchor: line.from }, scrollIntoView: true });
  view.focus();
}

// Another text, changing only the part that differs, so that the caret and the scroll position stay.
function setText(view, text) {
  const old = view.state.doc.toString();
  if (old === text) return;
  let from = 0;
  while (from < old.length && from < text.length && old[from] === text[from]) from += 1;
  let end = old.length;
  let newEnd = text.length;
  while (end > from && newEnd > from && old[end - 1] === text[newEnd - 1]) {
    end -= 1;
    newEnd -= 1;
  }
  view.dispatch({ changes: { from, to: end, insert: text.slice(from, newEnd) } });
}

const markLength = 80;

// `marks` are {line, column, severity, message}, both from 1. A mark ends with its line, or a little behind its start.
function showProblems(view, marks) {
  const doc = view.state.doc;
  const diagnostics = marks.map(({ line, column, severity, message }) => {
    const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const from = Math.min(at.from + Math.max(column, 1) - 1, at.to);
    return { from, to: Math.min(at.to, from + markLength), severity, message };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

window.JsonEditor = { attach, goToLine, setDiagnostics, setText, showProblems };
