// The SVG elements of a tree.
const SVG = "http://www.w3.org/2000/svg";
// What an op does, guessed from its name: it only selects the colour of its title, as in other viewers of models.
const FAMILIES = [
  ["data", /const|placeholder|parameter|^pd_op\.(data|feed|full)|^feed$|^fetch$|variable/i],
  ["shape", /shape|transpose|concat|slice|gather|split|squeeze|expand|pad\b|flatten|cast|stack|tile|identity|quantize/i],
  ["norm", /norm|bias|dropout/i],
  ["activation", /relu|sigmoid|tanh|softmax|gelu|swish|silu|elu|logistic|hard|erf|clip/i],
  ["pool", /pool|reduce|mean|max$|argm/i],
  ["layer", /conv|matmul|gemm|fully_?connected|linear|mul\b.*mat|lstm|gru|rnn|attention|embedding|einsum|dense/i],
  ["control", /if$|^if|while|loop|scan|call|cond|switch|merge/i],
];

function familyOf(op) {
  return (FAMILIES.find(([, pattern]) => pattern.test(op)) || ["other"])[0];
}

function element(name, attributes = {}, ...inner) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== "") made.setAttribute(key, value);
  made.append(...inner);
  return made;
}

// Fills a group with the drawing of a tree, and the map with its outline.
function draw(tree, group, map) {
  const frames = element("g"), arrows = element("g", { class: "arrows", "aria-hidden": "true" });
  const labels = element("g", { class: "types", "aria-hidden": "true" }), cards = element("g");
  for (const arrow of tree.arrows) drawArrow(arrow, arrows, labels);
  const outlines = [];
  for (const item of tree.items.values()) {
    item.element = item.isOpen ? drawFrame(tree, item) : drawCard(tree, item);
    (item.isOpen ? frames : cards).append(item.element);
    // Arrows enter a frame through its title, which stays readable above them.
    if (item.isOpen) labels.append(text(item.x + TEXT.pad, item.y + 19, tree.title(item), "frame-title"));
    if (item.type) labels.append(text(item.x + item.w / 2, item.y + item.h + 15, item.type, "type"));
    if (!item.isOpen) outlines.push(`M${round(item.x)} ${round(item.y)}h${round(item.w)}v${round(item.h)}h${-round(item.w)}z`);
  }
  group.replaceChildren(frames, arrows, labels, cards);
  map.setAttribute("viewBox", `0 0 ${tree.root.w || 1} ${tree.root.h || 1}`);
  map.querySelector(".outline").setAttribute("d", outlines.join(""));
  const marked = [...tree.items.values()].filter((item) => item.box.found.size && !item.isOpen);
  map.querySelector(".failing").setAttribute("d", marked.map(({ x, y, w, h }) => `M${x} ${y}h${w}v${h}h${-w}z`).join(""));
}

function drawArrow({ path, to, edges }, arrows, labels) {
  const tensors = edges.reduce((sum, edge) => sum + edge.count, 0);
  const isEnd = edges.some((edge) => edge.to === to);
  const names = [...new Set(edges.flatMap((edge) => [...edge.tensors]))];
  const types = [...new Set(edges.flatMap((edge) => [...edge.types]))].filter(Boolean);
  const hint = `${tensors > 1 ? `${tensors} tensors: ` : ""}${names.slice(0, 5).join(", ")} ${types.slice(0, 5).join(", ")}`;
  const isBack = path[0][1] > path[path.length - 1][1];
  // A control input of TensorFlow only states an order.
  const isControl = names.length > 0 && names.every((name) => name.startsWith("^"));
  const line = element("path", {
    d: curve(path), class: isBack ? "back" : isControl ? "control" : "", "marker-end": isEnd ? "url(#arrow)" : "",
  });
  line.append(element("title", {}, hint.trim()));
  arrows.append(line);
  // Where a giver has outputs of several types, each type stands at the end of its arrow.
  if (isEnd && types.length === 1 && !edges[0].from.type) {
    const [x, y] = path[path.length - 1];
    labels.append(text(x, y - 12, cut(types[0], 24), "type"));
  }
}

