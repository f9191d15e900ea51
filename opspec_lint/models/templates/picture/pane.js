// One drawing on the page: a graph of a model, what is open in it, and what is selected.
class Pane {
  // `listen` is called with the pane and the selected item, or null.
  constructor(host, model, listen) {
    this.host = host;
    this.listen = listen;
    this.svg = host.querySelector(".canvas");
    this.group = host.querySelector(".scene");
    this.viewport = new Viewport(this.svg, this.group, host.querySelector(".map"));
    this.options = { isGrouped: false, hasWeights: false };
    this.opened = new Map();
    this.svg.addEventListener("click", (event) => this.onClick(event));
    this.svg.addEventListener("dblclick", (event) => this.onDoubleClick(event));
    this.svg.addEventListener("keydown", (event) => this.onKey(event));
    this.show(model);
  }

  show(model, graph = model.start) {
    this.model = model;
    this.graph = graph;
    this.selected = null;
    const at = `${model.id} ${graph}`;
    if (!this.opened.has(at)) {
      this.opened.set(at, openAtFirst(model, graph));
      this.openMarked(model, graph);
    }
    this.draw();
    this.viewport.begin(this.tree.first(), [...this.tree.items.values()]);
  }

  get open() {
    return this.opened.get(`${this.model.id} ${this.graph}`);
  }

  // Opens what is around the first nodes with findings or differences.
  openMarked(model, graph) {
    for (const box of model.boxes.filter(({ marks, state }) => marks || state).slice(0, 12)) {
      const path = this.path(box, graph);
      for (const key of path ? path.slice(0, -1) : []) this.open.add(key);
    }
  }

  draw() {
    this.tree = new Tree(this.model, this.graph, { open: this.open, ...this.options });
    draw(this.tree, this.group, this.viewport.map);
    Object.assign(this.viewport, { w: this.tree.root.w, h: this.tree.root.h });
    this.viewport.apply();
    this.host.classList.toggle("is-flat", !this.model.arrows);
    const key = this.selected?.key;
    this.selected = null;
    const stays = this.tree.items.get(key);
    if (stays) this.mark(stays);
    else this.tree.items.values().next().value?.element.setAttribute("tabindex", 0);
  }

  // Draws again, with an item where it was on the screen.
  redraw(item) {
    const { viewport } = this;
    const before = item && { x: item.x * viewport.scale + viewport.x, y: item.y * viewport.scale + viewport.y };
    const hadFocus = this.svg.contains(document.activeElement);
    this.draw();
    const after = item && this.tree.items.get(item.key);
    if (after) {
      viewport.x = before.x - after.x * viewport.scale;
      viewport.y = before.y - after.y * viewport.scale;
      viewport.apply();
      if (hadFocus) after.element.focus({ preventScroll: true });
    } else {
      viewport.begin();
    }
  }

  toggle(item) {
    if (item.isFrame || !this.model.isOpenable(item.box)) return;
    if (!this.open.delete(item.key)) this.open.add(item.key);
    this.selected = item;
    this.redraw(item);
    this.listen(this, this.selected);
  }

  set(option, isOn) {
    this.options[option] = isOn;
    this.redraw(this.selected);
  }

  mark(item) {
    for (const each of this.group.querySelectorAll("[tabindex='0']")) each.setAttribute("tabindex", -1);
    this.selected?.element.classList.remove("at");
    this.selected = item;
    if (!item) return;
    item.element.classList.add("at");
    item.element.setAttribute("tabindex", 0);
  }

  select(item) {
    this.mark(item);
    this.listen(this, item);
  }

