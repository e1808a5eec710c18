// The graph on a canvas. Point at a node to light its neighbours, type to find one, drag, pinch and wheel to move.
import { PAD, paint, place, radius } from "./graph_paint.js";

const CLOSE = 14; // pixels within which a pointer touches a node
const FINGER = 26; // and a finger
const MOST = 60; // the greatest zoom
const TONES = { broken: "refuted", weakened: "stale", "out of date": "stale", sound: "holds", "rests on sound notes": "holds" };

for (const box of document.querySelectorAll("[data-graph]")) start(box);

async function start(box) {
  const answer = await fetch(box.dataset.graph).catch(() => null);
  if (!answer?.ok) return;
  const graph = indexed(await answer.json(), box);
  if (!graph.id.length) return;
  const canvas = document.createElement("canvas");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", `Drawing of ${graph.id.length} notes. Arrow keys go from note to note, Enter opens one.`);
  const about = document.createElement("p");
  about.className = "about";
  about.setAttribute("role", "status");
  about.hidden = true;
  box.replaceChildren(canvas, about);
  const view = { graph, canvas, about, zoom: 1, x: graph.middle[0], y: graph.middle[1], lit: -1, matches: null, pointers: new Map(), moved: 0, moving: 0, frame: 0 };
  box.append(tools(view));
  listen(view);
  finder(view, document.querySelector("[data-find]"));
  new ResizeObserver(() => later(view)).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => later(view));
}

// The neighbours of each node with the number of their link, the nodes in order (as they come; of all notes those that argue first), and the box that holds them all.
function indexed(graph, box) {
  graph.near = graph.id.map(() => []);
  for (let at = 0; at < graph.links.length; at += 2) {
    graph.near[graph.links[at]].push([graph.links[at + 1], at / 2]);
    graph.near[graph.links[at + 1]].push([graph.links[at], at / 2]);
  }
  const narrowed = graph.passes.includes(false);
  const argues = (at) => graph.kind[at] === "thesis" || graph.kind[at] === "pov";
  graph.order = graph.id.map((_, at) => at).sort((a, b) => (narrowed ? 0 : argues(b) - argues(a)) || a - b);
  graph.narrowed = narrowed;
  const blamed = new Set((box.dataset.blamed || "").split(" "));
  graph.blames = (at) => blamed.has(graph.id[at]);
  if (!narrowed) graph.number.fill(0); // the numbers of the list only where it lists what the drawing is about
  graph.columns = box.classList.contains("columns");
  if (!graph.columns) apart(graph, box);
  const ends = [graph.x, graph.y].map((values) => values.reduce(([low, high], one) => [Math.min(low, one), Math.max(high, one)], [Infinity, -Infinity]));
  graph.middle = ends.map(([low, high]) => (low + high) / 2);
  graph.size = ends.map(([low, high]) => Math.max(60, high - low));
  if (graph.columns) graph.middle = [500, 500];
  return graph;
}

// Nodes that lie on each other move apart, a little at a time, each looking only at the nodes of the cells around it.
function apart(graph, box) {
  const unit = 1000 / Math.max(100, Math.min(box.clientWidth, box.clientHeight) - 2 * PAD); // of the drawing, in a pixel
  const room = graph.id.map((_, at) => (radius({ graph, zoom: 1, canvas: box }, at) + 3) * unit);
  const even = Math.min(42, 480 / Math.sqrt(graph.x.length));
  const least = Math.max(even, 2 * Math.max(...room));
  for (let turn = graph.x.length > 2000 ? 6 : 40; turn > 0; turn -= 1) {
    const cells = new Map();
    graph.x.forEach((x, at) => {
      const cell = Math.floor(x / least) * 4096 + Math.floor(graph.y[at] / least);
      for (const step of [-4097, -4096, -4095, -1, 0, 1, 4095, 4096, 4097]) {
        for (const other of cells.get(cell + step) || []) push(graph, at, other, Math.max(even, room[at] + room[other]));
      }
      if (!cells.has(cell)) cells.set(cell, []);
      cells.get(cell).push(at);
    });
  }
}

function push({ x, y }, one, two, least) {
  const [dx, dy] = [x[two] - x[one] || 0.1, y[two] - y[one] || 0.1 * ((two % 3) - 1)];
  const distance = Math.hypot(dx, dy);
  if (distance >= least) return;
  const share = (least - distance) / distance / 4;
  x[one] -= dx * share;
  y[one] -= dy * share;
  x[two] += dx * share;
  y[two] += dy * share;
}

