import { useState } from "react";
import { createRoot } from "react-dom/client";
import { useCombobox, useSelect } from "downshift";
import TomSelect from "tom-select";
import css from "tom-select/dist/css/tom-select.css";

document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
const CITIES = ["Aachen", "Berlin", "Bonn", "Bremen", "Ulm"];

function City() {
  const [items, setItems] = useState(CITIES);
  const box = useCombobox({
    items,
    onInputValueChange: ({ inputValue }) =>
      setItems(CITIES.filter((city) => city.toLowerCase().startsWith((inputValue || "").toLowerCase()))),
  });
  return (
    <div>
      <label {...box.getLabelProps()}>City</label>
      <input {...box.getInputProps()} />
      <button {...box.getToggleButtonProps({ "aria-label": "Show cities" })}>v</button>
      <ul {...box.getMenuProps()}>
        {box.isOpen && items.map((item, index) => <li key={item} {...box.getItemProps({ item, index })}>{item}</li>)}
      </ul>
      <output id="city">{box.selectedItem || "no city"}</output>
    </div>
  );
}

function Size() {
  const items = ["Small", "Medium", "Large"];
  const box = useSelect({ items });
  return (
    <div>
      <span {...box.getLabelProps()}>Size</span>
      <div {...box.getToggleButtonProps()}>{box.selectedItem || "Choose a size"}</div>
      <ul {...box.getMenuProps()}>
        {box.isOpen && items.map((item, index) => <li key={item} {...box.getItemProps({ item, index })}>{item}</li>)}
      </ul>
      <output id="size">{box.selectedItem || "no size"}</output>
    </div>
  );
}

createRoot(document.getElementById("root")).render(<><City /><Size /></>);
new TomSelect("#plain", {});
new TomSelect("#colours", { plugins: ["remove_button"] });
