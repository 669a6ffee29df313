// The charts of each kernel, and what keys, buttons and pointers do with them.
"use strict";

// One kernel of the page: its charts share one axis of time.
class Section {
  constructor(element, place) {
    this.element = element;
    this.place = place;
    this.data = JSON.parse(element.querySelector(".chart-data").textContent);
    this.charts = new Map();
    this.waiting = false;
  }

  async draw() {
    const { document: drawn, roots } = JSON.parse(
      this.element.querySelector(".chart-figures").textContent,
    );
    const targets = {};
    for (const [id, name] of Object.entries(roots)) targets[id] = this.holder(name);
    const docid = `kernel-${this.place}`;
    const before = Bokeh.documents.length;
    const elements = Object.fromEntries(
      Object.entries(targets).map(([id, element]) => [id, element.id]),
    );
    await Bokeh.embed.embed_items(
      { [docid]: drawn }, [{ docid, roots: elements, root_ids: Object.keys(elements) }],
    );
    this.document = Bokeh.documents[before];
    this.time = this.document.get_model_by_name("time");
    for (const name of Object.values(roots)) {
      const kind = name in this.data.timeline ? Timeline : MemoryMap;
      this.charts.set(name, { name, content: new kind(this, name), chosen: null });
    }
    this.listen();
    this.colour();
    this.refresh();
  }

  holder(name) {
    return this.element.querySelector(`[data-chart="${name}"] .figure`);
  }

  frame(name) {
    return this.element.querySelector(`[data-chart="${name}"]`);
  }

  listen() {
    for (const { name } of this.charts.values()) {
      this.frame(name).addEventListener("keydown", (event) => this.key(name, event));
    }
    for (const button of this.element.querySelectorAll("[data-zoom]")) {
      button.addEventListener("click", () => this.zoom(button.dataset.zoom));
    }
    for (const radio of this.element.querySelectorAll("[data-memory]")) {
      radio.addEventListener("change", () => {
        for (const chart of this.charts.values()) {
          if (chart.content instanceof MemoryMap) {
            chart.content.show(radio.dataset.memory);
            chart.chosen = null;
          }
        }
        this.refresh();
      });
    }
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.refresh();
    });
  }

  refresh() {
    for (const { name } of this.charts.values()) {
      const [axis] = this.document.get_model_by_name(name).below;
      axis.ticker.desired_num_ticks = Math.max(2, Math.floor(this.holder(name).clientWidth / 130));
    }
    for (const chart of this.charts.values()) this.fill(chart);
  }

  source(name, part) {
    return this.document.get_model_by_name(`${name}.${part}`);
  }

  fill(chart) {
    const { name, content } = chart;
    const { start, end } = this.time;
    const { boxes, note, each } = content.fill(start, end);
    this.source(name, "shown").data = boxes;
    const pixels = this.holder(name).clientWidth * 0.85 / (end - start);
    const labels = { x: [], y: [], text: [] };
    boxes.line1.forEach((line, at) => {
      const left = Math.max(start, boxes.left[at]);
      const right = Math.min(end, boxes.right[at]);
      const [text] = line.split(/[,:]/);
      const fits = (right - left) * pixels > LABEL_PIXELS * text.length + 4;
      if ((each || content instanceof MemoryMap) && fits) {
        labels.x.push((left + right) / 2);
        labels.y.push((boxes.bottom[at] + boxes.top[at]) / 2);
        labels.text.push(text);
      }
    });
    this.source(name, "labels").data = labels;
    const chosen = chart.chosen === null ? [[], [], [], []]
      : content.box(chart.chosen).map((value) => [value]);
    const [left, right, bottom, top] = chosen;
    this.source(name, "chosen").data = { left, right, bottom, top };
    this.frame(name).querySelector(".note").textContent = note;
  }

  choose(name, row) {
    const chart = this.charts.get(name);
    chart.chosen = row;
    const output = this.frame(name).querySelector("output");
    if (row === null) output.textContent = "";
    else {
      const { content } = chart;
      output.textContent = `${content.title(row)}\n${content.details(row)}`;
      const [left, right] = content.box(row);
      const width = this.time.end - this.time.start;
      if (right < this.time.start || left > this.time.end) this.move(left - width / 2, width);
    }
    this.fill(chart);
  }

  tap(name, x, y) {
    this.choose(name, this.charts.get(name).content.at(x, y));
  }

  key(name, event) {
    const zooms = { "+": "in", "=": "in", "-": "out", Home: "whole", 0: "whole" };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in zooms) this.zoom(zooms[event.key], this.charts.get(name));
    else if (event.key === "PageUp") this.zoom("left");
    else if (event.key === "PageDown") this.zoom("right");
    else if (event.key === "Escape") this.choose(name, null);
    else if (event.key.startsWith("Arrow")) {
      const chart = this.charts.get(name);
      this.choose(name, chart.content.step(chart.chosen, event.key));
    } else return;
    event.preventDefault();
  }

  zoom(how, chart) {
    const { start, end } = this.time;
    const width = end - start;
    const box = chart && chart.chosen !== null ? chart.content.box(chart.chosen) : null;
    const middle = box ? (box[0] + box[1]) / 2 : (start + end) / 2;
    if (how === "whole") this.move(-Infinity, Infinity);
    else if (how === "left") this.move(start - width / 2, width);
    else if (how === "right") this.move(start + width / 2, width);
    else {
      const wanted = how === "in" ? width / 2 : width * 2;
      this.move(middle - wanted / 2, wanted);
    }
  }

  move(start, width) {
    const [least, most] = this.time.bounds;
    const size = Math.min(width, most - least);
    const from = Math.min(Math.max(least, start), most - size);
    this.time.setv({ start: from, end: from + size });
  }

  // The library draws on canvases: it is told the colours of the page.
  colour() {
    const style = getComputedStyle(document.documentElement);
    const [text, line] = ["--text", "--line"].map((name) => style.getPropertyValue(name).trim());
    for (const { name } of this.charts.values()) {
      const chart = this.document.get_model_by_name(name);
      chart.title.text_color = text;
      for (const axis of [...chart.below, ...chart.left]) {
        axis.setv({
          axis_label_text_color: text, major_label_text_color: text, axis_line_color: line,
          major_tick_line_color: line, minor_tick_line_color: null,
        });
      }
      for (const grid of chart.center) grid.grid_line_color = grid.grid_line_color && line;
      this.document.get_model_by_name(`${name}.frame`).glyph.line_color = text;
    }
  }
}

window.rotationReport = [...document.querySelectorAll("[data-kernel]")].map(
  (element, place) => new Section(element, place),
);
window.rotationReady = Promise.all(window.rotationReport.map((section) => section.draw()));
addEventListener("resize", () => {
  for (const section of window.rotationReport) section.later();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const section of window.rotationReport) section.colour();
});
