// What is visible of a graph: items, of which the open ones contain others, with their sizes, places and arrows.
//
// An item is {key, box, graph, title, lines, isOpen, inner, parent, depth, x, y, w, h}. Its key is its path through the
// calls that lead to it, since a function can be open in several places at once.
const TEXT = { character: 7.3, line: 16, pad: 10, head: 24, longest: 34, frame: 14, frameHead: 30 };
const OPEN_AT_FIRST = 90;
// Differences between two models have signs too, for colours alone do not reach every reader.
const STATE_SIGNS = { added: "+ ", removed: "− ", changed: "≠ " };

class Tree {
  // `open` are the keys of open items; with `isGrouped`, scopes of a small graph are items as well; with `hasWeights`,
  // each weight is an item, otherwise a line on the node that takes it, unless it is shared by several nodes.
  constructor(model, graph, { open, isGrouped, hasWeights }) {
    Object.assign(this, { model, graph, open, isGrouped, hasWeights });
    this.items = new Map();
    this.arrows = [];
    const { box } = model.graphs[graph];
    this.root = { key: "", box: model.boxes[box], graph, isOpen: true, depth: 0, inner: [], segments: new Map() };
    this.addContent(this.root, graph, "");
    this.measure(this.root);
    this.place(this.root, 0, 0);
  }

  // Adds what is in a graph to an open item, with the arrows between it.
  addContent(item, graph, prefix) {
    const { box, whole, wires } = this.model.graphs[graph];
    const leaves = new Map();
    for (const number of this.shownIn(this.model.boxes[box], whole)) this.add(item, number, prefix, graph, leaves);
    this.connect(wires, leaves);
  }

  // Returns the numbers of the boxes that are drawn for the content of a box.
  shownIn(box, isWhole) {
    return box.inner.flatMap((number) => {
      const inner = this.model.boxes[number];
      if (inner.kind === "weight" && !this.hasWeights && !inner.shared) return [];
      return inner.kind === "scope" && isWhole && !this.isGrouped ? this.shownIn(inner, isWhole) : [number];
    });
  }

  add(parent, number, prefix, graph, leaves) {
    const box = this.model.boxes[number];
    const key = prefix + number;
    const item = {
      key, box, graph, parent, depth: parent.depth + 1, inner: [], segments: new Map(),
      isOpen: this.model.isOpenable(box) && this.open.has(key),
    };
    parent.inner.push(item);
    this.items.set(key, item);
    if (item.isOpen && box.inner.length) {
      for (const inner of this.shownIn(box, this.model.graphs[graph].whole)) {
        this.add(item, inner, prefix, graph, leaves);
      }
      return;
    }
    this.model.walk(number, (each) => leaves.set(each.number, item));
    if (item.isOpen) this.addCalls(item);
  }

  // Adds the graphs that an open node calls, each in a frame if there are several.
  addCalls(item) {
    for (const graph of item.box.calls) {
      const prefix = `${item.key}.g${graph}`;
      let frame = item;
      if (item.box.calls.length > 1) {
        const box = this.model.boxes[this.model.graphs[graph].box];
        frame = { key: prefix, box, graph, parent: item, depth: item.depth + 1, inner: [], segments: new Map() };
        Object.assign(frame, { isOpen: true, isFrame: true });
        item.inner.push(frame);
        this.items.set(prefix, frame);
      }
      this.addContent(frame, graph, `${prefix}.`);
    }
  }

  connect(wires, leaves) {
    const edges = new Map();
    for (const [giver, taker, type, tensor, count = 1] of wires) {
      const from = leaves.get(giver), to = leaves.get(taker);
      if (!from || !to || from === to) continue;
      const key = `${from.key} ${to.key}`;
      if (!edges.has(key)) edges.set(key, { from, to, types: new Set(), tensors: new Set(), count: 0 });
      const edge = edges.get(key);
      edge.types.add(type);
      edge.tensors.add(tensor);
      edge.count += count;
      (from.types ||= new Set()).add(type);
    }
    for (const edge of edges.values()) this.addSegments(edge);
  }

