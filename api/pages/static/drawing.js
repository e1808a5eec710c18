// The whole brain on a canvas: drag to move, wheel or + and - to zoom, point to see a name, click to go.
const TONES = { broken: "--refuted", weakened: "--stale" };
const KINDS = { thesis: "--link", pov: "--link", reference: "--unverifiable", term: "--faint" };

export async function drawing(place) {
  const answer = await fetch(place.dataset.graph).catch(() => null);
  if (!answer?.ok) return;
  const graph = await answer.json();
  if (!graph.id.length) return;
  const canvas = document.createElement("canvas");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `Drawing of ${graph.id.length} nodes; the list below holds the best connected.`);
  const told = document.createElement("p");
  told.className = "told";
  told.hidden = true;
  place.replaceChildren(canvas, told);
  const view = { graph, canvas, told, place, zoom: 1, x: 500, y: 500, over: -1, drag: null, frame: 0 };
  place.append(tools(view));
  listen(view);
  const drawn = document.querySelector("[data-drawn]");
  if (drawn) drawn.textContent = "all of them";
  new ResizeObserver(() => paint(view)).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => paint(view));
}

function tools(view) {
  const bar = document.createElement("div");
  bar.className = "tools";
  for (const [sign, name, change] of [["+", "Zoom in", 1.4], ["−", "Zoom out", 1 / 1.4], ["○", "Show everything", 0]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", () => (change ? zoom(view, change) : reset(view)));
    bar.append(button);
  }
  return bar;
}

function listen(view) {
  const { canvas } = view;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    view.drag = { x: event.clientX, y: event.clientY, moved: 0 };
  });
  canvas.addEventListener("pointermove", (event) => (view.drag ? move(view, event) : point(view, event)));
  canvas.addEventListener("pointerup", (event) => {
    if (view.drag && view.drag.moved < 5) {
      point(view, event);
      if (view.over >= 0) location.assign(view.graph.base + view.graph.id[view.over]);
    }
    view.drag = null;
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(view, Math.exp(-event.deltaY / 400), event);
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "+" || event.key === "=") zoom(view, 1.4);
    else if (event.key === "-") zoom(view, 1 / 1.4);
    else if (event.key === "0") reset(view);
    else if (step) shift(view, (step[0] * 60) / view.zoom, (step[1] * 60) / view.zoom);
    else return;
    event.preventDefault();
  });
}

const scale = (view) => (view.canvas.clientHeight / 1240) * view.zoom;
const across = (view) => Math.max(1, Math.min(1.4, view.canvas.clientWidth / view.canvas.clientHeight));

function onto(view, x, y) {
  const s = scale(view);
  const stretch = across(view);
  return [(x - view.x) * s * stretch + view.canvas.clientWidth / 2, (y - view.y) * s + view.canvas.clientHeight / 2];
}

function move(view, event) {
  const s = scale(view);
  const [dx, dy] = [event.clientX - view.drag.x, event.clientY - view.drag.y];
  view.drag = { x: event.clientX, y: event.clientY, moved: view.drag.moved + Math.abs(dx) + Math.abs(dy) };
  shift(view, -dx / s / across(view), -dy / s);
}

function shift(view, dx, dy) {
  view.x += dx;
  view.y += dy;
  paint(view);
}

function zoom(view, change, event) {
  const next = Math.min(40, Math.max(0.5, view.zoom * change));
  if (event) {
    const box = view.canvas.getBoundingClientRect();
    const s = scale(view);
    const [px, py] = [(event.clientX - box.left - box.width / 2) / s / across(view), (event.clientY - box.top - box.height / 2) / s];
    const keep = 1 - view.zoom / next;
    view.x += px * keep;
    view.y += py * keep;
  }
  view.zoom = next;
  paint(view);
}

function reset(view) {
  Object.assign(view, { zoom: 1, x: 500, y: 500 });
  paint(view);
}

