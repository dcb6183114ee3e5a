// The first field that kept a form from being sent. Scripts ask fields too: that is no submit.
const heldForm = (state) => {
  const control = state.target && state.target.closest("button,input");
  const submits = control && /^(submit|image)$/.test(control.type) ? control.form : null;
  const fields = (state.invalid || []).filter((field) => {
    const form = submits || (state.key === "Enter" && field.form);
    return form && field.form === form && field.validity && !field.validity.valid;
  });
  if (state.submitted || !fields.length) return null;
  const [first] = fields;
  const others = new Set(fields.map((field) => (field.type === "radio" && field.name) || field));
  return { ...spokenOf(first), message: shorten(first.validationMessage, 160), more: others.size - 1 };
};
const spokenOf = (element) => ({
  role: spokenRole(element),
  name: shorten(spokenName(element) || nameOf(element), 80),
});
// Who has got the focus, unless it is what was hit or stands in it.
const focusElsewhere = (state, focus) => {
  const hit = state.target;
  if (hit && (hit.control === focus || focus.contains(hit))) return null;
  for (let node = focus; node && hit; node = node.parentNode || node.host) {
    if (node === hit) return null;
  }
  return spokenOf(focus);
};
