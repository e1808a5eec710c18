// Painting the graph. Links and nodes are painted once for a view and kept; what is lit is painted above them.
const HEALTHS = { sound: "--holds", "rests on sound notes": "--holds", weakened: "--stale", "out of date": "--stale", broken: "--refuted" }; // the colour says the health, the shape the kind
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
const SIDE = 110; // and at the sides of a wide one whose notes have their names
const NARROW = 500; // pixels of a canvas that fingers use
const FEW = 150; // of no more nodes the names are tried in several orders, at many places
const RINGS = [0, 5, 10]; // pixels from a node to its name, so that no line has to lead to it
const WAYS = Array.from({ length: 24 }, (_, step) => [Math.cos((step * Math.PI) / 12), Math.sin((step * Math.PI) / 12)]);
const COUNTED = 600; // with more links than this, a name may lie on any number of them, and lines have no arrows
const LEADING = 14; // pixels of a line of a name
const HEAD = 7; // pixels of an arrow
const MARK = 18; // pixels from the left of a card to the middle of its number
const STRETCH = 1.6; // how much more one axis may be stretched than the other

// How the graph lies on the canvas: a node is at (x * sx + left, y * sy + top), in CSS pixels.
export function place(view) {
  const { canvas, graph, zoom } = view;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const narrow = width < NARROW;
  if (graph.columns) { // names at both sides, cards in the middle, all below the buttons
    const [down, card, tall] = [narrow ? 44 : 38, narrow ? 0.53 * width : Math.max(180, 0.21 * width), 26];
    const side = narrow ? 16 : (width - card) / 2 - 0.1 * width;
    const [sx, sy] = [((width - 2 * side) / 1000) * zoom, ((height - 2 * tall - down) / 1000) * zoom];
    return { sx, sy, left: width / 2 - view.x * sx, top: (height + down / zoom) / 2 - view.y * sy, width, height, down: down / zoom, card, side };
  }
  const down = narrow ? 34 : 20; // below the buttons
  const fit = [(width - 2 * (width > NARROW && graph.narrowed ? SIDE : PAD)) / graph.size[0], (height - 2 * PAD - down) / graph.size[1]];
  const least = Math.min(...fit);
  const [sx, sy] = fit.map((one) => Math.min(one, STRETCH * least) * zoom);
  return { sx, sy, left: width / 2 - view.x * sx, top: (height + down) / 2 - view.y * sy, width, height, down };
}

export function radius(view, at) {
  const { id, degree, number } = view.graph;
  const narrow = view.canvas.clientWidth < NARROW;
  if (number[at]) return narrow ? 12 : 10;
  if (view.graph.columns) return 6;
  const least = id.length > 1000 ? 1.1 : id.length > 120 ? 1.8 : narrow ? 4.5 : 3;
  return Math.min(11, (least + 0.45 * Math.sqrt(degree[at])) * Math.sqrt(Math.min(view.zoom, 9)));
}

export function paint(view) {
  const { canvas, graph } = view;
  const ratio = Math.min(2, devicePixelRatio || 1);
  const at = place(view);
  size(canvas, at.width * ratio, at.height * ratio);
  const tone = tones(canvas);
  const scene = { view, graph, at, ratio, tone, pen: canvas.getContext("2d"), xs: graph.x.map((x, node) => x * at.sx + at.left + (carded(graph, node) ? MARK - at.card / 2 : 0)), ys: graph.y.map((y) => y * at.sy + at.top) };
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
  const seen = named(scene);
  view.boxes = graph.columns ? beside(scene, seen) : labels(scene, seen);
  numbers(scene, graph.order.filter((node) => graph.number[node] && (!dimmed || seen.includes(node))));
}

// In columns the notes that a drawing is about are cards: a number and a name, with links at both sides.
const carded = (graph, at) => graph.columns && graph.passes[at];

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
  if (!still && same && scene.graph.link_group.length > MANY && moves(view)) {
    const [wide, tall] = [at.sx / known.at.sx, at.sy / known.at.sy];
    const [left, top] = [at.left - known.at.left * wide, at.top - known.at.top * tall];
    pen.drawImage(known.canvas, left * ratio, top * ratio, known.canvas.width * wide, known.canvas.height * tall);
    whenItRests(view);
    return;
  }
  if (!still) view.ground = { look, at, canvas: painted(scene, known?.canvas || document.createElement("canvas")) };
  pen.drawImage(view.ground.canvas, 0, 0);
}