  // Shows a box in the middle of the drawing, opening all that is around it.
  reveal(box, { hasFocus = false } = {}) {
    let path = this.path(box, this.graph);
    if (!path) {
      this.show(this.model, box.graph);
      path = this.path(box, this.graph);
    }
    const isHidden = box.kind === "weight" && !box.shared && !this.options.hasWeights;
    if (isHidden) this.options.hasWeights = true;
    const closed = path.slice(0, -1).filter((key) => !this.open.has(key));
    closed.forEach((key) => this.open.add(key));
    if (closed.length || isHidden) this.draw();
    const item = this.tree.items.get(path[path.length - 1]);
    if (!item) return;
    this.viewport.reveal(item, true);
    this.select(item);
    if (hasFocus) item.element.focus({ preventScroll: true });
  }

  // Returns the keys of the items around a box and of itself, None if no call leads from the shown graph to it.
  path(box, graph) {
    const { model } = this;
    const callers = new Map([[graph, null]]);
    const waiting = [graph];
    while (waiting.length && !callers.has(box.graph)) {
      const at = waiting.shift();
      model.walk(model.graphs[at].box, (each) => {
        for (const called of each.calls) {
          if (callers.has(called)) continue;
          callers.set(called, each);
          waiting.push(called);
        }
      });
    }
    if (!callers.has(box.graph)) return null;
    const calls = [];
    for (let at = box.graph; callers.get(at); at = callers.get(at).graph) calls.unshift([callers.get(at), at]);
    const keys = [];
    let prefix = "";
    for (const [caller, called] of [...calls, [box, null]]) {
      const chain = [];
      for (let at = caller; at.number !== model.graphs[caller.graph].box; at = model.boxes[at.parent]) {
        const isLifted = at.kind === "scope" && model.graphs[at.graph].whole && !this.options.isGrouped;
        if (!isLifted) chain.unshift(prefix + at.number);
      }
      keys.push(...chain);
      prefix = `${prefix}${caller.number}.g${called}.`;
    }
    return keys;
  }

  itemOf(event) {
    const at = event.target.closest("[data-key]");
    return at && this.tree.items.get(at.dataset.key);
  }

  onClick(event) {
    if (this.viewport.moved >= 4) return;
    const item = this.itemOf(event);
    if (item && event.target.closest(".sign")) return void this.toggle(item);
    this.select(item || null);
    item?.element.focus({ preventScroll: true });
  }

  onDoubleClick(event) {
    const item = this.itemOf(event);
    if (item && !event.target.closest(".sign")) this.toggle(item);
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const item = this.itemOf(event);
    if (!item) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.select(item);
      if (event.key === "Enter") this.toggle(item);
      return;
    }
    const next = this.neighbour(item, event.key);
    if (!next) return;
    event.preventDefault();
    this.select(next);
    next.element.focus({ preventScroll: true });
    this.viewport.reveal(next);
  }

  // Returns the item that an arrow key leads to: along an arrow of the drawing up or down, else beside it.
  neighbour(item, key) {
    const all = [...this.tree.items.values()];
    const middle = (each) => each.x + each.w / 2;
    if (key === "ArrowDown" || key === "ArrowUp") {
      const [here, there] = key === "ArrowDown" ? ["from", "to"] : ["to", "from"];
      const ends = this.tree.arrows.flatMap((arrow) => arrow.edges)
        .filter((edge) => edge[here] === item).map((edge) => edge[there]);
      const isBeyond = (each) => (key === "ArrowDown" ? each.y > item.y : each.y < item.y);
      const near = ends.length ? ends : all.filter((each) => each !== item && isBeyond(each));
      const distance = (each) => Math.abs(each.y - item.y) * 4 + Math.abs(middle(each) - middle(item));
      return near.sort((one, other) => distance(one) - distance(other))[0];
    }
    if (key !== "ArrowRight" && key !== "ArrowLeft") return null;
    const isRight = key === "ArrowRight";
    return all.filter((each) => each.parent === item.parent && each.y < item.y + item.h && item.y < each.y + each.h)
      .filter((each) => (isRight ? middle(each) > middle(item) : middle(each) < middle(item)))
      .sort((one, other) => Math.abs(middle(one) - middle(item)) - Math.abs(middle(other) - middle(item)))[0];
  }
}
