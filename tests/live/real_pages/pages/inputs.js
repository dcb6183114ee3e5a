import flatpickr from "flatpickr";
import css from "flatpickr/dist/flatpickr.css";
import IMask from "imask";

document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
const field = (id) => document.getElementById(id);
IMask(field("phone"), { mask: "+{49}(000)000-00-00" });
IMask(field("price"), { mask: Number, thousandsSeparator: ",", radix: ".", scale: 2 });
IMask(field("birthday"), { mask: Date, lazy: false });
flatpickr(field("trip"), { allowInput: true, dateFormat: "Y-m-d" });
const changes = [];
document.addEventListener("change", (event) => {
  changes.push(event.target.id);
  document.getElementById("changes").textContent = changes.join();
});
