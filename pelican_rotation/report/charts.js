// What the charts of the page show at a zoom: one by one, or summed up.
"use strict";

const MOST_BOXES = 1500; // as many boxes a chart shows one by one
const BINS = 360; // beyond, so many pieces of time are summed up
const LABEL_PIXELS = 6.6; // width of a letter of a label
const number = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
const ns = (value) => `${number.format(value)} ns`;
const plural = (count, word) => `${number.format(count)} ${word}${count === 1 ? "" : "s"}`;

// First place in ascending `values` whose value is above `limit`.
function above(values, limit) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

const emptyBoxes = () => ({
  left: [], right: [], bottom: [], top: [], colour: [], pattern: [], line1: [], line2: [],
});

function push(boxes, left, right, bottom, top, mark, line1, line2) {
  boxes.left.push(left);
  boxes.right.push(right);
  boxes.bottom.push(bottom);
  boxes.top.push(top);
  boxes.colour.push(mark.colour);
  boxes.pattern.push(mark.pattern);
  boxes.line1.push(line1);
  boxes.line2.push(line2);
}

const SUM = { colour: "#99a3ad", pattern: " " }; // many instructions in one box

// The instructions of one program, by engine and start.
class Timeline {
  constructor(section, name) {
    this.data = section.data;
    this.rows = section.data.timeline[name];
    this.lanes = this.data.engines.map(() => []);
    this.rows.engine.forEach((engine, row) => this.lanes[engine].push(row));
    this.ends = this.lanes.map((lane) => lane.map((row) => this.rows.busy_end[row]));
    this.starts = this.lanes.map((lane) => lane.map((row) => this.rows.start[row]));
  }

  middle(engine) {
    return this.lanes.length - 1 - engine;
  }

  title(row) {
    const { rows, data } = this;
    const iteration = data.texts[rows.iteration[row]];
    const name = data.operations[rows.operation[row]].name;
    return iteration ? `${name}, ${iteration}` : name;
  }

  details(row) {
    const { rows, data } = this;
    const line = rows.line[row] === null ? "" : `, line ${rows.line[row]}`;
    const late = rows.complete[row] - rows.busy_end[row];
    const writes = data.texts[rows.writes[row]];
    return [
      `${data.engines[rows.engine[row]]}${line}`,
      `${ns(rows.start[row])} to ${ns(rows.busy_end[row])}` +
        (late > 0 ? `, complete at ${ns(rows.complete[row])}` : ""),
      ...(writes ? [`writes ${writes.replaceAll("; ", "\nand ")}`] : []),
    ].join("\n");
  }

  box(row) {
    const y = this.middle(this.rows.engine[row]);
    return [this.rows.start[row], this.rows.busy_end[row], y - 0.4, y + 0.4];
  }

  fill(low, high) {
    const seen = this.lanes.map((lane, engine) => [
      above(this.ends[engine], low),
      above(this.starts[engine], high),
    ]);
    const count = seen.reduce((sum, [from, to]) => sum + Math.max(0, to - from), 0);
    const boxes = emptyBoxes();
    const each = count <= MOST_BOXES;
    seen.forEach(([from, to], engine) => {
      if (each) this.single(boxes, engine, from, to);
      else this.summed(boxes, engine, from, to, low, high);
    });
    const total = this.rows.row.length;
    const note = each
      ? `${plural(count, "instruction")} of ${number.format(total)} in view`
      : `${plural(count, "instruction")} in view: the height is the share of time in ` +
        "which the engine works. Zoom in to see each.";
    return { boxes, note, each };
  }

  single(boxes, engine, from, to) {
    for (const row of this.lanes[engine].slice(from, to)) {
      const mark = this.data.operations[this.rows.operation[row]];
      push(boxes, ...this.box(row), mark, this.title(row), this.details(row));
    }
  }

  summed(boxes, engine, from, to, low, high) {
    const width = (high - low) / BINS;
    const busy = new Float64Array(BINS);
    const count = new Uint32Array(BINS);
    const bin = (time) => Math.min(BINS - 1, Math.max(0, Math.floor((time - low) / width)));
    for (let place = from; place < to; place += 1) {
      const start = Math.max(low, this.starts[engine][place]);
      const end = Math.min(high, this.ends[engine][place]);
      for (let at = bin(start); at <= bin(end); at += 1) {
        const left = low + at * width;
        const part = Math.min(end, left + width) - Math.max(start, left);
        if (part > 0) {
          busy[at] += part;
          count[at] += 1;
        }
      }
    }
    const base = this.middle(engine) - 0.4;
    for (let at = 0; at < BINS; at += 1) {
      if (!count[at]) continue;
      const left = low + at * width;
      const share = Math.min(1, busy[at] / width);
      push(
        boxes, left, left + width, base, base + 0.8 * share, SUM,
        `${this.data.engines[engine]} works ${Math.round(100 * share)} % of this time`,
        `${plural(count[at], "instruction")}\n${ns(left)} to ${ns(left + width)}`,
      );
    }
  }

