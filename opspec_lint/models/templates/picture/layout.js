// The layered drawing of items with arrows between them (Sugiyama, Tagawa and Toda 1981).
//
// Steps: put each item in a row below all that it takes; give a long arrow a place in every row that it passes; sort
// the places of a row by the mean position of their neighbours; move them near these.
//
// Items are {w, h, port}: `port` is "in" or "out" for the point where an arrow enters or leaves the frame around them.
// Edges are {from, to, fromX, toX}: indices of items, and how far from their middles the ends are. The result has the
// upper left corner of each item, the points of each edge, and the size of the whole.
const SPACE = { column: 20, row: 46, bundle: 12, sweeps: 10, inARow: 1500, sources: 8 };

function arrange(items, edges) {
  const parts = components(items, edges);
  if (parts.length === 1) return arrangeLayers(items, edges);
  // What is not connected stands side by side, and below each other where a row is full.
  const placed = items.map(() => null);
  const paths = edges.map(() => null);
  const shelves = shelve(parts.map((part) => {
    const number = new Map(part.map((item, at) => [item, at]));
    const own = edges.map((edge, at) => ({ edge, at })).filter(({ edge }) => number.has(edge.from));
    const inner = own.map(({ edge }) => ({ ...edge, from: number.get(edge.from), to: number.get(edge.to) }));
    return { part, own, drawn: arrangeLayers(part.map((item) => items[item]), inner) };
  }));
  for (const { part, own, drawn, x, y } of shelves.parts) {
    part.forEach((item, at) => { placed[item] = { x: drawn.placed[at].x + x, y: drawn.placed[at].y + y }; });
    own.forEach(({ at }, index) => { paths[at] = drawn.paths[index].map((point) => [point[0] + x, point[1] + y]); });
  }
  return { placed, paths, w: shelves.w, h: shelves.h };
}

// Returns lists of items that arrows connect. Items with ports stay together: their arrows reach the frame's border.
function components(items, edges) {
  const leader = items.map((_, at) => at);
  const lead = (at) => {
    while (leader[at] !== at) at = leader[at] = leader[leader[at]];
    return at;
  };
  for (const edge of edges) leader[lead(edge.from)] = lead(edge.to);
  const ports = items.map((_, at) => at).filter((at) => items[at].port);
  for (const port of ports) leader[lead(port)] = lead(ports[0]);
  const parts = new Map();
  items.forEach((_, at) => append(parts, lead(at), at));
  return [...parts.values()].sort((one, other) => one[0] - other[0]);
}

function shelve(parts) {
  const area = parts.reduce((sum, { drawn }) => sum + (drawn.w + SPACE.column) * (drawn.h + SPACE.row), 0);
  const widest = Math.max(SPACE.inARow / 2, Math.sqrt(area) * 1.2, ...parts.map(({ drawn }) => drawn.w));
  let x = 0, y = 0, high = 0, wide = 0;
  for (const part of parts) {
    if (x && x + part.drawn.w > widest) [x, y, high] = [0, y + high + SPACE.row / 2, 0];
    [part.x, part.y] = [x, y];
    x += part.drawn.w + SPACE.column;
    high = Math.max(high, part.drawn.h);
    wide = Math.max(wide, x - SPACE.column);
  }
  return { parts, w: wide, h: y + high };
}