function tools(view) {
  const bar = document.createElement("div");
  bar.className = "tools";
  for (const [sign, name, change] of [["+", "Zoom in", 1.5], ["−", "Zoom out", 1 / 1.5], ["Reset", "Reset: show everything", 0]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", () => (change ? zoom(view, change) : reset(view)));
    bar.append(button);
  }
  return bar;
}

function later(view) {
  cancelAnimationFrame(view.frame);
  view.frame = requestAnimationFrame(() => paint(view));
}

function listen(view) {
  const { canvas, pointers } = view;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    view.moved = pointers.size > 1 ? 99 : 0;
  });
  canvas.addEventListener("pointermove", (event) => (pointers.has(event.pointerId) ? drag(view, event) : event.pointerType !== "touch" && light(view, touched(view, event))));
  canvas.addEventListener("pointerup", (event) => {
    if (pointers.delete(event.pointerId) && !pointers.size && view.moved < 6) tap(view, event);
  });
  canvas.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
  canvas.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && !pointers.size && light(view, -1));
  canvas.addEventListener("touchmove", (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
  canvas.addEventListener("touchend", (event) => event.cancelable && event.preventDefault()); // no click on what a tap has just shown there
  canvas.addEventListener("wheel", (event) => {
    const before = view.zoom;
    if (view.graph.columns && !event.ctrlKey) return; // a drawing as high as the window must not hold the page
    zoom(view, Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), event);
    if (view.zoom !== before) event.preventDefault(); // at the ends of the zoom the page scrolls
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => keys(view, event));
  canvas.addEventListener("blur", (event) => view.about.contains(event.relatedTarget) || light(view, -1));
  view.about.addEventListener("mousedown", (event) => event.preventDefault()); // a tap on its link leaves the focus, or it would be gone before the tap ends
}

// One pointer moves the drawing, two also zoom it about the point between them.
function drag(view, event) {
  const { pointers } = view;
  const before = [...pointers.values()];
  view.moving = performance.now();
  const [oldX, oldY] = pointers.get(event.pointerId);
  view.moved += Math.abs(event.clientX - oldX) + Math.abs(event.clientY - oldY);
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
  const after = [...pointers.values()];
  const [from, to] = [middle(before), middle(after)];
  const { sx, sy } = place(view);
  view.x -= (to[0] - from[0]) / sx;
  view.y -= (to[1] - from[1]) / sy;
  if (after.length > 1) zoom(view, spread(after) / Math.max(1, spread(before)), { clientX: to[0], clientY: to[1] });
  later(view);
}

const middle = (points) => [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
const spread = ([one, two]) => Math.hypot(one[0] - two[0], one[1] - two[1]);

// A click opens a node. A finger has no hover: its first tap lights a node, the second opens it.
function tap(view, event) {
  const at = touched(view, event);
  if (at >= 0 && (event.pointerType === "mouse" || at === view.lit)) open(view, at);
  else light(view, at);
}

function open(view, at) {
  location.assign(view.graph.base + view.graph.id[at]);
}

function touched(view, event) {
  const box = view.canvas.getBoundingClientRect();
  const { sx, sy, left, top } = place(view);
  const [px, py] = [event.clientX - box.left, event.clientY - box.top];
  const { graph } = view;
  for (const [at, { box: [x, y, right, foot] }] of view.boxes || []) if (px >= x && px <= right && py >= y && py <= foot) return at;
  let [best, found] = [Infinity, -1];
  for (let at = 0; at < graph.id.length; at += 1) {
    const distance = Math.hypot(graph.x[at] * sx + left - px, graph.y[at] * sy + top - py);
    if (distance < best && distance < Math.max(event.pointerType === "touch" ? FINGER : CLOSE, radius(view, at) + 3)) [best, found] = [distance, at];
  }
  return found;
}

function zoom(view, change, event) {
  const box = view.canvas.getBoundingClientRect();
  const { sx, sy, down } = place(view);
  const before = view.zoom;
  view.moving = performance.now();
  view.zoom = Math.min(MOST, Math.max(1, before * change));
  if (event) {
    const keep = 1 - before / view.zoom;
    view.x += ((event.clientX - box.left - box.width / 2) / sx) * keep;
    view.y += ((event.clientY - box.top - (box.height + down) / 2) / sy) * keep;
  }
  if (view.zoom === 1) [view.x, view.y] = view.graph.middle;
  view.canvas.classList.toggle("zoomed", view.zoom > 1);
  later(view);
}

function reset(view) {
  view.zoom = 0;
  zoom(view, 1);
}

// Arrow keys go to the nearest node in their direction, and begin at the best connected one.
function keys(view, event) {
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "+" || event.key === "=") zoom(view, 1.5);
  else if (event.key === "-") zoom(view, 1 / 1.5);
  else if (event.key === "0") reset(view);
  else if (event.key === "Enter" && view.lit >= 0) open(view, view.lit);
  else if (event.key === "Escape" && view.lit >= 0) light(view, -1);
  else if (way) show(view, view.lit < 0 ? view.graph.order[0] : towards(view, way));
  else return;
  event.preventDefault();
}

function towards(view, [dx, dy]) {
  const { graph, lit } = view;
  const { sx, sy } = place(view);
  let [best, found] = [Infinity, lit];
  for (let at = 0; at < graph.id.length; at += 1) {
    const [x, y] = [(graph.x[at] - graph.x[lit]) * sx, (graph.y[at] - graph.y[lit]) * sy];
    const [along, aside] = [x * dx + y * dy, Math.abs(x * dy - y * dx)];
    if (at !== lit && along > 0 && aside <= along && along + 2 * aside < best) [best, found] = [along + 2 * aside, at];
  }
  return found;
}

// Light a node, and bring it into view where it is outside.
function show(view, at, least = 1) {
  const { graph, canvas } = view;
  if (view.zoom < least) zoom(view, least / view.zoom);
  const { sx, sy, left, top } = place(view);
  const [x, y] = [graph.x[at] * sx + left, graph.y[at] * sy + top];
  if (least > 1 || x < 20 || y < 20 || x > canvas.clientWidth - 20 || y > canvas.clientHeight - 20) [view.x, view.y] = [graph.x[at], graph.y[at]];
  const high = onScreen(view, at);
  if (least === 1 && (high < 20 || high > innerHeight - 20)) scrollBy(0, high - innerHeight / 2);
  light(view, at);
}

function light(view, at) {
  if (at === view.lit) return;
  view.lit = at;
  view.canvas.style.cursor = at < 0 ? "" : "pointer";
  view.about.hidden = at < 0;
  if (at >= 0) describe(view, at);
  view.about.classList.toggle("above", at >= 0 && onScreen(view, at) > 0.65 * innerHeight);
  later(view);
}

// How far a node is below the top of the window.
function onScreen(view, at) {
  const { sy, top } = place(view);
  return view.canvas.getBoundingClientRect().top + view.graph.y[at] * sy + top;
}

function describe(view, at) {
  const { graph, about } = view;
  const link = document.createElement("a");
  link.href = graph.base + graph.id[at];
  link.textContent = graph.title[at];
  const counts = graph.link_groups.map((group, number) => [group.text, graph.near[at].filter(([, link]) => graph.link_group[link] === number).length]);
  const words = counts.filter(([, count]) => count).map(([text, count]) => `${text}: ${count}`);
  const pill = document.createElement("span");
  pill.className = `badge ${TONES[graph.health[at]] || "unseen"}`;
  pill.textContent = graph.health[at];
  const open = document.createElement("a");
  open.href = link.href;
  open.className = "open";
  open.textContent = "Open";
  open.setAttribute("aria-label", `Open ${graph.title[at]}`);
  about.replaceChildren(link, ` ${graph.kind[at]} `, pill, ` ${words.join("; ") || "no links"}. `, open);
}

// Find by typing: what matches stays lit, Enter goes from one match to the next.
function finder(view, field) {
  if (!field) return;
  const count = document.querySelector("[data-count]");
  const { graph } = view;
  const titles = graph.title.map((title) => title.toLowerCase());
  let turn = 0;
  const look = () => {
    const words = field.value.trim().toLowerCase();
    const found = words ? graph.order.filter((at) => titles[at].includes(words)) : null;
    view.matches = found && new Set(found);
    turn = 0;
    count.textContent = found ? `${found.length} ${found.length === 1 ? "note" : "notes"} found` : "";
    light(view, -1);
    later(view);
  };
  field.addEventListener("input", look);
  field.form.addEventListener("submit", (event) => {
    event.preventDefault();
    const found = [...(view.matches || [])];
    if (!found.length) return;
    show(view, found[turn % found.length], 3);
    view.canvas.scrollIntoView({ block: "nearest" });
    count.textContent = `${(turn % found.length) + 1} of ${found.length}`;
    turn += 1;
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && field.value) {
      field.value = "";
      look();
    }
  });
  if (field.value) look();
}
