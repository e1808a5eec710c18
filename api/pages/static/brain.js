// A little more comfort where scripts run: every page is complete without it.
import { copies } from "./copy.js";
import { offer } from "./offers.js";
import { palette } from "./palette.js";
import { previews } from "./previews.js";
import { sliders } from "./sliders.js";

for (const field of document.querySelectorAll("input[data-suggest]")) offer(field);
for (const form of document.querySelectorAll("form[data-own]")) sliders(form);
previews(document);
copies(document);

palette();

// On paper everything is open; the style sheet does this for browsers that know ::details-content.
const folded = [];
addEventListener("beforeprint", () => {
  folded.push(...document.querySelectorAll("details:not([open])"));
  for (const one of folded) one.open = true;
});
addEventListener("afterprint", () => {
  for (const one of folded.splice(0)) one.open = false;
});

// From one result of a list to the next, where one of them has the focus; else the arrows scroll the page.
document.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const links = step ? [...document.querySelectorAll(".entry h3 a, .hit h3 a")] : [];
  const at = links.indexOf(document.activeElement);
  const next = at < 0 ? null : links[at + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
});