function arrangeLayers(items, edges) {
  const rank = ranks(items, edges);
  const rows = Array.from({ length: rank.reduce((most, row) => Math.max(most, row), 0) + 1 }, () => []);
  const places = items.map((item, at) => ({ item: at, w: item.w, row: rank[at], above: [], below: [] }));
  for (const place of places) rows[place.row].push(place);
  // The arrows of one end of an item share their places, which keeps the number of places in a row small.
  const bundles = new Map();
  const routes = edges.map((edge) => {
    const isDown = rank[edge.from] <= rank[edge.to];
    const [upper, lower] = isDown ? [edge.from, edge.to] : [edge.to, edge.from];
    const offset = isDown ? edge.fromX : edge.toX;
    let last = places[upper];
    const route = [last];
    for (let row = rank[upper] + 1; row < rank[lower]; row++) {
      const key = `${upper} ${offset} ${row}`;
      if (!bundles.has(key)) {
        bundles.set(key, { item: -1, w: SPACE.bundle, row, above: [], below: [] });
        rows[row].push(bundles.get(key));
      }
      const place = bundles.get(key);
      join(last, place, last === places[upper] ? offset : 0, 0);
      route.push(last = place);
    }
    join(last, places[lower], last === places[upper] ? offset : 0, isDown ? edge.toX : edge.fromX);
    return [...route, places[lower]];
  });
  sortRows(rows);
  placeRows(rows);
  const tops = [];
  let y = 0;
  for (const row of rows) {
    const h = Math.max(0, ...row.map((place) => (place.item < 0 ? 0 : items[place.item].h)));
    tops.push({ y, h });
    y += h + SPACE.row;
  }
  const all = rows.flat();
  const left = all.reduce((least, place) => Math.min(least, place.x - place.w / 2), Infinity);
  for (const place of all) place.x -= left;
  return {
    placed: places.map((place, at) => ({ x: place.x - items[at].w / 2, y: tops[place.row].y })),
    paths: edges.map((edge, at) => points(edge, routes[at], items, tops)),
    w: all.reduce((most, place) => Math.max(most, place.x + place.w / 2), 0),
    h: Math.max(0, y - SPACE.row),
  };
}

function join(upper, lower, upperX, lowerX) {
  upper.below.push({ place: lower, own: upperX, far: lowerX });
  lower.above.push({ place: upper, own: lowerX, far: upperX });
}

// Returns the row of each item: below all that it takes, and near its takers if it has more of them than givers.
function ranks(items, edges) {
  const after = items.map(() => []);
  const before = items.map(() => []);
  for (const { from, to } of edges) if (from !== to) after[from].push(to);
  const order = topological(items, after);
  const number = [];
  order.forEach((item, at) => { number[item] = at; });
  // An arrow that closes a circle points upwards, and does not count.
  for (const [from, targets] of after.entries()) {
    after[from] = targets.filter((to) => number[to] > number[from]);
    for (const to of after[from]) before[to].push(from);
  }
  const rank = items.map(() => 0);
  for (const item of order) for (const to of after[item]) rank[to] = Math.max(rank[to], rank[item] + 1);
  // What takes only constants can move with them.
  const isFree = items.map(() => false);
  for (const item of order) isFree[item] = after[item].length < 2 && before[item].every((from) => isFree[from]);
  for (const item of [...order].reverse()) {
    if (items[item].port || !after[item].length) continue;
    if (after[item].length <= before[item].length && !isFree[item]) continue;
    rank[item] = Math.max(rank[item], Math.min(...after[item].map((to) => rank[to])) - 1);
  }
  stackSources(items, after, before, rank);
  // Ports are above and below everything.
  const hasPort = (kind) => items.some((item) => item.port === kind);
  if (hasPort("in")) items.forEach((item, at) => { rank[at] = item.port === "in" ? 0 : rank[at] + 1; });
  const last = rank.reduce((most, row, at) => (items[at].port === "out" ? most : Math.max(most, row)), -1) + 1;
  items.forEach((item, at) => { if (item.port === "out") rank[at] = last; });
  const used = [...new Set(rank)].sort((one, other) => one - other);
  const dense = new Map(used.map((row, at) => [row, at]));
  return rank.map((row) => dense.get(row));
}

// Gives what is taken by one item only several rows above it, where it would make one row too long.
function stackSources(items, after, before, rank) {
  const bySource = new Map();
  items.forEach((item, at) => {
    if (!item.port && !before[at].length && after[at].length === 1) append(bySource, after[at][0], at);
  });
  for (const sources of bySource.values()) {
    sources.forEach((item, at) => { rank[item] -= Math.floor(at / SPACE.sources) / 1000; });
  }
}