  // The row at a point of the chart, or the nearest one after it on that engine.
  at(x, y) {
    const engine = this.lanes.length - 1 - Math.round(y);
    const lane = this.lanes[engine];
    if (!lane || !lane.length) return null;
    return lane[Math.min(lane.length - 1, above(this.ends[engine], x))];
  }

  step(row, key) {
    if (row === null) return this.lanes.find((lane) => lane.length)?.[0] ?? null;
    const engine = this.rows.engine[row];
    const lane = this.lanes[engine];
    const place = lane.indexOf(row);
    if (key === "ArrowRight") return lane[Math.min(lane.length - 1, place + 1)];
    if (key === "ArrowLeft") return lane[Math.max(0, place - 1)];
    const other = engine + (key === "ArrowDown" ? 1 : -1);
    return this.lanes[other] ? this.at(this.rows.start[row], this.middle(other)) : row;
  }
}

// What lives in one space, by start.
class MemoryMap {
  constructor(section, space) {
    this.data = section.data;
    this.space = space;
    this.show("after");
  }

  show(state) {
    this.rows = this.data.memory[state][this.space];
    this.longest = 0; // no instance lives longer: where to start looking
    this.rows.start.forEach((start, row) => {
      this.longest = Math.max(this.longest, this.rows.end[row] - start);
    });
  }

  title(row) {
    const { rows, data } = this;
    return `${data.tensors[rows.tensor[row]].name}, instance ${rows.instance[row]}`;
  }

  place(row) {
    const { low, high } = this.rows;
    if (this.space === "sb") return `bytes ${number.format(low[row])} to ${number.format(high[row])}`;
    return high[row] - low[row] === 1 ? `bank ${low[row]}` : `banks ${low[row]} to ${high[row] - 1}`;
  }

  details(row) {
    const { rows } = this;
    const time = `${ns(rows.start[row])} to ${ns(rows.end[row])}`;
    return `slot ${rows.slot[row]}, ${this.place(row)}\n${time}`;
  }

  box(row) {
    const { rows } = this;
    return [rows.start[row], rows.end[row], rows.low[row], rows.high[row]];
  }

  fill(low, high) {
    const { rows } = this;
    const boxes = emptyBoxes();
    const to = above(rows.start, high);
    const seen = [];
    for (let row = above(rows.start, low - this.longest); row < to; row += 1) {
      if (rows.end[row] > low) seen.push(row);
    }
    const each = seen.length <= MOST_BOXES;
    if (each) {
      for (const row of seen) {
        const mark = this.data.tensors[rows.tensor[row]];
        push(boxes, ...this.box(row), mark, this.title(row), this.details(row));
      }
    } else this.merged(boxes, seen, (high - low) / BINS);
    const note = rows.start.length === 0 ? "Nothing lives here."
      : each ? `${plural(seen.length, "instance")} of ${number.format(rows.start.length)} in view`
      : `${plural(seen.length, "instance")} in view: those that follow closely in one ` +
        "place are one box. Zoom in to see each.";
    return { boxes, note, each };
  }

  // Instances that follow each other in one place, closer than `gap`, as one box.
  merged(boxes, seen, gap) {
    const { rows, data } = this;
    const open = new Map();
    const close = ({ row, end, count }) =>
      push(
        boxes, rows.start[row], end, rows.low[row], rows.high[row],
        data.tensors[rows.tensor[row]],
        `${data.tensors[rows.tensor[row]].name}: ${plural(count, "instance")}`,
        `slot ${rows.slot[row]}, ${this.place(row)}\n${ns(rows.start[row])} to ${ns(end)}`,
      );
    for (const row of seen) {
      const key = `${rows.tensor[row]} ${rows.low[row]}`;
      const last = open.get(key);
      if (last && rows.start[row] - last.end <= gap) {
        last.end = Math.max(last.end, rows.end[row]);
        last.count += 1;
      } else {
        if (last) close(last);
        open.set(key, { row, end: rows.end[row], count: 1 });
      }
    }
    open.forEach(close);
  }

  at(x, y) {
    const { rows } = this;
    for (let row = above(rows.start, x) - 1; row >= 0; row -= 1) {
      if (rows.end[row] > x && rows.low[row] <= y && y < rows.high[row]) return row;
    }
    return null;
  }

  step(row, key) {
    const { rows } = this;
    const count = rows.start.length;
    if (row === null || row >= count) return count ? 0 : null;
    if (key === "ArrowRight") return Math.min(count - 1, row + 1);
    if (key === "ArrowLeft") return Math.max(0, row - 1);
    const y = key === "ArrowUp" ? rows.high[row] : rows.low[row] - 1;
    return this.at(rows.start[row], y) ?? row;
  }
}
