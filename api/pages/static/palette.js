// The command palette: Ctrl-K, Cmd-K or / opens a dialog with suggestions of every kind and a few commands.
import { offer } from "./offers.js";

const COMMANDS = [
  ["Search", "/search"], ["Claims", "/claims"], ["Stale claims", "/claims?verdict=stale"], ["Prices", "/prices"], ["Changes", "/changes"], ["Terms", "/terms"], ["Tags", "/tags"],
  ["Sources", "/sources"], ["Runs", "/runs"], ["Errata", "/errata"], ["Record", "/record"], ["Graph", "/graph"], ["Check a text", "/proof"], ["About", "/about"],
].map(([text, href]) => ({ text, label: "go to", href }));
let dialog = null;

export function palette() {
  const find = document.querySelector("#find");
  if (find && matchMedia("(hover: hover) and (min-width: 40.01rem)").matches) find.placeholder = navigator.platform.startsWith("Mac") ? "Search (⌘ K)" : "Search (Ctrl K)";
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    const combination = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const slash = event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!combination && !slash) return;
    event.preventDefault();
    if (dialog?.open) dialog.close();
    else open();
  });
}

function open() {
  dialog ??= made();
  const before = document.activeElement;
  dialog.addEventListener("close", () => before?.focus?.(), { once: true });
  dialog.showModal(); // the browser keeps the focus inside, and Escape closes it
  dialog.field.value = "";
  dialog.field.focus();
  dialog.offers.refresh();
}

function made() {
  const box = document.createElement("dialog");
  box.className = "palette";
  box.setAttribute("aria-label", "Go to anything");
  const form = document.createElement("form");
  form.action = "/search";
  const field = document.createElement("input");
  Object.assign(field, { type: "search", name: "q", placeholder: "Claims, prices, terms, notes …", autocomplete: "off", spellcheck: false, maxLength: 300 });
  field.setAttribute("aria-label", "Search everything, or a command");
  form.append(field);
  box.append(form);
  box.addEventListener("click", (event) => event.target === box && box.close()); // the backdrop
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault(); // a search field would only be emptied
    box.close();
  });
  document.body.append(box);
  box.field = field;
  box.offers = offer(field, { commands, open: true });
  return box;
}

function commands(typed) {
  const start = typed.toLowerCase();
  return COMMANDS.filter(({ text }) => !start || (start.length > 1 && text.toLowerCase().split(" ").some((word) => word.startsWith(start))));
}
