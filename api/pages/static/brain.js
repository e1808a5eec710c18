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
  if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !typing) step(event);
});

// Up and down walk through the results of a list.
function step(event) {
  const links = [...document.querySelectorAll(".entry h3 a")];
  const at = links.indexOf(document.activeElement);
  const next = links[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (links.length && (at >= 0 || event.key === "ArrowDown") && next) {
    event.preventDefault();
    next.focus();
  }
}
