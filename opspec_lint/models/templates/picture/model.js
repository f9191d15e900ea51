// The data of one model. The page holds, per model:
//   graphs    {label, box, nodes, whole}; `whole` is a graph that is small enough to be drawn without folding
//   boxes     {kind, label, op, names, inner, times, calls, marks, facts, card, weights, shared,
//             state, other, twin, differs}; `kind` is "" for a node, `weights` are lines [name, type, isShared], and
//             `inner` and `calls` are the numbers of boxes and of graphs. Of two models that are compared, `state` is
//             added, removed or changed, `other` the number of the box in the other model, `twin` its facts, and
//             `differs` the names of the nodes that are not equal
//   wires     [giver, taker, type, tensor, count], of which the first two are numbers of boxes
//   findings  {id, release, level, message, advice}
//   prefix    the namespace that most ops have
//   site      {address, framework, command}: the address of a site of all ops and the folder of the framework on it, or
//             the command that writes such a site
class PictureModel {
  constructor(data) {
    Object.assign(this, data);
    this.boxes.forEach((box, number) => {
      box.number = number;
      box.kind ||= "";
      box.inner ||= [];
      box.calls ||= [];
      box.names ||= [];
      box.facts ||= [];
      for (const inner of box.inner) this.boxes[inner].parent = number;
    });
    this.graphs.forEach((graph, at) => this.walk(graph.box, (box) => { box.graph = at; }));
    this.takes = new Map();
    this.gives = new Map();
    this.graphs.forEach((graph) => { graph.wires = []; });
    for (const wire of this.wires) {
      const [giver, taker] = wire;
      this.graphs[this.boxes[giver].graph].wires.push(wire);
      append(this.gives, giver, wire);
      append(this.takes, taker, wire);
    }
    this.callers = new Map();
    for (const box of this.boxes) for (const graph of box.calls) append(this.callers, graph, box.number);
    this.count();
  }

  // Calls `each` for a box and all boxes in it.
  walk(number, each) {
    const waiting = [number];
    while (waiting.length) {
      const box = this.boxes[waiting.pop()];
      each(box);
      waiting.push(...box.inner);
    }
  }

  // Counts the nodes in each box, and gathers the findings on them. Outer boxes have smaller numbers than inner ones.
  count() {
    for (let at = this.boxes.length - 1; at >= 0; at--) {
      const box = this.boxes[at];
      const isNode = !["input", "output", "weight"].includes(box.kind) && !box.inner.length;
      box.size = (box.size || 0) + (isNode ? box.names.length || 1 : 0);
      box.found = new Set([...(box.found || []), ...(box.marks || [])]);
      box.changes = (box.changes || 0) + (box.state ? 1 : 0);
      const outer = this.boxes[box.parent];
      if (!outer) continue;
      outer.size = (outer.size || 0) + box.size;
      outer.changes = (outer.changes || 0) + box.changes;
      if (box.found.size) outer.found = new Set([...(outer.found || []), ...box.found]);
    }
    // A finding in a function is also one of the nodes that call it. Functions may call each other in a circle.
    for (let more = true; more;) {
      more = false;
      for (const [graph, callers] of this.callers) {
        for (let at of callers) {
          for (; at !== undefined; at = this.boxes[at].parent) {
            const { found } = this.boxes[at];
            for (const number of this.boxes[this.graphs[graph].box].found) {
              if (!found.has(number)) more = Boolean(found.add(number));
            }
          }
        }
      }
    }
  }

  // Returns the box of an address: the id of a box, or the name of a node.
  find(address) {
    const id = new RegExp(`^${this.id}b(\\d+)$`).exec(address);
    if (id) return this.boxes[Number(id[1])];
    this.byName ||= new Map(this.boxes.filter((box) => !box.inner.length)
      .flatMap((box) => box.names.map((name) => [name, box])).reverse());
    return this.byName.get(address);
  }

  address(box) {
    const [name] = box.names;
    return name && box.names.length === 1 && this.find(name) === box ? name : `${this.id}b${box.number}`;
  }

  title(box) {
    if (box.kind === "") return this.short(box.op);
    if (box.kind === "kin") return `${box.names.length} × ${this.short(box.op)}`;
    if (box.kind !== "alike") return box.label;
    // Copies without a scope of their own are called by the name of their first node, which says little.
    const isScope = !box.label.split(" … ")[0].endsWith(this.boxes[box.inner[0]].label);
    return `${box.times} × ${isScope ? box.label : "block"}`;
  }

  // Returns the name of an op without the namespace that most ops of the model have.
  short(op) {
    return op.startsWith(this.prefix) ? op.slice(this.prefix.length) : op;
  }

  isOpenable(box) {
    return box.inner.length > 0 || box.calls.length > 0;
  }
}

function append(map, key, value) {
  if (!map.has(key)) map.set(key, []);
  map.get(key).push(value);
}

function plural(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
