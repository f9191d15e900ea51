// The search: an input with a list of results, worked as the combobox of the ARIA patterns. Nodes and groups are apart.
class Search {
  // `models` are the models to search, and `choose` is called with a model and a box.
  constructor(input, list, status, models, choose) {
    Object.assign(this, { input, list, status, models, choose, results: [], active: -1 });
    this.timer = 0;
    input.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.run(), 80);
    });
    input.addEventListener("keydown", (event) => this.onKey(event));
    input.addEventListener("blur", () => setTimeout(() => this.close(), 120));
    input.addEventListener("focus", () => input.value && this.run());
    // The list must not take the focus from the input before its click counts.
    list.addEventListener("pointerdown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.open(Number(option.dataset.at));
    });
  }

  get index() {
    this.entries ||= this.models.flatMap((model) => model.boxes.filter((box) => box.kind !== "whole").map((box) => (
      { model, box, text: [box.op, box.label, ...box.names].join("\n").toLowerCase() }
    )));
    return this.entries;
  }

  run() {
    clearTimeout(this.timer);
    this.searched = this.input.value;
    const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length ? this.index.filter(({ text: all }) => words.every((word) => all.includes(word))) : [];
    const isGroup = ({ box }) => box.inner.length > 0;
    const groups = { Nodes: found.filter((entry) => !isGroup(entry)), Groups: found.filter(isGroup) };
    this.results = [];
    this.list.replaceChildren();
    for (const [title, entries] of Object.entries(groups)) {
      if (!entries.length) continue;
      const id = `found-${title.toLowerCase()}`;
      const part = html("div", { role: "group", "aria-labelledby": id });
      part.append(html("div", { id, class: "found-title", role: "presentation" }, `${title} (${entries.length})`));
      for (const entry of entries.slice(0, 50)) {
        part.append(this.option(entry, words, this.results.length));
        this.results.push(entry);
      }
      this.list.append(part);
    }
    this.status.textContent = !words.length ? ""
      : `${plural(groups.Nodes.length, "node")}, ${plural(groups.Groups.length, "group")}`;
    this.list.hidden = !this.results.length;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.setActive(this.results.length ? 0 : -1);
  }

  option({ model, box }, words, at) {
    const name = box.names.find((each) => words.every((word) => each.toLowerCase().includes(word))) || box.names[0];
    const file = this.models.length > 1 ? `${model.file.split("/").pop()} ` : "";
    return html("div", { role: "option", id: `found-${at}`, "data-at": at, "aria-selected": "false" },
      html("b", {}, model.title(box)), " ", box.inner.length || !name ? "" : html("code", {}, name), " ",
      html("small", {}, `${file}${box.inner.length ? plural(box.size, "node") : ""}`));
  }

  setActive(at) {
    this.list.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    this.active = at;
    const option = at < 0 ? null : this.list.querySelector(`#found-${at}`);
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  open(at) {
    const result = this.results[at];
    if (!result) return;
    this.close();
    this.choose(result.model, result.box);
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }

  onKey(event) {
    const last = this.results.length - 1;
    if (event.key === "Enter") {
      event.preventDefault();
      // The keys may be faster than the search.
      if (this.list.hidden || this.searched !== this.input.value) this.run();
      this.open(Math.max(0, this.active));
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (this.list.hidden) return this.run();
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.setActive((this.active + step + last + 1) % (last + 1));
    } else if (event.key === "Escape") {
      this.input.value = "";
      this.run();
      this.close();
      this.input.blur();
    }
    return undefined;
  }
}
