import { useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { useVirtualizer } from "@tanstack/react-virtual";

// Ten thousand rows, of which the page holds those in view.
function Rows() {
  const pane = useRef(null);
  const [picked, pick] = useState("none");
  const rows = useVirtualizer({ count: 10000, getScrollElement: () => pane.current, estimateSize: () => 30 });
  return (
    <section>
      <output id="picked">{picked}</output>
      <div ref={pane} id="rows" style={{ height: 240, overflow: "auto" }}>
        <div style={{ height: rows.getTotalSize(), position: "relative" }}>
          {rows.getVirtualItems().map((row) => (
            <div key={row.key} style={{ position: "absolute", top: 0, transform: `translateY(${row.start}px)` }}>
              <button onClick={() => pick(`Row ${row.index}`)}>Row {row.index}</button>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

createRoot(document.getElementById("list")).render(<Rows />);
