import { basicSetup, EditorView } from "codemirror";
import { exampleSetup } from "prosemirror-example-setup";
import { DOMParser } from "prosemirror-model";
import { schema } from "prosemirror-schema-basic";
import { EditorState } from "prosemirror-state";
import { EditorView as LetterView } from "prosemirror-view";

window.code = new EditorView({
  doc: "let a = 1\n",
  parent: document.querySelector("#code"),
  extensions: [basicSetup, EditorView.contentAttributes.of({ "aria-label": "Script" })],
});
const empty = document.createElement("div");
window.letter = new LetterView(document.querySelector("#letter"), {
  state: EditorState.create({
    doc: DOMParser.fromSchema(schema).parse(empty),
    plugins: exampleSetup({ schema }),
  }),
  attributes: { "aria-label": "Letter", role: "textbox" },
});
document.querySelector("#send").onclick = () => {
  document.querySelector("#sent").textContent = `Sent: ${window.letter.state.doc.textContent}`;
};
