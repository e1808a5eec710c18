// Suggestions while typing in a search field: a list box that the arrow keys walk through.
let count = 0;

export function offer(field) {
  const list = document.createElement("ul");
  list.className = "offers";
  list.id = `offers-${++count}`;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  list.hidden = true;
  field.after(list);
  for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-controls", list.id]]) field.setAttribute(name, value);
  const state = { field, list, items: [], at: -1, timer: 0, asked: "" };
  field.addEventListener("input", () => later(state));
  field.addEventListener("keydown", (event) => key(state, event));
  field.addEventListener("blur", () => setTimeout(() => hide(state), 150));
  list.addEventListener("pointerdown", (event) => {
    const row = event.target.closest("[role=option]");
    if (row) take(state, Number(row.dataset.at));
    event.preventDefault();
  });
}

function later(state) {
  clearTimeout(state.timer);
  state.timer = setTimeout(() => ask(state), 120);
}

async function ask(state) {
  const typed = state.field.value.trim();
  if (typed.length < 2) return hide(state);
  state.asked = typed;
  const answer = await fetch(`/suggest.json?q=${encodeURIComponent(typed)}`).catch(() => null);
  if (!answer?.ok || state.asked !== typed || document.activeElement !== state.field) return;
  state.items = (await answer.json()).items;
  state.at = -1;
  draw(state);
}

function draw(state) {
  state.list.replaceChildren(...state.items.map((item, at) => {
    const row = document.createElement("li");
    row.id = `${state.list.id}-${at}`;
    row.dataset.at = at;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(at === state.at));
    const kind = document.createElement("small");
    kind.textContent = item.kind;
    row.append(item.text, kind);
    return row;
  }));
  state.list.hidden = !state.items.length;
  state.field.setAttribute("aria-expanded", String(!state.list.hidden));
  if (state.at >= 0) state.field.setAttribute("aria-activedescendant", `${state.list.id}-${state.at}`);
  else state.field.removeAttribute("aria-activedescendant");
}

function key(state, event) {
  if (state.list.hidden) return;
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (move) {
    const size = state.items.length + 1;
    state.at = ((state.at + 1 + move + size) % size) - 1;
    draw(state);
    event.preventDefault();
  } else if (event.key === "Enter" && state.at >= 0) {
    event.preventDefault();
    take(state, state.at);
  } else if (event.key === "Escape") {
    hide(state);
    event.preventDefault();
  }
}

function take(state, at) {
  const item = state.items[at];
  if (item.href) return location.assign(item.href);
  state.field.value = `${item.insert} `;
  hide(state);
  state.field.form.requestSubmit();
}

function hide(state) {
  clearTimeout(state.timer);
  state.items = [];
  state.at = -1;
  state.list.hidden = true;
  state.field.setAttribute("aria-expanded", "false");
  state.field.removeAttribute("aria-activedescendant");
}
