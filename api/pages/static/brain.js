// A little more comfort where scripts run: every page is complete without it.
import { offer } from "./offers.js";
import { palette } from "./palette.js";
import { previews } from "./previews.js";
import { sliders } from "./sliders.js";
import { drawing } from "./drawing.js";

for (const field of document.querySelectorAll("input[data-suggest]")) offer(field);
for (const form of document.querySelectorAll("form[data-own]")) sliders(form);
for (const place of document.querySelectorAll("[data-graph]")) drawing(place);
previews(document);

const narrow = matchMedia("(max-width: 62rem)");
if (narrow.matches) for (const fold of document.querySelectorAll("details.fold")) fold.open = false;

palette();

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