const moves = (view) => performance.now() - view.moving < 150;
function whenItRests(view) {
  clearTimeout(view.rest);
  view.rest = setTimeout(() => requestAnimationFrame(() => paint(view)), 160);
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
  for (let group = groups.length - 1; group >= 0; group -= 1) {
    if (graph.columns) lines(below, groups[group].filter((link) => blames(graph, link)), group, { strong: true });
    lines(below, groups[group].filter((link) => !graph.columns || !blames(graph, link)), group, { many });
  }
  spots(below, graph.order);
  return canvas;
}

// Whether both ends of a link are in doubt: this is how doubt comes to a note.
const blames = (graph, link) => [0, 1].every((end) => doubtful(graph, graph.links[2 * link + end]));

// A link outside the canvas on one side is not painted.
function inside({ graph, xs, ys, at }, link) {
  const [one, two] = [graph.links[2 * link], graph.links[2 * link + 1]];
  return !((xs[one] < 0 && xs[two] < 0) || (ys[one] < 0 && ys[two] < 0) || (xs[one] > at.width && xs[two] > at.width) || (ys[one] > at.height && ys[two] > at.height));
}

function lines(scene, links, group, { many = false, strong = false } = {}) {
  const { pen, graph, tone } = scene;
  const { name } = graph.link_groups[group];
  const line = LINES[name];
  pen.strokeStyle = tone(line.tone);
  pen.setLineDash(many && name === "cites" ? [] : line.dash);
  pen.lineWidth = strong ? line.width + 1 : many ? line.width * 0.7 : line.width;
  pen.globalAlpha = strong ? 1 : many ? line.faint * 0.6 : line.faint;
  for (let from = 0; from < links.length; from += PART) {
    pen.beginPath();
    for (const link of links.slice(from, from + PART)) {
      const [x, y, toX, toY] = ends(scene, link);
      pen.moveTo(x, y);
      pen.lineTo(toX, toY);
    }
    pen.stroke();
  }
  pen.setLineDash([]);
  if (graph.link_group.length <= COUNTED) arrows(scene, links, line.tone);
  pen.globalAlpha = 1;
}

// Where a line begins and ends: in the middle of a mark, or at the side of a card.
function ends({ graph, xs, ys, at: { card } }, link) {
  const [one, two] = [graph.links[2 * link], graph.links[2 * link + 1]];
  const side = (from, to) => xs[from] + (!carded(graph, from) ? 0 : xs[to] < xs[from] ? -MARK : card - MARK);
  return [side(one, two), ys[one], side(two, one), ys[two]];
}

// A line ends at what it speaks of: the note that is built on, disputed or cited.
function arrows(scene, links, tone) {
  const { pen, graph } = scene;
  pen.fillStyle = scene.tone(tone);
  pen.beginPath();
  for (const link of links) {
    const two = graph.links[2 * link + 1];
    const [fromX, fromY, toX, toY] = ends(scene, link);
    const [dx, dy] = [toX - fromX, toY - fromY];
    const distance = Math.hypot(dx, dy);
    const far = carded(graph, two) ? 1 : radius(scene.view, two) + (graph.number[two] ? 4 : 2);
    if (distance < far + 2 * HEAD) continue;
    const [x, y, right, down] = [toX - (dx * far) / distance, toY - (dy * far) / distance, (dx * HEAD) / distance, (dy * HEAD) / distance];
    pen.moveTo(x, y);
    pen.lineTo(x - right - 0.45 * down, y - down + 0.45 * right);
    pen.lineTo(x - right + 0.45 * down, y - down - 0.45 * right);
  }
  pen.fill();
}