// Returns items so that each comes after all that it takes, except in circles: a depth-first post-order, reversed.
function topological(items, after) {
  const done = [];
  const state = items.map(() => 0);
  for (let first = items.length - 1; first >= 0; first--) {
    const waiting = [first];
    while (waiting.length) {
      const item = waiting[waiting.length - 1];
      if (state[item] === 0) {
        state[item] = 1;
        for (const to of after[item]) if (state[to] === 0) waiting.push(to);
      } else {
        waiting.pop();
        if (state[item] === 1) done.push(item);
        state[item] = 2;
      }
    }
  }
  return done.reverse();
}

function sortRows(rows) {
  const number = (row) => row.forEach((place, at) => { place.at = (at + 0.5) / row.length; });
  rows.forEach(number);
  for (let sweep = 0; sweep < SPACE.sweeps; sweep++) {
    const side = sweep % 2 ? "below" : "above";
    for (const row of sweep % 2 ? [...rows].reverse() : rows) {
      for (const place of row) {
        const near = place[side];
        place.wish = near.length ? near.reduce((sum, end) => sum + end.place.at, 0) / near.length : place.at;
      }
      row.sort((one, other) => one.wish - other.wish);
      number(row);
    }
  }
}

// Gives each place an `x`, its middle: near the median of its neighbours, without overlaps in its row.
function placeRows(rows) {
  for (const row of rows) {
    let at = 0;
    for (const place of row) {
      place.offset = at + place.w / 2;
      at += place.w + SPACE.column;
    }
    for (const place of row) place.x = place.offset -= (at - SPACE.column) / 2;
  }
  for (let sweep = 0; sweep < SPACE.sweeps; sweep++) {
    const side = sweep % 2 ? "below" : "above";
    for (const row of sweep % 2 ? [...rows].reverse() : rows) {
      // A place minus its offset in the packed row may not fall from left to right: then no two places overlap, and
      // the nearest such positions are an isotonic regression.
      const wishes = row.map((place) => {
        const near = place[side].map((end) => end.place.x + end.far - end.own).sort((one, other) => one - other);
        const half = near.length >> 1;
        const wish = near.length ? (near[half] + near[near.length - 1 - half]) / 2 : place.x;
        return { value: wish - place.offset, weight: place.item < 0 ? 4 : near.length ? 1 : 0.05 };
      });
      nearestRising(wishes).forEach((shift, at) => { row[at].x = shift + row[at].offset; });
    }
  }
}

// Returns the non-decreasing numbers that are nearest to the given ones (pool adjacent violators algorithm).
function nearestRising(values) {
  const pools = [];
  for (const { value, weight } of values) {
    let pool = { sum: value * weight, weight, count: 1 };
    while (pools.length && pools[pools.length - 1].sum / pools[pools.length - 1].weight > pool.sum / pool.weight) {
      const before = pools.pop();
      pool = { sum: before.sum + pool.sum, weight: before.weight + pool.weight, count: before.count + pool.count };
    }
    pools.push(pool);
  }
  return pools.flatMap((pool) => Array(pool.count).fill(pool.sum / pool.weight));
}

// Returns the points of an edge: where it leaves its giver, enters and leaves each row that it passes, and ends.
function points(edge, route, items, tops) {
  const places = route[0].item === edge.from ? route : [...route].reverse();
  const isDown = places[0].row <= places[places.length - 1].row;
  const [first, last] = [places[0], places[places.length - 1]];
  const bottom = (place) => tops[place.row].y + (place.item < 0 ? tops[place.row].h : items[place.item].h);
  const path = [[first.x + edge.fromX, isDown ? bottom(first) : tops[first.row].y]];
  // Where an item is lower than its row, the arrow first leaves the row straight.
  if (isDown && bottom(first) < tops[first.row].y + tops[first.row].h) {
    path.push([path[0][0], tops[first.row].y + tops[first.row].h]);
  }
  for (const place of places.slice(1, -1)) {
    const [top, end] = [tops[place.row].y, tops[place.row].y + tops[place.row].h];
    path.push([place.x, isDown ? top : end], [place.x, isDown ? end : top]);
  }
  path.push([last.x + edge.toX, isDown ? tops[last.row].y : bottom(last)]);
  return path;
}
