// Previews: a card over a link, on hover and on focus; Escape closes it.
const known = new Map();
let card = null;
let waiting = 0;

export function previews(root) {
  root.addEventListener("pointerover", (event) => event.pointerType !== "touch" && begin(event, 250));
  root.addEventListener("focusin", (event) => begin(event, 400));
  root.addEventListener("pointerout", (event) => leave(event));
  root.addEventListener("focusout", () => close());
  root.addEventListener("keydown", (event) => event.key === "Escape" && close());
}

function begin(event, delay) {
  const link = event.target.closest?.("[data-preview]");
  if (!link || (card && card.owner === link)) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => show(link), delay);
}

function leave(event) {
  const link = event.target.closest?.("[data-preview], .card");
  if (!link) return;
  clearTimeout(waiting);
  const to = event.relatedTarget;
  if (!(to instanceof Element && to.closest(".card, [data-preview]"))) waiting = setTimeout(close, 150);
}

async function show(link) {
  const text = await fetched(link.dataset.preview);
  if (!text || !(link.matches(":hover") || link === document.activeElement)) return;
  close();
  card = document.createElement("div");
  card.className = "card";
  card.id = "preview";
  card.setAttribute("role", "tooltip");
  card.innerHTML = text; // made by our own server, escaped there
  card.owner = link;
  document.body.append(card);
  link.setAttribute("aria-describedby", "preview");
  place(link);
}

async function fetched(address) {
  if (!known.has(address)) {
    const answer = await fetch(address).catch(() => null);
    known.set(address, answer?.ok ? await answer.text() : "");
  }
  return known.get(address);
}

function place(link) {
  const at = link.getClientRects()[0] || link.getBoundingClientRect();
  const left = Math.min(at.left, document.documentElement.clientWidth - card.offsetWidth - 12);
  const below = at.bottom + card.offsetHeight + 12 < window.innerHeight;
  const top = below ? at.bottom + 6 : at.top - card.offsetHeight - 6;
  card.style.left = `${Math.max(8, left) + window.scrollX}px`;
  card.style.top = `${Math.max(8, top) + window.scrollY}px`;
}

function close() {
  clearTimeout(waiting);
  card?.owner.removeAttribute("aria-describedby");
  card?.remove();
  card = null;
}
