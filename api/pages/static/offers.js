// Suggestions while typing: a list box that the arrow keys walk through, under a search field or in the palette.
let count = 0;

const style = document.createElement("link"); // only scripts show what it styles, so no page waits for it
style.rel = "stylesheet";
style.href = new URL("./offers.css", import.meta.url);
document.head.append(style);

// A list of suggestions for a field. `commands` gives items for a typed text without asking the server; `open` keeps the list visible.
export function offer(field, { commands = () => [], open = false } = {}) {
  const list = document.createElement("ul");
  list.className = "offers";
  list.id = `offers-${++count}`;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  list.hidden = true;
  field.after(list);
  for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-controls", list.id]]) field.setAttribute(name, value);
  const state = { field, list, commands, open, items: [], found: [], at: -1, timer: 0, asked: "" };
  field.addEventListener("input", () => later(state));
  field.addEventListener("keydown", (event) => key(state, event));
  if (!open) field.addEventListener("blur", () => setTimeout(() => hide(state), 150));
  list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
  list.addEventListener("click", (event) => {
    const row = event.target.closest("[role=option]");
    if (row) take(state, Number(row.dataset.at));
  });
  return { refresh: () => ask(state) };
}

function later(state) {
  clearTimeout(state.timer);
  state.timer = setTimeout(() => ask(state), 120);
}

async function ask(state) {
  const typed = state.field.value.trim();
  const own = state.commands(typed);
  state.asked = typed;
  if (typed.length < 2) state.found = [];
  if (state.open) show(state, [...own, ...state.found]); // commands need no answer
  if (typed.length < 2) return state.open || hide(state);
  const answer = await fetch(`/suggest.json?q=${encodeURIComponent(typed)}`).catch(() => null);
  if (state.asked !== typed || document.activeElement !== state.field) return;
  state.found = answer?.ok ? (await answer.json()).items : [];
  show(state, [...own, ...state.found]);
}

function show(state, items) {
  const chosen = state.items[state.at]; // stays chosen when the server's answer comes
  state.items = items;
  state.at = items.findIndex(({ href }) => href === chosen?.href);
  draw(state);
}

function draw(state) {
  state.list.replaceChildren(...state.items.map((item, at) => {
    const row = document.createElement("li");
    row.id = `${state.list.id}-${at}`;
    row.dataset.at = at;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(at === state.at));
    const text = document.createElement("span");
    text.textContent = item.text;
    const label = document.createElement("small");
    label.textContent = item.label ?? item.kind;
    row.append(text, label);
    return row;
  }));
  state.list.hidden = !state.items.length;
  state.field.setAttribute("aria-expanded", String(!state.list.hidden));
  if (state.at >= 0) {
    state.field.setAttribute("aria-activedescendant", `${state.list.id}-${state.at}`);
    state.list.children[state.at].scrollIntoView({ block: "nearest" });
  } else state.field.removeAttribute("aria-activedescendant");
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
  } else if (event.key === "Escape" && !state.open) {
    hide(state);
    event.preventDefault();
  }
}

function take(state, at) {
  const item = state.items[at];
  if (item.run) item.run();
  else location.assign(item.href);
}

function hide(state) {
  clearTimeout(state.timer);
  state.items = [];
  state.at = -1;
  state.list.hidden = true;
  state.field.setAttribute("aria-expanded", "false");
  state.field.removeAttribute("aria-activedescendant");
}
