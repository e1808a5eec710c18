// Painting the graph. Links and nodes are painted once for a view and kept; what is lit is painted above them.
const HEALTHS = { sound: "--holds", weakened: "--stale", broken: "--refuted" }; // the colour says the health, the shape the kind
const SHAPES = { thesis: "circle", pov: "circle", reference: "diamond", term: "triangle" };
const LINES = {
  disputes: { tone: "--refuted", dash: [6, 3], width: 1.4, faint: 1 },
  supports: { tone: "--link", dash: [], width: 1, faint: 0.75 },
  cites: { tone: "--soft", dash: [1.5, 3], width: 1, faint: 0.8 },
  terms: { tone: "--faint", dash: [], width: 0.6, faint: 0.45 },
};
const MANY = 1500; // with more links than this, none is dotted, and a moving view is stretched and painted when it rests
const PART = 200; // links in a path: many short paths are painted faster than a long one
export const PAD = 34; // pixels around the drawing, for the names at its edges
const NARROW = 500; // pixels of a canvas that fingers use
const RINGS = [0, 16, 34, 56, 80, 110]; // pixels from a node to its name: where it is not next to it, a line leads to it
const WAYS = [[0, -1], [0, 1], [1, 0], [-1, 0], [0.35, -1], [-0.35, -1], [0.35, 1], [-0.35, 1], [0.7, -1], [-0.7, -1], [0.7, 1], [-0.7, 1], [1, -0.6], [-1, -0.6], [1, 0.6], [-1, 0.6]];
const COUNTED = 600; // with more links than this, a name may lie on any number of them
const STRETCH = 1.6; // how much more one axis may be stretched than the other

// How the graph lies on the canvas: a node is at (x * sx + left, y * sy + top), in CSS pixels.
export function place(view) {
  const { canvas, graph, zoom } = view;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const down = width < NARROW ? 34 : 20; // below the buttons
  const fit = [(width - 2 * PAD) / graph.size[0], (height - 2 * PAD - down) / graph.size[1]];
  const least = Math.min(...fit);
  const [sx, sy] = fit.map((one) => Math.min(one, STRETCH * least) * zoom);
  return { sx, sy, left: width / 2 - view.x * sx, top: (height + down) / 2 - view.y * sy, width, height, down };
}

export function radius(view, at) {
  const { id, degree, number } = view.graph;
  const narrow = view.canvas.clientWidth < NARROW;
  if (number[at]) return narrow ? 12 : 10;
  const least = id.length > 1000 ? 1.1 : id.length > 120 ? 1.8 : 3;
  return Math.min(11, (least + 0.45 * Math.sqrt(degree[at])) * Math.sqrt(Math.min(view.zoom, 9)));
}

export function paint(view) {
  const { canvas, graph } = view;
  const ratio = Math.min(2, devicePixelRatio || 1);
  const at = place(view);
  size(canvas, at.width * ratio, at.height * ratio);
  const tone = tones(canvas);
  const scene = { view, graph, at, ratio, tone, pen: canvas.getContext("2d"), xs: graph.x.map((x) => x * at.sx + at.left), ys: graph.y.map((y) => y * at.sy + at.top) };
  const { pen } = scene;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  const dimmed = view.lit >= 0 || view.matches;
  pen.globalAlpha = dimmed ? 0.2 : 1;
  ground(scene);
  pen.globalAlpha = 1;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (view.lit >= 0) lit(scene);
  else if (view.matches) spots(scene, view.matches);
  numbers(scene);
  labels(scene, named(scene));
}

function size(canvas, width, height) {
  if (canvas.width !== Math.round(width)) canvas.width = Math.round(width);
  if (canvas.height !== Math.round(height)) canvas.height = Math.round(height);
}

function tones(canvas) {
  const style = getComputedStyle(canvas);
  const known = new Map();
  return (name) => {
    if (!known.has(name)) known.set(name, style.getPropertyValue(name).trim());
    return known.get(name);
  };
}