function curve(path) {
  let [before, d] = [path[0], `M${round(path[0][0])} ${round(path[0][1])}`];
  for (const [x, y] of path.slice(1)) {
    const middle = round((before[1] + y) / 2);
    d += Math.abs(x - before[0]) < 0.5 ? `L${round(x)} ${round(y)}`
      : `C${round(before[0])} ${middle} ${round(x)} ${middle} ${round(x)} ${round(y)}`;
    before = [x, y];
  }
  return d;
}

function round(number) {
  return Math.round(number * 10) / 10;
}

function text(x, y, content, name = "") {
  return element("text", { x: round(x), y: round(y), class: name }, content);
}

function drawCard(tree, item) {
  const { box, x, y, w, h } = item;
  const { kind } = box;
  const isPill = ["input", "output", "weight"].includes(kind);
  const card = interactive(tree, item, `card ${kind || "node"}${isPill || kind ? "" : ` ${familyOf(box.op)}`}`);
  const radius = isPill ? TEXT.head / 2 : kind && kind !== "kin" ? 9 : 4;
  if (kind === "alike" || kind === "kin") {
    card.append(element("rect", { class: "behind", x: x + 4, y: y + 4, width: w, height: h, rx: radius }));
  }
  card.append(element("rect", { class: "body", x, y, width: w, height: h, rx: radius }));
  if (!isPill && (!kind || kind === "kin")) {
    const low = item.lines.length ? TEXT.head : h;
    const round = item.lines.length ? `V${y + low}H${x}V${y + 4}` : `V${y + low - 4}q0 4 -4 4H${x + 4}q-4 0 -4 -4V${y + 4}`;
    card.append(element("path", { class: "head", d: `M${x} ${y + 4}q0 -4 4 -4H${x + w - 4}q4 0 4 4${round}z` }));
  }
  card.append(text(x + (isPill ? w / 2 : TEXT.pad), y + 16, item.title, "title"));
  item.lines.forEach(([name, value], at) => {
    const line = text(x + TEXT.pad, y + TEXT.head + 4 + TEXT.line * (at + 0.75), "", "line");
    if (name) line.append(element("tspan", { class: "name" }, `${name} `));
    line.append(value);
    card.append(line);
  });
  if (tree.model.isOpenable(box)) drawSign(card, item, "+");
  return card;
}

function drawFrame(tree, item) {
  const { x, y, w, h } = item;
  const frame = interactive(tree, item, `frame ${item.isFrame ? "graph" : item.box.kind || "node"}`);
  if (item.box.kind === "alike") {
    frame.append(element("rect", { class: "behind", x: x + 5, y: y + 5, width: w, height: h, rx: 9 }));
  }
  frame.append(element("rect", { class: "body", x, y, width: w, height: h, rx: 9 }));
  if (!item.isFrame) drawSign(frame, item, "−");
  return frame;
}

// The sign that opens or closes an item.
function drawSign(card, { x, y, w }, sign) {
  const made = element("g", { class: "sign" });
  made.append(element("rect", { x: x + w - 21, y: y + 4, width: 16, height: 16, rx: 3 }));
  made.append(text(x + w - 13, y + 16, sign));
  card.append(made);
}

function interactive(tree, item, classes) {
  const { box } = item;
  const found = box.found.size ? ` marked${box.marks ? " failing" : ""}` : "";
  const state = box.state ? ` ${box.state}` : box.changes ? " differs" : "";
  const said = [tree.title(item), ...(item.lines || []).map((line) => line.join(" ").trim()), box.kind === "" ? box.label : ""];
  if (box.found.size) said.push(plural(box.found.size, "finding"));
  if (box.state) said.push(box.state);
  const made = element("g", {
    class: classes + found + state, role: "button", tabindex: -1, "data-key": item.key,
    "aria-label": [...new Set(said)].filter(Boolean).join(", "),
  });
  if (tree.model.isOpenable(box) && !item.isFrame) made.setAttribute("aria-expanded", String(item.isOpen));
  return made;
}
