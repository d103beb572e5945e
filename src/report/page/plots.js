"use strict";
/* How the numbers of the search grew, as curves. Loaded before page.js, whose functions it uses. */

const PLOTS = [["seconds", "runs", "runs, over the seconds"],
	["runs", "outcomes", "distinct outcomes, over the runs"],
	["runs", "traces", "distinct traces of sampled runs, over the runs"],
	["runs", "covered", "pairs covered, over the runs"],
	["runs", "tests", "tests done, over the runs"],
	["runs", "size", "size of the failing test, over the runs"]];

const RUNS_LEAST = 20; /* of fewer there is no curve to see */

function short(n) {
	if (n >= 1e6) return (n / 1e6).toFixed(1) + "M";
	if (n >= 1e4) return Math.round(n / 1e3) + "k";
	if (n > 0 && n < 0.01) return n.toPrecision(1);
	return Number.isInteger(n) ? String(n) : n.toFixed(n < 10 ? 2 : 1);
}

/* A curve from the origin; the axes end with the largest values. */
function drawPlot(points, title) {
	const width = 320, height = 110, left = 44, top = 8;
	const [xMax, yMax] = [0, 1].map((i) => Math.max(...points.map((point) => point[i])) || 1);
	const at = ([x, y]) => [left + x / xMax * width, top + height - y / yMax * height];
	const svg = draw("svg", {"class": "plot", width: left + width + 30, height: top + height + 22,
		role: "img", "aria-label": title});
	svg.append(draw("path", {d: `M${left} ${top} V${top + height} H${left + width}`, fill: "none",
		stroke: "var(--line)"}));
	svg.append(draw("polyline", {points: points.map((point) => at(point).map((n) => n.toFixed(1))
		.join(",")).join(" "), fill: "none", stroke: "var(--lane0)", "stroke-width": 1.6}));
	svg.append(draw("text", {x: left - 6, y: top + 10, "text-anchor": "end"}, short(yMax)));
	svg.append(draw("text", {x: left - 6, y: top + height, "text-anchor": "end"}, "0"));
	svg.append(draw("text", {x: left + width, y: top + height + 16, "text-anchor": "middle"},
		short(xMax)));
	return make("section", {}, make("h2", {text: title}), svg);
}

function drawPlots() {
	const history = data.history;
	if (!history || history.rows.length < 3) return [];
	const column = (name) => history.columns.indexOf(name);
	const last = history.rows[history.rows.length - 1];
	if (last[column("runs")] < RUNS_LEAST) return [];
	return PLOTS.map(([x, y, title]) => [history.rows.map((row) => [row[column(x)], row[column(y)]])
		.filter((point) => point[1] > 0), title])
		.filter(([points]) => points.length > 1).map(([points, title]) => drawPlot(points, title));
}