// All links and nodes without what is lit: kept, and painted again when the view or the colours have changed.
function ground(scene) {
  const { view, at, ratio, tone, pen } = scene;
  const known = view.ground;
  const look = [at.width, at.height, ratio, tone("--paper")].join(" ");
  const same = known && known.look === look;
  const still = same && ["sx", "sy", "left", "top"].every((name) => known.at[name] === at[name]);
  if (!still && same && scene.graph.link_group.length > MANY && performance.now() - view.moving < 150) {
    const [wide, tall] = [at.sx / known.at.sx, at.sy / known.at.sy];
    const [left, top] = [at.left - known.at.left * wide, at.top - known.at.top * tall];
    pen.drawImage(known.canvas, left * ratio, top * ratio, known.canvas.width * wide, known.canvas.height * tall);
    clearTimeout(view.rest);
    view.rest = setTimeout(() => requestAnimationFrame(() => paint(view)), 160);
    return;
  }
  if (!still) view.ground = { look, at, canvas: painted(scene, known?.canvas || document.createElement("canvas")) };
  pen.drawImage(view.ground.canvas, 0, 0);
}

function painted(scene, canvas) {
  const { at, ratio, graph } = scene;
  size(canvas, at.width * ratio, at.height * ratio);
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, at.width, at.height);
  const below = { ...scene, pen };
  const groups = graph.link_groups.map(() => []);
  graph.link_group.forEach((group, link) => inside(scene, link) && groups[group].push(link));
  const many = graph.link_group.length > MANY;
  for (let group = groups.length - 1; group >= 0; group -= 1) lines(below, groups[group], group, { many });
  spots(below, graph.order);
  return canvas;
}

// A link outside the canvas on one side is not painted.
function inside({ graph, xs, ys, at }, link) {
  const [one, two] = [graph.links[2 * link], graph.links[2 * link + 1]];
  return !((xs[one] < 0 && xs[two] < 0) || (ys[one] < 0 && ys[two] < 0) || (xs[one] > at.width && xs[two] > at.width) || (ys[one] > at.height && ys[two] > at.height));
}

