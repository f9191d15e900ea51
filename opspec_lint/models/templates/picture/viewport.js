// Zoom, pan and the small map of a drawing. The drawing is a group in an SVG, which a transform moves and scales.
const ZOOM = { least: 0.03, most: 4, step: 1.25 };

class Viewport {
  constructor(svg, group, map) {
    Object.assign(this, { svg, group, map, x: 0, y: 0, scale: 1, w: 0, h: 0 });
    this.pointers = new Map();
    this.frame = map.querySelector(".view");
    svg.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.onDown(event));
    svg.addEventListener("pointermove", (event) => this.onMove(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      svg.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
    }
    map.addEventListener("pointerdown", (event) => this.onMap(event));
    map.addEventListener("pointermove", (event) => event.buttons && this.onMap(event));
    new ResizeObserver(() => this.apply()).observe(svg);
  }

  get size() {
    return { w: this.svg.clientWidth || 1, h: this.svg.clientHeight || 1 };
  }

  apply() {
    const { w, h } = this.size;
    this.group.setAttribute("transform", `translate(${this.x} ${this.y}) scale(${this.scale})`);
    // Texts that are too small to read cost the most time to draw.
    this.svg.classList.toggle("far", this.scale < 0.25);
    this.svg.dataset.zoom = this.scale.toFixed(3);
    const [left, top] = [-this.x / this.scale, -this.y / this.scale];
    const box = { x: left, y: top, width: w / this.scale, height: h / this.scale };
    for (const [name, value] of Object.entries(box)) this.frame.setAttribute(name, value);
    const isWhole = left <= 0 && top <= 0 && left + box.width >= this.w && top + box.height >= this.h;
    this.map.classList.toggle("idle", isWhole);
  }

  zoom(factor, centre = { x: this.size.w / 2, y: this.size.h / 2 }) {
    const scale = Math.min(ZOOM.most, Math.max(ZOOM.least, this.scale * factor));
    this.x = centre.x - (centre.x - this.x) * (scale / this.scale);
    this.y = centre.y - (centre.y - this.y) * (scale / this.scale);
    this.scale = scale;
    this.apply();
  }

  pan(x, y) {
    this.x += x;
    this.y += y;
    this.apply();
  }

  // Shows the drawing in its whole width from its top on where that can be read, otherwise the part in which an item and
  // the most of `items` are.
  begin(first, items = []) {
    const { w, h } = this.size;
    this.fit(Math.min(1, Math.max(0.7, w / (this.w + 48))));
    if (!first || this.w * this.scale <= w - 48) return;
    const near = items.filter((item) => !item.isOpen && item.y < first.y + h / this.scale);
    const middle = near.reduce((sum, item) => sum + item.x + item.w / 2, 0) / (near.length || 1);
    const isIn = (left) => Math.min(24 - first.x * this.scale + w - 48 - first.w * this.scale,
      Math.max(24 - first.x * this.scale, left));
    const left = isIn(w / 2 - (near.length ? middle : first.x + first.w / 2) * this.scale);
    this.x = Math.min(24, Math.max(w - 24 - this.w * this.scale, left));
    this.apply();
  }

  // Shows all of the drawing, or as much as fits at the least scale.
  fit(least = ZOOM.least) {
    const { w, h } = this.size;
    const scale = Math.min((w - 48) / (this.w || 1), (h - 48) / (this.h || 1));
    this.scale = Math.min(1, Math.max(least, scale));
    this.x = (w - this.w * this.scale) / 2;
    this.y = this.h * this.scale > h - 48 ? 24 : (h - this.h * this.scale) / 2;
    this.apply();
  }

  // Moves an item into view; with `isCentred`, into the middle.
  reveal(item, isCentred) {
    const { w, h } = this.size;
    const [left, top] = [item.x * this.scale + this.x, item.y * this.scale + this.y];
    const high = Math.min(item.h, 60) * this.scale;
    const isIn = left > 0 && top > 0 && left + item.w * this.scale < w && top + high < h;
    if (isIn && !isCentred) return;
    if (isCentred && this.scale < 0.6) this.scale = 0.9;
    this.x = w / 2 - (item.x + item.w / 2) * this.scale;
    this.y = h / 2 - (item.y + Math.min(item.h, h / this.scale) / 2) * this.scale;
    this.apply();
  }

  at(event) {
    const { left, top } = this.svg.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  onWheel(event) {
    event.preventDefault();
    if (event.shiftKey) return this.pan(-(event.deltaX || event.deltaY), 0);
    // A pinch on a touchpad is a wheel with the control key, in small steps.
    const steps = event.deltaMode ? event.deltaY * 16 : event.deltaY;
    return this.zoom(Math.exp(-steps * (event.ctrlKey ? 0.01 : 0.0015)), this.at(event));
  }

  onDown(event) {
    if (event.button) return;
    this.pointers.set(event.pointerId, this.at(event));
    this.moved = this.pointers.size > 1 ? this.moved : 0;
  }

  onMove(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.at(event);
    const other = [...this.pointers].find(([id]) => id !== event.pointerId);
    this.moved += Math.hypot(now.x - before.x, now.y - before.y);
    // A small movement is still a click, which a captured pointer would lose.
    if (this.moved < 4 && !other) return;
    this.svg.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, now);
    this.pan(now.x - before.x, now.y - before.y);
    if (!other) return;
    const [, still] = other;
    const distance = (point) => Math.hypot(point.x - still.x, point.y - still.y) || 1;
    this.pan((before.x - now.x) / 2, (before.y - now.y) / 2);
    this.zoom(distance(now) / distance(before), { x: (now.x + still.x) / 2, y: (now.y + still.y) / 2 });
  }

  onMap(event) {
    event.preventDefault();
    const { left, top, width, height } = this.map.getBoundingClientRect();
    const scale = Math.min(width / this.w, height / this.h);
    const x = (event.clientX - left - (width - this.w * scale) / 2) / scale;
    const y = (event.clientY - top - (height - this.h * scale) / 2) / scale;
    this.x = this.size.w / 2 - x * this.scale;
    this.y = this.size.h / 2 - y * this.scale;
    this.apply();
  }
}
