import css from "bootstrap/dist/css/bootstrap.css";
import * as bootstrap from "bootstrap/dist/js/bootstrap.esm.js";

document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
new bootstrap.Tooltip("#tip");
document.querySelector("#notify").onclick = () => new bootstrap.Toast("#toast").show();