function lines(scene, links, group, { many = false, strong = false } = {}) {
  const { pen, graph, xs, ys, tone } = scene;
  const { name } = graph.link_groups[group];
  const line = LINES[name];
  pen.strokeStyle = tone(line.tone);
  pen.setLineDash(many && name === "cites" ? [] : line.dash);
  pen.lineWidth = strong ? line.width + 1 : many ? line.width * 0.7 : line.width;
  pen.globalAlpha = strong ? 1 : many ? line.faint * 0.6 : line.faint;
  for (let from = 0; from < links.length; from += PART) {
    pen.beginPath();
    for (const link of links.slice(from, from + PART)) {
      const [one, two] = [graph.links[2 * link], graph.links[2 * link + 1]];
      pen.moveTo(xs[one], ys[one]);
      pen.lineTo(xs[two], ys[two]);
    }
    pen.stroke();
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

// Nodes in the shape of their kind and the colour of their health: what is in doubt and numbered, or broken, has a ring as well, what is unchecked is hollow.
function spots(scene, nodes) {
  const { view, pen, graph, xs, ys, at: { width, height }, tone } = scene;
  const groups = new Map();
  for (const at of nodes) {
    if (xs[at] < -12 || ys[at] < -12 || xs[at] > width + 12 || ys[at] > height + 12) continue;
    const name = HEALTHS[graph.health[at]] || "--raised";
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(at);
  }
  pen.lineWidth = 1.3;
  for (const [name, group] of groups) {
    pen.fillStyle = tone(name);
    outline(scene, group, 0);
    pen.fill();
    if (name === "--holds") continue;
    pen.strokeStyle = tone(name === "--raised" ? "--soft" : name);
    if (name === "--raised") outline(scene, group, 0);
    else outline(scene, group.filter((at) => graph.number[at] || name === "--refuted"), 2.5);
    pen.stroke();
  }
}

function outline({ view, pen, graph, xs, ys }, nodes, more) {
  pen.beginPath();
  for (const at of nodes) {
    const [x, y, r, shape] = [xs[at], ys[at], radius(view, at) + more, SHAPES[graph.kind[at]] || "square"];
    if (shape === "circle") {
      pen.moveTo(x + r, y);
      pen.arc(x, y, r, 0, 7);
    } else if (shape === "square") pen.rect(x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r);
    else {
      const corners = shape === "diamond" ? [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]] : [[0, -1.3], [1.2, 0.9], [-1.2, 0.9]];
      corners.forEach(([right, down], corner) => pen[corner ? "lineTo" : "moveTo"](x + right * r, y + down * r));
      pen.closePath();
    }
  }
}

// The numbers of the list below, in the dots of the notes that pass the filters.
function numbers(scene) {
  const { pen, graph, xs, ys, tone } = scene;
  pen.font = `600 11px ${getComputedStyle(document.body).fontFamily}`;
  pen.textAlign = "center";
  graph.number.forEach((number, at) => {
    pen.fillStyle = tone(HEALTHS[graph.health[at]] ? "--paper" : "--ink");
    if (number) pen.fillText(number, xs[at], ys[at] + 4);
  });
}

// The lit node, its links by kind, and its neighbours.
function lit(scene) {
  const { view, graph, pen, xs, ys, tone } = scene;
  const near = graph.near[view.lit];
  for (let group = graph.link_groups.length - 1; group >= 0; group -= 1) {
    lines(scene, near.filter(([, link]) => graph.link_group[link] === group).map(([, link]) => link), group, { strong: true });
  }
  spots(scene, [view.lit, ...near.map(([other]) => other)]);
  pen.strokeStyle = tone("--ink");
  pen.lineWidth = 2;
  outline(scene, [view.lit], 4);
  pen.stroke();
}

// Whose names are shown: the lit node and its neighbours, or what was found; of the whole drawing what has no number and is in doubt or at the end of a dispute, and when one zooms in what passes, then all; without numbers the best connected.
function named({ view, graph }) {
  if (view.lit >= 0) return [view.lit, ...graph.near[view.lit].map(([other]) => other).sort((a, b) => graph.degree[b] - graph.degree[a])];
  if (view.matches) return [...view.matches];
  if (!graph.narrowed) return graph.order;
  if (view.zoom > 1) return [...graph.order.filter((at) => graph.passes[at]), ...graph.order.filter((at) => !graph.passes[at])];
  const doubtful = (at) => graph.health[at] === "broken" || graph.health[at] === "weakened";
  const disputed = (at) => graph.near[at].some(([, link]) => graph.link_groups[graph.link_group[link]].name === "disputes");
  const others = graph.order.filter((at) => !graph.number[at]);
  return [...others.filter(doubtful), ...others.filter((at) => !doubtful(at) && disputed(at))];
}

// Names cover neither each other nor a node. Of the whole drawing they stand next to their node and cover no link either (the numbers name the others); what is lit or found may have its name further off, with a line to it. More appear as one zooms in.
function labels(scene, nodes) {
  const { view, graph, pen, xs, ys, at: { width, height }, tone } = scene;
  const most = (width / (width < NARROW ? 45 : 42)) * Math.log2(view.zoom + 1) + (view.lit >= 0 ? 12 : 0);
  const dots = (view.lit >= 0 ? nodes : graph.order).filter((at) => inView(around(xs[at], ys[at], 0, 0), width, height));
  const taken = [[width - 165, 0, width, 2 * PAD], ...dots.map((at) => around(xs[at], ys[at], radius(view, at), radius(view, at)))]; // the buttons, the nodes
  const links = graph.link_group.length > COUNTED ? [] : graph.link_group.map((_, link) => [graph.links[2 * link], graph.links[2 * link + 1]]);
  pen.font = `${width < NARROW ? 11 : 12}px ${getComputedStyle(document.body).fontFamily}`;
  pen.textAlign = "center";
  const names = [];
  const calm = view.lit < 0 && !view.matches;
  let tried = 0;
  for (const at of nodes) {
    if (xs[at] < 0 || ys[at] < 0 || xs[at] > width || ys[at] > height) continue;
    if (names.length >= most || (tried += 1) > 4 * most + 20) break;
    const lines = folded(graph.title[at], width < NARROW ? 17 : 26);
    const half = Math.max(...lines.map((line) => pen.measureText(line).width)) / 2;
    const [far, tall] = [radius(view, at) + 4, 7.5 * lines.length];
    let [best, least] = [null, Infinity];
    for (const ring of calm ? [0] : RINGS) {
      if (least <= ring) break;
      for (const [x, y] of WAYS) {
        const middle = [xs[at] + x * (half + far + ring), ys[at] + y * (tall + far + ring)];
        const box = around(...middle, half, tall);
        if (!inView(box, width, height) || taken.some((other) => meet(box, other))) continue;
        const over = links.filter(([one, two]) => crosses(xs[one], ys[one], xs[two], ys[two], around(...middle, half + 3, tall + 2))).length;
        if (calm && over) continue;
        if (ring + 14 * over < least) [best, least] = [box, ring + 14 * over];
      }
    }
    if (!best) continue;
    taken.push(best);
    leader(scene, at, best, far);
    names.push([best, lines]);
  }
  for (const [[left, top, right, bottom], lines] of names) {
    pen.fillStyle = tone("--raised");
    pen.fillRect(left - 3, top - 1, right - left + 6, bottom - top + 2);
    pen.fillStyle = tone("--ink");
    lines.forEach((line, number) => pen.fillText(line, (left + right) / 2, top + 11.5 + 15 * number));
  }
}

// A thin line from a node to its name, unless they touch.
function leader({ pen, xs, ys, tone }, at, [left, top, right, bottom], far) {
  const [x, y] = [Math.min(right, Math.max(left, xs[at])), Math.min(bottom, Math.max(top, ys[at]))];
  const distance = Math.hypot(x - xs[at], y - ys[at]);
  if (distance < far + 6) return;
  pen.lineWidth = 1;
  pen.strokeStyle = tone("--soft");
  pen.beginPath();
  pen.moveTo(xs[at] + ((x - xs[at]) * (far - 3)) / distance, ys[at] + ((y - ys[at]) * (far - 3)) / distance);
  pen.lineTo(x, y);
  pen.stroke();
}

// Whether a line passes through a box (the part of it inside, by Liang and Barsky, is not empty).
function crosses(x, y, toX, toY, [left, top, right, bottom]) {
  let [from, to] = [0, 1];
  for (const [step, room] of [[x - toX, x - left], [toX - x, right - x], [y - toY, y - top], [toY - y, bottom - y]]) {
    if (step === 0 && room < 0) return false;
    if (step < 0) from = Math.max(from, room / step);
    if (step > 0) to = Math.min(to, room / step);
  }
  return from < to;
}

const around = (x, y, wide, tall) => [x - wide, y - tall, x + wide, y + tall];
const meet = (one, two) => one[0] < two[2] + 5 && two[0] < one[2] + 5 && one[1] < two[3] + 4 && two[1] < one[3] + 4;
const inView = ([left, top, right, bottom], width, height) => left > 3 && top > 3 && right < width - 3 && bottom < height - 3;

// A title in lines of about so many letters and of about the same length, at most five.
function folded(title, letters) {
  let lines = broken(title, letters);
  for (let fewer = letters - 1; fewer > 8; fewer -= 1) {
    const other = broken(title, fewer);
    if (other.length > lines.length) break;
    lines = other;
  }
  return lines.length < 6 ? lines : [...lines.slice(0, 4), `${lines[4]} …`];
}

function broken(title, letters) {
  const lines = [""];
  for (const word of title.split(" ")) {
    if (lines.at(-1) && lines.at(-1).length + word.length >= letters) lines.push("");
    lines[lines.length - 1] = `${lines.at(-1)} ${word}`.trim();
  }
  return lines;
}
