// One's own numbers: a slider beside each field, and the answer of the server as soon as one moves.
export function sliders(form) {
  const answer = form.querySelector("[data-answer]");
  const state = { form, answer, timer: 0, turn: 0 };
  for (const field of form.querySelectorAll("input[data-most]")) add(state, field);
  form.addEventListener("input", (event) => {
    if (event.target.type !== "range") later(state);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask(state);
  });
}

function add(state, field) {
  const slider = document.createElement("input");
  slider.type = "range";
  slider.min = 0;
  slider.max = field.dataset.most;
  slider.step = Number(field.dataset.most) / 200;
  slider.value = field.value ? parseFloat(field.value) : field.dataset.now;
  slider.setAttribute("aria-label", document.querySelector(`label[for="${field.id}"]`).textContent);
  if (field.dataset.turns) slider.setAttribute("aria-description", `changes at ${field.dataset.turns}`);
  field.parentElement.append(slider);
  slider.addEventListener("input", () => {
    field.value = Number(Number(slider.value).toPrecision(6)).toString();
    later(state);
  });
  field.addEventListener("input", () => {
    slider.value = field.value ? parseFloat(field.value) : field.dataset.now;
  });
}

function later(state) {
  clearTimeout(state.timer);
  state.timer = setTimeout(() => ask(state), 120);
}

// The page itself is the answer: the part of it that holds the verdict takes the place of ours.
async function ask(state) {
  const turn = ++state.turn;
  const told = new URLSearchParams([...new FormData(state.form)].filter(([, value]) => value.trim()));
  const address = state.form.getAttribute("action").split("#")[0] + (told.size ? `?${told}` : "");
  const reply = await fetch(address).catch(() => null);
  if (!reply?.ok || turn !== state.turn) return;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  state.answer.replaceChildren(...page.querySelector("[data-answer]").childNodes);
  history.replaceState(null, "", address);
}