  // Divides an edge at the frames that it leaves and enters.
  addSegments(edge) {
    let { from, to } = edge;
    while (from.parent !== to.parent) {
      if (from.depth >= to.depth) {
        this.addSegment(from.parent, from, null, edge);
        from = from.parent;
      } else {
        this.addSegment(to.parent, null, to, edge);
        to = to.parent;
      }
    }
    this.addSegment(from.parent, from, to, edge);
  }

  addSegment(frame, from, to, edge) {
    const key = `${from ? from.key : "in"} ${to ? to.key : "out"} ${edge.from.key}`;
    if (!frame.segments.has(key)) frame.segments.set(key, { from, to, giver: edge.from, edges: [] });
    frame.segments.get(key).edges.push(edge);
  }

  // Sets the sizes of an item and, if it is open, the places of what is in it.
  measure(item) {
    if (!item.isOpen) return this.measureCard(item);
    item.inner.forEach((inner) => this.measure(inner));
    const ports = new Map();
    const parts = item.inner.map(({ w, h }) => ({ w, h }));
    const number = new Map(item.inner.map((inner, at) => [inner, at]));
    const port = (kind, giver) => {
      const key = `${kind} ${giver.key}`;
      if (!ports.has(key)) {
        ports.set(key, parts.length);
        parts.push({ w: 6, h: 0, port: kind });
      }
      return ports.get(key);
    };
    const offset = (inner, kind, giver) => (
      inner && inner !== giver && inner.isOpen && inner.ports ? (inner.ports.get(`${kind} ${giver.key}`) ?? 0) : 0
    );
    const segments = [...item.segments.values()];
    const drawn = arrange(parts, segments.map(({ from, to, giver }) => ({
      from: from ? number.get(from) : port("in", giver),
      to: to ? number.get(to) : port("out", giver),
      fromX: offset(from, "out", giver),
      toX: offset(to, "in", giver),
    })));
    item.inner.forEach((inner, at) => Object.assign(inner, drawn.placed[at]));
    segments.forEach((segment, at) => { segment.points = drawn.paths[at]; });
    const isRoot = item === this.root;
    const title = isRoot ? 0 : this.title(item).length * TEXT.character + 60;
    item.padX = isRoot ? 0 : TEXT.frame + Math.max(0, (title - drawn.w) / 2);
    item.padY = isRoot ? 0 : TEXT.frameHead + (ports.size ? 0 : 6);
    item.w = drawn.w + 2 * item.padX;
    item.h = drawn.h + (isRoot ? 0 : item.padY + TEXT.frame);
    item.ports = new Map([...ports].map(([key, at]) => [key, drawn.placed[at].x + 3 + item.padX - item.w / 2]));
    return item;
  }

  measureCard(item) {
    item.title = (STATE_SIGNS[item.box.state] || "") + cut(this.title(item), TEXT.longest);
    item.lines = this.lines(item).map(([name, text]) => [cut(name, 16), cut(text, name ? 24 : 30)]);
    const columns = Math.max(item.title.length + (this.model.isOpenable(item.box) ? 3 : 0),
      ...item.lines.map(([name, text]) => name.length + text.length + (name ? 1 : 0)));
    const types = [...item.types || []];
    // The type of the only tensor that an item gives is written below it, and must not run into the next item.
    item.type = types.length === 1 ? cut(types[0], TEXT.longest) : "";
    const below = item.type.length * TEXT.character * 0.9 + 4;
    item.w = Math.ceil(Math.max(56, columns * TEXT.character + 2 * TEXT.pad, below));
    item.h = TEXT.head + (item.lines.length ? item.lines.length * TEXT.line + 8 : 0);
    return item;
  }

  title(item) {
    return item.isFrame ? item.box.label : this.model.title(item.box);
  }