// Nodes in the shape of their kind and the colour of their health: what is in doubt has a ring as well, what is out of date, unchecked or mostly untested is hollow.
function spots(scene, nodes) {
  const { view, pen, graph, xs, ys, at: { width, height }, tone } = scene;
  const groups = new Map();
  for (const at of nodes) if (carded(graph, at)) card(scene, at);
  for (const at of nodes) {
    if (xs[at] < -12 || ys[at] < -12 || xs[at] > width + 12 || ys[at] > height + 12) continue;
    const key = `${graph.health[at]}${filled(graph, at) ? "" : "|"}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(at);
  }
  for (const [key, group] of groups) {
    const [word] = key.split("|");
    const full = word === key;
    const name = HEALTHS[word] || "--soft";
    pen.fillStyle = tone(full ? name : "--raised");
    outline(scene, group, 0);
    pen.fill();
    if (full && name === "--holds") continue;
    pen.lineWidth = !full && word in HEALTHS ? 2.2 : 1.3;
    pen.strokeStyle = tone(name);
    if (full) outline(scene, group, 2.5);
    pen.stroke();
  }
}

const filled = ({ health, pale }, at) => health[at] in HEALTHS && health[at] !== "out of date" && !pale[at];

function outline({ view, pen, graph, xs, ys }, nodes, more) {
  pen.beginPath();
  for (const at of nodes) {
    const [x, y, r, shape] = [xs[at], ys[at], radius(view, at) + more, SHAPES[graph.kind[at]] || "square"];
    if (shape === "circle") {
      pen.moveTo(x + r, y);
      pen.arc(x, y, r, 0, 7);
    } else if (shape === "square") pen.rect(Math.round(x - 0.88 * r), Math.round(y - 0.88 * r), Math.round(1.76 * r), Math.round(1.76 * r));
    else {
      const corners = shape === "diamond" ? [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]] : [[0, -1.3], [1.2, 0.9], [-1.2, 0.9]];
      corners.forEach(([right, down], corner) => pen[corner ? "lineTo" : "moveTo"](x + right * r, y + down * r));
      pen.closePath();
    }
  }
}

// The outline of a card, which is as high as its name.
function card(scene, at) {
  const { pen, tone } = scene;
  const { box: [left, top, right, bottom] } = column(scene, at);
  pen.beginPath();
  pen.roundRect(left, top, right - left, bottom - top, 6);
  pen.fillStyle = tone("--paper");
  pen.fill();
  pen.lineWidth = 1;
  pen.strokeStyle = tone("--line");
  pen.stroke();
}

// The lines of a name in a column and the box that a pointer finds: with its number in a card, else outside its mark; on a phone a mark is alone.
function column({ view, pen, graph, xs, ys, at: { width, card, side } }, at) {
  const [narrow, inner] = [width < NARROW, carded(graph, at)];
  const room = inner ? card - 2 * MARK - 4 : side - 22;
  pen.font = `${inner || doubtful(graph, at) ? "600 " : ""}${narrow ? 12 : 13}px ${getComputedStyle(document.body).fontFamily}`;
  const [{ lines, half, tall }] = shaped(view, pen, at, [room], inner ? 5 : 2);
  const left = graph.x[at] < 500;
  const x = xs[at] + (left && !inner ? -14 : inner ? MARK : 14);
  const high = Math.max(tall, 11) + (inner ? 4 : 0);
  const box = inner ? [xs[at] - MARK, ys[at] - high, xs[at] - MARK + card, ys[at] + high] : narrow ? around(xs[at], ys[at], 9, 9) : [left ? x - 2 * half : xs[at] - 8, ys[at] - high, left ? xs[at] + 8 : x + 2 * half, ys[at] + high];
  return { box, x, lines: narrow && !inner ? [] : lines, top: ys[at] - tall, align: left && !inner ? "right" : "left", font: pen.font };
}

// Names in columns, in place whatever is lit; gives the boxes of all.
function beside(scene, shown) {
  const { graph, pen, tone } = scene;
  const boxes = new Map(graph.order.map((at) => [at, column(scene, at)]));
  for (const at of graph.order) {
    const { x, lines, top, align, font } = boxes.get(at);
    pen.globalAlpha = shown.includes(at) ? 1 : 0.2;
    pen.font = font;
    pen.textAlign = align;
    pen.fillStyle = tone(carded(graph, at) || doubtful(graph, at) || scene.view.lit >= 0 ? "--ink" : "--soft");
    lines.forEach((line, number) => pen.fillText(line, x, top + 11 + LEADING * number));
  }
  pen.globalAlpha = 1;
  return boxes;
}

// The numbers of the list, in its dots.
function numbers(scene, nodes) {
  const { pen, graph, xs, ys, tone } = scene;
  pen.font = `600 11px ${getComputedStyle(document.body).fontFamily}`;
  pen.textAlign = "center";
  for (const at of nodes) {
    pen.fillStyle = tone(filled(graph, at) ? "--paper" : "--ink");
    pen.fillText(graph.number[at], xs[at], ys[at] + 4);
  }
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

// Whose names are shown: the lit node and its neighbours, or what was found; of the whole drawing what passes the filters, then what the list blames, what is in doubt or at the end of a dispute, and when one zooms in all; without filters the best connected.
function named({ view, graph }) {
  if (view.lit >= 0) return [view.lit, ...graph.near[view.lit].map(([other]) => other).sort((a, b) => graph.degree[b] - graph.degree[a])];
  if (view.matches) return [...view.matches];
  if (!graph.narrowed || graph.columns) return graph.order;
  const disputed = (at) => graph.near[at].some(([, link]) => graph.link_groups[graph.link_group[link]].name === "disputes");
  const others = graph.order.filter((at) => !graph.passes[at]);
  const marked = [graph.blames, (at) => !graph.blames(at) && doubtful(graph, at), (at) => !graph.blames(at) && !doubtful(graph, at) && disputed(at)].flatMap((which) => others.filter(which));
  return [...graph.order.filter((at) => graph.passes[at]), ...marked, ...(view.zoom > 1 ? others.filter((at) => !marked.includes(at)) : [])];
}

// Names cover neither each other nor a node nor, but for those with a number, a link of the whole drawing; each stands at the side of its node that is away from its neighbours. More appear as one zooms in. Gives the nodes that have theirs.
function labels(scene, nodes) {
  const { view, graph, pen, xs, ys, at: { width, height }, tone } = scene;
  const narrow = width < NARROW;
  const most = (width / (narrow ? 30 : graph.narrowed ? 24 : 42)) * Math.log2(view.zoom + 1) + (view.lit >= 0 ? 12 : 0);
  const dots = (view.lit >= 0 ? nodes : graph.order).filter((at) => inView(around(xs[at], ys[at], 0, 0), width, height));
  const taken = [[width - 165, 0, width, 2 * PAD], ...dots.map((at) => around(xs[at], ys[at], radius(view, at), radius(view, at)))]; // the buttons, the nodes
  const links = graph.link_group.length > COUNTED ? [] : graph.link_group.map((_, link) => [graph.links[2 * link], graph.links[2 * link + 1]]);
  const family = getComputedStyle(document.body).fontFamily;
  const calm = view.lit < 0 && !view.matches;
  const seen = nodes.filter((at) => xs[at] >= 0 && ys[at] >= 0 && xs[at] <= width && ys[at] <= height).slice(0, 4 * most + 20);
  const placed = (order) => {
    const [names, full] = [new Map(), [...taken]];
    for (const at of order) {
      if (names.size >= most) break;
      pen.font = `${graph.number[at] ? "600 " : ""}${narrow ? 11 : 12}px ${family}`;
      const name = nearest(scene, at, { calm, narrow, links, taken: full, dots });
      if (!name) continue;
      full.push(name.box);
      names.set(at, { ...name, font: pen.font });
    }
    return names;
  };
  let [names, order] = [new Map(), seen];
  const thorough = calm && dots.length <= FEW;
  if (thorough && moves(view)) whenItRests(view);
  for (let turn = thorough && !moves(view) ? 6 : 1; turn >= 0; turn -= 1) { // a name that found no room chooses before the others of its rank
    const tried = placed(order);
    const lacking = order.filter((at) => !tried.has(at));
    if (worth(graph, tried) > worth(graph, names)) names = tried;
    if (!lacking.length) break;
    order = [...order].sort((a, b) => rank(graph, a) - rank(graph, b) || lacking.includes(b) - lacking.includes(a));
  }
  for (const { box: [left, top, right, bottom], lines, side, font } of names.values()) {
    pen.font = font;
    pen.textAlign = ["right", "center", "left"][side + 1];
    pen.fillStyle = tone("--raised");
    pen.fillRect(left - 3, top - 1, right - left + 6, bottom - top + 2);
    pen.fillStyle = tone("--ink");
    lines.forEach((line, number) => pen.fillText(line, side ? (side > 0 ? left : right) : (left + right) / 2, top + 11 + LEADING * number));
  }
  return names;
}

// Names that are placed before others: of what the list has, of what is in doubt.
const doubtful = (graph, at) => ["broken", "weakened", "out of date"].includes(graph.health[at]);
const rank = (graph, at) => (graph.number[at] ? 0 : graph.blames(at) || doubtful(graph, at) ? 1 : 2);
const worth = (graph, names) => [...names.keys()].reduce((sum, at) => sum + [1000, 30, 1][rank(graph, at)], 0);

// A name in lines of some widths in pixels, with half its width and height; kept, because to measure text takes longest.
function shaped(view, pen, at, widths, most = 4) {
  const known = (view.shapes ??= new Map());
  const key = `${at} ${pen.font} ${widths}`;
  if (!known.has(key)) {
    known.set(key, widths.map((width) => {
      const lines = folded(pen, view.graph.title[at], width, most);
      return { lines, half: Math.max(...lines.map((line) => pen.measureText(line).width)) / 2, tall: (LEADING * lines.length) / 2 };
    }));
  }
  return known.get(key);
}

// The best place of a name: near its node, not near another, and away from the lines of its node.
function nearest({ view, graph, pen, xs, ys, at: { width, height } }, at, { calm, narrow, links, taken, dots }) {
  const far = radius(view, at) + 5;
  const own = graph.near[at].map(([other]) => Math.atan2(ys[other] - ys[at], xs[other] - xs[at]));
  const many = dots.length > FEW;
  const shapes = shaped(view, pen, at, narrow ? [150, 110, 85, 65] : many ? [120] : [190, 150, 120, 95]).filter(({ lines }) => !calm || many || !lines.at(-1).endsWith(" …"));
  if (!shapes.length) return null;
  const reach = far + RINGS.at(-1) + 2 * Math.max(...shapes.map(({ half, tall }) => Math.max(half, tall)));
  const region = around(xs[at], ys[at], reach, reach); // only what lies in it can be in the way
  const [full, close] = [taken.filter((box) => meet(region, box)), dots.filter((dot) => dot !== at && gap(region, xs[dot], ys[dot]) === 0)];
  const passing = links.filter(([one, two]) => crosses(xs[one], ys[one], xs[two], ys[two], region));
  let [best, least] = [null, Infinity];
  for (const ring of RINGS) {
    if (least <= ring) break;
    for (const [right, down] of WAYS) {
      const angle = Math.atan2(down, right);
      const aside = Math.min(Math.PI, ...own.map((one) => Math.abs(Math.PI - Math.abs(Math.PI - Math.abs(angle - one)))));
      for (const { lines, half, tall } of shapes) {
        const [toSide, toFoot] = [right, down].map((one) => Math.max(-1, Math.min(1, 1.6 * one)));
        const [x, y] = [xs[at] + right * (far + ring) + toSide * half, ys[at] + down * (far + ring) + toFoot * tall];
        const box = around(x, y, half, tall);
        if (!inView(box, width, height) || full.some((other) => meet(box, other))) continue;
        const wider = around(x, y, half + 3, tall + 2);
        const under = ([one, two]) => crosses(xs[one], ys[one], xs[two], ys[two], wider);
        if (calm && !graph.number[at] && passing.some(under)) continue;
        const over = passing.filter(under).length;
        const foreign = close.filter((dot) => gap(box, xs[dot], ys[dot]) - radius(view, dot) < ring + 6).length;
        const cost = ring + 14 * over + 5 * foreign + 6 * (1 - Math.min(1, aside)) + 6 * (lines.length > 3) + 40 * lines.at(-1).endsWith(" …");
        if (cost < least) [best, least] = [{ box, lines, side: Math.abs(toSide) < 0.6 ? 0 : Math.sign(toSide) }, cost];
      }
    }
  }
  return best;
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

const gap = ([left, top, right, bottom], x, y) => Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
const around = (x, y, wide, tall) => [x - wide, y - tall, x + wide, y + tall];
const meet = (one, two) => one[0] < two[2] + 5 && two[0] < one[2] + 5 && one[1] < two[3] + 4 && two[1] < one[3] + 4;
const inView = ([left, top, right, bottom], width, height) => left > 8 && top > 8 && right < width - 8 && bottom < height - 8;

// A title in lines of about the same length, no wider than so many pixels; what is more than `most` lines is cut.
function folded(pen, title, width, most) {
  let lines = broken(pen, title, width);
  for (let less = width - 6; less > 50; less -= 6) {
    const other = broken(pen, title, less);
    if (other.length > lines.length) break;
    lines = other;
  }
  if (lines.length <= most) return lines;
  const words = broken(pen, title, width).slice(most - 1).join(" ").split(" ");
  while (words.length > 1 && pen.measureText(`${words.join(" ")} …`).width > width) words.pop();
  return [...broken(pen, title, width).slice(0, most - 1), `${words.join(" ")} …`];
}

function broken(pen, title, width) {
  const lines = [""];
  for (const word of title.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (lines.at(-1) && pen.measureText(longer).width > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
