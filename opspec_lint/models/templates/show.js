"use strict";
// The page of models: one drawing, or two beside each other, with a search and the details of what is selected.
document.documentElement.classList.add("js");

document.addEventListener("DOMContentLoaded", () => {
  const byId = (id) => document.getElementById(id);
  const models = JSON.parse(byId("data").textContent).map((data) => new PictureModel(data));
  const hosts = [...document.querySelectorAll(".pane")];
  let active = null;
  let address = "";

  // Sets the address of the page to that of an item, so that it can be copied; going back leads to the item before.
  function setAddress(model, item) {
    address = item ? `#${encodeURIComponent(model.address(item.box))}` : "";
    if (address && location.hash !== address) location.hash = address;
  }

  function onSelect(pane, item) {
    activate(pane);
    showDetails(byId("details"), pane, item);
    byId("panel").scrollTop = 0;
    setAddress(pane.model, item);
    const twin = item && item.box.other;
    const other = panes.find((each) => each !== pane);
    if (twin === undefined || !other || other.isFollowing) return;
    other.isFollowing = true;
    const box = other.model.boxes[twin];
    const path = other.path(box, other.graph);
    const found = path && other.tree.items.get(path[path.length - 1]);
    if (found) {
      other.mark(found);
      other.viewport.reveal(found);
    }
    other.isFollowing = false;
  }

  function activate(pane) {
    if (active === pane) return;
    active = pane;
    for (const each of panes) each.host.classList.toggle("active", each === pane && panes.length > 1);
    fillGraphs();
  }

  const panes = [];
  hosts.forEach((host, at) => panes.push(new Pane(host, models[at], onSelect)));
  const graphs = byId("graphs");

  function fillGraphs() {
    const { model, graph } = active;
    graphs.replaceChildren(...model.graphs.map((each, at) => (
      html("option", { value: at }, `${each.label} (${plural(each.nodes, "node")})`)
    )));
    graphs.value = graph;
    graphs.hidden = model.graphs.length < 2;
    const canGroup = model.graphs[graph].whole && model.boxes.some((box) => box.kind === "scope" && box.graph === graph);
    byId("group").hidden = !canGroup;
    byId("weights").hidden = !model.boxes.some((box) => box.kind === "weight" && !box.shared);
  }

  function goTo(model, box, hasFocus) {
    const pane = panes.find((each) => each.model === model) || panes[0];
    if (pane.model !== model) showModel(model);
    if (box.number === model.graphs[box.graph].box) pane.show(model, box.graph);
    else pane.reveal(box, { hasFocus });
    activate(pane);
    fillGraphs();
  }

  function showModel(model) {
    panes[0].show(model);
    byId("models").value = models.indexOf(model);
    byId("details").hidden = true;
    active = null;
    activate(panes[0]);
  }

  // Shows what the address of the page names: a node, or a finding.
  function follow() {
    const name = decodeURIComponent(location.hash.slice(1));
    if (!name || location.hash === address) return;
    address = location.hash;
    for (const model of models) {
      const box = model.find(name);
      if (box) return goTo(model, box, false);
    }
    const finding = byId(name)?.closest("li");
    for (const each of document.querySelectorAll("li.at")) each.classList.remove("at");
    if (!finding) return;
    finding.closest("details")?.setAttribute("open", "");
    finding.classList.add("at");
    finding.scrollIntoView({ block: "nearest" });
    finding.focus({ preventScroll: true });
  }

  // Hides the findings without the words of the filter, and audits of which none is left.
  function filter() {
    const words = byId("only").value.toLowerCase().split(/\s+/).filter(Boolean);
    const level = byId("level").value;
    const findings = [...document.querySelectorAll(".audit li")];
    for (const finding of findings) {
      const text = `${finding.textContent} ${finding.closest("details").querySelector("h3").textContent}`.toLowerCase();
      finding.hidden = !words.every((word) => text.includes(word)) || Boolean(level && !finding.classList.contains(level));
    }
    for (const audit of document.querySelectorAll("details.audit")) audit.hidden = !audit.querySelector("li:not([hidden])");
    const left = findings.filter(({ hidden }) => !hidden).length;
    byId("left").textContent = words.length || level ? `${left} of ${plural(findings.length, "finding")}` : "";
  }

  byId("filter")?.addEventListener("input", filter);
  byId("filter")?.addEventListener("submit", (event) => event.preventDefault());
  new Search(byId("q"), byId("found"), byId("shown"), models, (model, box) => goTo(model, box, true));
  byId("search").addEventListener("submit", (event) => event.preventDefault());

  const actions = {
    "zoom-in": () => active.viewport.zoom(ZOOM.step),
    "zoom-out": () => active.viewport.zoom(1 / ZOOM.step),
    fit: () => active.viewport.fit(),
    "full-size": () => active.viewport.zoom(1 / active.viewport.scale),
  };
  for (const [id, act] of Object.entries(actions)) byId(id)?.addEventListener("click", act);
  for (const [id, option] of [["group", "isGrouped"], ["weights", "hasWeights"]]) {
    byId(id).addEventListener("click", ({ currentTarget }) => {
      const isOn = currentTarget.getAttribute("aria-pressed") !== "true";
      currentTarget.setAttribute("aria-pressed", String(isOn));
      for (const pane of panes) pane.set(option, isOn);
    });
  }
  byId("as-table").addEventListener("click", ({ currentTarget }) => {
    const isOn = document.documentElement.classList.toggle("tabular");
    currentTarget.setAttribute("aria-pressed", String(isOn));
  });
  graphs.addEventListener("change", () => active.show(active.model, Number(graphs.value)));
  byId("models")?.addEventListener("change", (event) => showModel(models[Number(event.target.value)]));
  for (const pane of panes) pane.host.addEventListener("pointerdown", () => activate(pane));

  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (!link) return;
    // A link to where the address already leads changes no address.
    address = "";
    if (link.getAttribute("href") === location.hash) follow();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const keys = { "+": "zoom-in", "=": "zoom-in", "-": "zoom-out", 0: "fit", f: "fit", 1: "full-size" };
    if (event.key === "/") {
      event.preventDefault();
      byId("q").focus();
    } else if (event.key === "Escape") {
      active.select(null);
    } else if (keys[event.key]) {
      event.preventDefault();
      actions[keys[event.key]]();
    }
  });
  activate(panes[0]);
  follow();
});