  // Returns the lines below the title of a closed item, as pairs.
  lines({ box }) {
    if (["input", "output", "weight"].includes(box.kind)) return [];
    if (box.kind === "kin") return [["", box.label]];
    if (box.kind) return [["", plural(box.size, "node")], ["", this.ops(box)]].filter(([, said]) => said);
    const isLine = ([, , isShared]) => !isShared && !(this.hasWeights && this.model.graphs[box.graph].whole);
    const weights = (box.weights || []).filter(isLine).map(([name, type]) => [name, type]);
    // A name of a few letters and a number, or of the op and a number, says nothing.
    const said = box.label.replace(/[_/#.:\d]+$/, "").toLowerCase();
    const name = said.length > 2 && !box.op.toLowerCase().endsWith(said) ? [["", box.label]] : [];
    return [...name, ...weights, ...box.card || []];
  }

  // Returns the most frequent ops in a box, without those that only prepare weights and shapes.
  ops(box) {
    if (box.ops === undefined) {
      const counts = new Map();
      this.model.walk(box.number, ({ op, kind }) => {
        if (op && !kind && !["data", "shape"].includes(familyOf(op))) counts.set(op, (counts.get(op) || 0) + 1);
      });
      box.ops = [...counts].sort((one, other) => other[1] - one[1]).slice(0, 3).map(([op]) => this.model.short(op)).join(", ");
    }
    return box.ops;
  }

  // Returns the item where a reader begins: the uppermost input, or the uppermost item of a graph without inputs.
  first() {
    const isInput = ({ kind, op }) => kind === "input" || /placeholder|^feed$|^pd_op\.data$/i.test(op);
    // Resources of TensorFlow, the variables of a function, are inputs too.
    const inputs = this.root.inner.filter(({ box }) => isInput(box) && !/resource$/.test(box.label));
    return (inputs.length ? inputs : this.root.inner).reduce((best, item) => (best && best.y <= item.y ? best : item), null);
  }

  // Sets the places of all items on the page, and lists the arrows.
  place(item, x, y) {
    [item.x, item.y] = [x, y];
    if (!item.isOpen) return;
    const [left, top] = [x + item.padX, y + item.padY];
    for (const inner of item.inner) this.place(inner, left + inner.x, top + inner.y);
    for (const segment of item.segments.values()) {
      const path = segment.points.map(([pointX, pointY]) => [pointX + left, pointY + top]);
      // An arrow that enters or leaves the frame reaches its border.
      if (!segment.from) path.unshift([path[0][0], y]);
      if (!segment.to) path.push([path[path.length - 1][0], y + item.h]);
      this.arrows.push({ ...segment, path, frame: item });
    }
  }
}

// Returns the keys of the items to open at first, the largest first, so that the picture is neither empty nor crowded.
function openAtFirst(model, graph) {
  const open = new Set();
  const { box, whole } = model.graphs[graph];
  let visible = whole ? model.graphs[graph].nodes : model.boxes[box].inner.length;
  const waiting = [];
  const wait = (number, prefix, at) => {
    for (const inner of model.boxes[number].inner) {
      const part = model.boxes[inner];
      if (part.inner.length && model.graphs[at].whole) wait(inner, prefix, at);
      else if (model.isOpenable(part)) waiting.push({ part, key: prefix + inner, prefix });
    }
  };
  wait(box, "", graph);
  while (waiting.length) {
    waiting.sort((one, other) => one.part.size - other.part.size);
    const { part, key, prefix } = waiting.pop();
    const cost = part.inner.length || part.calls.reduce((sum, at) => sum + model.graphs[at].nodes, 0);
    if (visible + cost > OPEN_AT_FIRST || key.split(".").length > 4) continue;
    visible += cost;
    open.add(key);
    if (part.inner.length) wait(part.number, prefix, part.graph);
    else for (const at of part.calls) wait(model.graphs[at].box, `${key}.g${at}.`, at);
  }
  return open;
}

// Cuts a text in its middle, for both ends of a long name matter.
function cut(text, longest) {
  if (text.length <= longest) return text;
  const half = (longest - 1) >> 1;
  return `${text.slice(0, half)}…${text.slice(text.length - half)}`;
}
