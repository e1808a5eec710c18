// Previews: a card next to a link, on hover and on focus; Escape closes it. It never covers its link.
//
// data-preview="/previews/a/b /claim-previews/c"   cards of the server, one below the other
// data-preview="#quote-1"                          what this page has under that id
const known = new Map();
const GAP = 6, EDGE = 8;
let card = null;
let waiting = 0;

export function previews(root) {
  root.addEventListener("pointerover", (event) => event.pointerType !== "touch" && begin(event, 250));
  root.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && begin(event, 250));
  root.addEventListener("pointerout", (event) => leave(event));
  root.addEventListener("focusout", () => close());
  root.addEventListener("keydown", (event) => event.key === "Escape" && close());
}

function begin(event, delay) {
  const link = event.target.closest?.("[data-preview]");
  if (event.target.closest?.(".card")) return clearTimeout(waiting);
  if (!link || (card && card.owner === link)) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => show(link), delay);
}

function leave(event) {
  const link = event.target.closest?.("[data-preview], .card");
  if (!link) return;
  clearTimeout(waiting);
  const to = event.relatedTarget;
  if (!(to instanceof Element && to.closest(".card"))) waiting = setTimeout(close, 200);
}

async function show(link) {
  const parts = (await Promise.all(link.dataset.preview.split(" ").map(found))).filter(Boolean);
  if (!parts.length || !(link.matches(":hover") || link === document.activeElement)) return;
  close();
  card = document.createElement("div");
  card.className = "card";
  card.id = "preview";
  card.setAttribute("role", "tooltip");
  card.innerHTML = parts.join("<hr>"); // made by our own server, escaped there
  card.owner = link;
  card.named = link.getAttribute("title");
  link.removeAttribute("title"); // the browser would show it over the card
  document.body.append(card);
  link.setAttribute("aria-describedby", "preview");
  place(link);
}

async function found(address) {
  if (address[0] === "#") return copied(document.getElementById(address.slice(1)));
  if (!known.has(address)) {
    const answer = await fetch(address).catch(() => null);
    known.set(address, answer?.ok ? await answer.text() : "");
  }
  return known.get(address);
}

// A part of this page without ids and without its links back to the text.
function copied(part) {
  const copy = part?.cloneNode(true);
  for (const one of copy?.querySelectorAll("[id]") || []) one.removeAttribute("id");
  for (const one of copy?.querySelectorAll('a[href^="#in-"]') || []) one.remove();
  return copy?.innerHTML;
}

// Below the last line of the link, or above its first where there is more room; as high as fits there.
function place(link) {
  const lines = [...link.getClientRects()];
  const first = lines[0] || link.getBoundingClientRect();
  const last = lines.at(-1) || first;
  const above = first.top - GAP - EDGE;
  const below = document.documentElement.clientHeight - last.bottom - GAP - EDGE;
  const under = card.offsetHeight <= below || below >= above;
  card.style.maxHeight = `${Math.max(120, under ? below : above)}px`;
  const left = Math.min(under ? last.left : first.left, document.documentElement.clientWidth - card.offsetWidth - EDGE);
  const top = under ? last.bottom + GAP : first.top - card.offsetHeight - GAP;
  card.style.left = `${Math.max(EDGE, left) + window.scrollX}px`;
  card.style.top = `${top + window.scrollY}px`;
}

function close() {
  clearTimeout(waiting);
  if (card?.named) card.owner.setAttribute("title", card.named);
  card?.owner.removeAttribute("aria-describedby");
  card?.remove();
  card = null;
}