function point(view, event) {
  const box = view.canvas.getBoundingClientRect();
  const [px, py] = [event.clientX - box.left, event.clientY - box.top];
  let best = 14 * 14;
  let over = -1;
  view.graph.x.forEach((x, at) => {
    const [ax, ay] = onto(view, x, view.graph.y[at]);
    const distance = (ax - px) ** 2 + (ay - py) ** 2;
    if (distance < best) [best, over] = [distance, at];
  });
  if (over === view.over) return;
  view.over = over;
  view.canvas.style.cursor = over < 0 ? "grab" : "pointer";
  view.told.hidden = over < 0;
  view.told.textContent = over < 0 ? "" : `${view.graph.title[over]} (${view.graph.kind[over]}, ${view.graph.health[over]})`;
  paint(view);
}

function paint(view) {
  cancelAnimationFrame(view.frame);
  view.frame = requestAnimationFrame(() => draw(view));
}

function draw(view) {
  const { canvas, graph } = view;
  const ratio = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const pen = canvas.getContext("2d");
  const style = getComputedStyle(canvas);
  const tone = (name) => style.getPropertyValue(name).trim();
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  const places = graph.x.map((x, at) => onto(view, x, graph.y[at]));
  lines(pen, graph.links, places, tone("--line"));
  spots(view, pen, places, tone);
  labels(view, pen, places, tone);
}

function lines(pen, links, places, colour) {
  pen.strokeStyle = colour;
  pen.lineWidth = links.length > 2000 ? 0.4 : 0.8;
  pen.beginPath();
  for (let at = 0; at < links.length; at += 2) {
    pen.moveTo(...places[links[at]]);
    pen.lineTo(...places[links[at + 1]]);
  }
  pen.stroke();
}

function spots(view, pen, places, tone) {
  const { graph } = view;
  const groups = new Map();
  places.forEach((_, at) => {
    const name = TONES[graph.health[at]] || KINDS[graph.kind[at]] || "--soft";
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(at);
  });
  for (const [name, group] of groups) {
    pen.fillStyle = tone(name);
    pen.beginPath();
    for (const at of group) circle(pen, places[at], radius(view, at));
    pen.fill();
  }
  pen.strokeStyle = tone("--refuted");
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (const at of groups.get("--refuted") || []) circle(pen, places[at], radius(view, at) + 2.5);
  pen.stroke();
  if (view.over >= 0) {
    pen.strokeStyle = tone("--ink");
    pen.lineWidth = 2;
    pen.beginPath();
    circle(pen, places[view.over], radius(view, view.over) + 2);
    pen.stroke();
  }
}

const radius = (view, at) => Math.min(9, ((view.graph.id.length > 60 ? 1.6 : 4) + 0.45 * Math.sqrt(view.graph.degree[at])) * Math.sqrt(view.zoom));

function circle(pen, [x, y], r) {
  pen.moveTo(x + r, y);
  pen.arc(x, y, r, 0, 7);
}

// Names appear as one comes near, the best connected first, and never over one another.
function labels(view, pen, places, tone) {
  const [width, height] = [view.canvas.clientWidth, view.canvas.clientHeight];
  const inside = places.map((_, at) => at).filter((at) => places[at][0] > 0 && places[at][0] < width && places[at][1] > 0 && places[at][1] < height);
  inside.sort((a, b) => view.graph.degree[b] - view.graph.degree[a]);
  const taken = [];
  pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  pen.fillStyle = tone("--ink");
  pen.strokeStyle = tone("--raised");
  pen.lineWidth = 3;
  pen.textAlign = "center";
  for (const at of inside.slice(0, 12 + 40 * Math.log2(view.zoom + 1))) {
    const title = view.graph.title[at];
    const text = title.length > 38 ? `${title.slice(0, 37)}…` : title;
    const half = pen.measureText(text).width / 2;
    const x = Math.max(half + 4, Math.min(width - half - 4, places[at][0]));
    const y = places[at][1] - radius(view, at) - 5;
    if (taken.some(([l, r, t]) => x - half < r + 8 && x + half > l - 8 && Math.abs(t - y) < 17)) continue;
    taken.push([x - half, x + half, y]);
    pen.strokeText(text, x, y);
    pen.fillText(text, x, y);
  }
}
