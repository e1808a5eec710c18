// A little more comfort where scripts run: every page is complete without it.
import { offer } from "./offers.js";
import { previews } from "./previews.js";
import { sliders } from "./sliders.js";

for (const field of document.querySelectorAll("input[data-suggest]")) offer(field);
for (const form of document.querySelectorAll("form[data-own]")) sliders(form);
previews(document);

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const field = document.querySelector("input[data-first]") || document.querySelector("#find");
    event.preventDefault();
    field.focus();
    field.select();
  }
});

// On paper everything is open; the style sheet does this for browsers that know ::details-content.
const folded = [];
addEventListener("beforeprint", () => {
  folded.push(...document.querySelectorAll("details:not([open])"));
  for (const one of folded) one.open = true;
});
addEventListener("afterprint", () => {
  for (const one of folded.splice(0)) one.open = false;
});
