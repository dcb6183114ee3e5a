import { StrictMode, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { createRoot } from "react-dom/client";

// A field whose state takes capitals only, one that keeps at most four digits, and one that gives
// every change back.
function Fields() {
  const [name, setName] = useState("");
  const [code, setCode] = useState("");
  const [digits, setDigits] = useState("");
  const [fixed] = useState("fixed");
  return (
    <fieldset>
      <label>Customer <input value={name} onChange={(e) => setName(e.target.value)} /></label>
      <label>Code <input value={code} onChange={(e) => setCode(e.target.value.toUpperCase())} /></label>
      <label>Year <input value={digits} onChange={(e) => setDigits(e.target.value.replace(/\D/g, "").slice(0, 4))} /></label>
      <label>Contract <input value={fixed} onChange={() => {}} /></label>
      <label>Note <textarea defaultValue="" /></label>
      <output id="state">{JSON.stringify({ name, code, digits, fixed })}</output>
    </fieldset>
  );
}

function Todos() {
  const [items, setItems] = useState([{ id: 1, text: "Pack", done: false }]);
  const [text, setText] = useState("");
  const add = (event) => {
    event.preventDefault();
    if (text) setItems([...items, { id: Date.now(), text, done: false }]);
    setText("");
  };
  const change = (id, part) => setItems(items.map((item) => (item.id === id ? { ...item, ...part } : item)));
  return (
    <section>
      <form onSubmit={add}>
        <label>New item <input value={text} onChange={(e) => setText(e.target.value)} /></label>
        <button>Add</button>
      </form>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <label><input type="checkbox" checked={item.done} onChange={() => change(item.id, { done: !item.done })} /> {item.text}</label>
            <button onClick={() => setItems(items.filter((other) => other.id !== item.id))}>Remove {item.text}</button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Modal({ onClose }) {
  return createPortal(
    <div role="dialog" aria-modal="true" aria-label="Shipping" style={{ position: "fixed", inset: 40, background: "white" }}>
      <label>Carrier <select defaultValue="Post"><option>Post</option><option>Rail</option></select></label>
      <button onClick={onClose}>Done</button>
    </div>,
    document.body,
  );
}

function Prices() {
  const [state, setState] = useState({ text: "not loaded" });
  const load = async (path) => {
    setState({ text: "loading", busy: true });
    try {
      const answer = await fetch(path);
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      setState({ text: `price ${await answer.text()}` });
    } catch (error) {
      console.error("Price could not be loaded:", error.message);
      setState({ text: `Error: ${error.message}`, failed: true });
    }
  };
  return (
    <section aria-busy={Boolean(state.busy)}>
      <button onClick={() => load("/api/price")}>Load price</button>
      <button onClick={() => load("/api/broken")}>Load broken</button>
      <button onClick={() => fetch("/api/broken")}>Sync</button>
      <button onClick={() => { throw new Error("handler failed"); }}>Crash</button>
      {state.failed ? <p role="alert">{state.text}</p> : <p id="price">{state.text}</p>}
    </section>
  );
}

function App() {
  const [open, setOpen] = useState(false);
  const [tab, setTab] = useState("Orders");
  const [, setTicks] = useState(0);
  // Renders that have nothing to do with any act.
  useEffect(() => {
    const timer = setInterval(() => setTicks((count) => count + 1), 500);
    return () => clearInterval(timer);
  }, []);
  return (
    <main>
      <h1>Orders</h1>
      <div role="tablist">
        {["Orders", "Returns"].map((name) => (
          <button key={name} role="tab" aria-selected={tab === name} onClick={() => setTab(name)}>{name}</button>
        ))}
      </div>
      <p id="tab">{tab}</p>
      <Fields />
      <Todos />
      <Prices />
      <button onClick={() => setOpen(true)}>Shipping</button>
      {open && <Modal onClose={() => setOpen(false)} />}
    </main>
  );
}

createRoot(document.getElementById("root")).render(<StrictMode><App /></StrictMode>);
