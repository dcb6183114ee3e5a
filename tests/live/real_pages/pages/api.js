import SwaggerUI from "swagger-ui-dist/swagger-ui-bundle.js";
import css from "swagger-ui-dist/swagger-ui.css";

document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
const operation = (summary, parameters) => ({ summary, parameters, responses: { 200: { description: "Done" } } });
const id = { name: "id", in: "path", required: true, schema: { type: "integer" } };
const state = { name: "state", in: "query", schema: { type: "string", enum: ["open", "sent"] } };
SwaggerUI({
  dom_id: "#ui",
  spec: {
    openapi: "3.0.3",
    info: { title: "Orders", version: "1.0" },
    paths: {
      "/api/orders": { get: operation("List the orders", [state]) },
      "/api/orders/{id}": { get: operation("Read an order", [id]), delete: operation("Cancel an order", [id]) },
    },
  },
});
