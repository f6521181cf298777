// A JSON editor over a <textarea>: the textarea stays the form field and the fallback without script.
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { lintGutter, linter, setDiagnostics } from "@codemirror/lint";
import { EditorView, basicSetup } from "codemirror";

function attach(textarea, { nonce = "" } = {}) {
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
      lintGutter(),
      linter(jsonParseLinter()),
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

window.JsonEditor = { attach, goToLine, setDiagnostics };
