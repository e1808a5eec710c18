// One's own numbers: a slider next to each field. The dot on the chart moves at once, the answer of the server follows.
export function sliders(form) {
  const state = { form, timer: 0, turn: 0, moved: "" };
  for (const field of form.querySelectorAll("input[data-most]")) add(state, field);
  form.addEventListener("input", (event) => {
    if (event.target.type === "range" || !event.target.name) return;
    if (event.target.dataset.most) state.moved = event.target.name;
    later(state);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask(state);
  });
}

function add(state, field) {
  const slider = document.createElement("input");
  slider.type = "range";
  slider.min = field.dataset.least;
  slider.max = field.dataset.most;
  slider.step = (Number(field.dataset.most) - Number(field.dataset.least)) / 200;
  slider.value = field.value ? parseFloat(field.value) : field.dataset.now;
  slider.setAttribute("aria-label", document.querySelector(`label[for="${field.id}"]`).textContent);
  if (field.dataset.flips) slider.setAttribute("aria-description", `changes at ${field.dataset.flips}`);
  field.parentElement.append(slider);
  slider.addEventListener("input", () => {
    field.value = Number(Number(slider.value).toPrecision(6)).toString();
    state.moved = field.name;
    moveDot(state.form, field.name, Number(slider.value));
    later(state);
  });
  field.addEventListener("input", () => {
    slider.value = field.value ? parseFloat(field.value) : field.dataset.now;
  });
}

// The dot follows the curve of its own input; the curve of another input comes with the answer.
function moveDot(form, name, value) {
  const figure = form.querySelector(".over-input");
  const dot = figure?.dataset.input === name && figure.querySelector(".dot");
  if (!dot) return;
  const { left, width, top, bottom, from, to } = figure.querySelector(".plot").dataset;
  const share = (value - Number(from)) / (Number(to) - Number(from));
  const x = Number(left) + Number(width) * Math.min(Math.max(share, 0), 1);
  dot.setAttribute("cx", x);
  const y = heightAt(figure.querySelectorAll(".curve"), x);
  if (y !== null) dot.setAttribute("cy", Math.min(Math.max(y, Number(top)), Number(bottom)));
}

function heightAt(curves, x) {
  for (const curve of curves) {
    for (let at = 1; at < curve.points.numberOfItems; at++) {
      const [from, to] = [curve.points.getItem(at - 1), curve.points.getItem(at)];
      if (from.x <= x && x <= to.x) return from.y + ((to.y - from.y) * (x - from.x)) / (to.x - from.x || 1);
    }
  }
  return null;
}

function later(state) {
  clearTimeout(state.timer);
  state.timer = setTimeout(() => ask(state), 120);
}

// The page itself is the answer: the parts of it that hold the verdict and the chart take the place of ours.
async function ask(state) {
  const turn = ++state.turn;
  const given = new URLSearchParams([...new FormData(state.form)].filter(([, value]) => value.trim()));
  const chosen = state.moved || new URLSearchParams(location.search).get("input");
  if (chosen) given.set("input", chosen);
  const address = state.form.getAttribute("action").split("#")[0] + (given.size ? `?${given}` : "");
  const reply = await fetch(address).catch(() => null);
  if (!reply?.ok || turn !== state.turn) return;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  for (const part of ["[data-answer]", "[data-plot]"]) {
    const [ours, theirs] = [state.form.querySelector(part), page.querySelector(part)];
    if (ours && theirs) ours.replaceChildren(...theirs.childNodes);
  }
  history.replaceState(null, "", address);
}
