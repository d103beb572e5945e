"use strict";
/* The page of a finding. The data is a report as `fermata test --json` writes it, with excerpts of
 * the sources. Rows are drawn only while they are in view, so that a run of 10,000 steps is as quick
 * as one of ten. */

const ROW = 24, MARGIN = 64, LANE_MIN = 150, OVER = 12, SHORT = 8, TAG = 112; /* TAG: of "first difference" */
const data = JSON.parse(document.getElementById("data").textContent);
const view = {finding: 0, passing: false, all: false, actor: "", kind: "", object: "", text: "",
	at: 0, rows: [], first: 0, open: new Set()};

function make(tag, attributes, ...children) {
	const one = document.createElement(tag);
	for (const [key, value] of Object.entries(attributes || {})) {
		if (key === "text") one.textContent = value;
		else if (key.startsWith("on")) one.addEventListener(key.slice(2), value);
		else one.setAttribute(key, value);
	}
	one.append(...children.filter((child) => child !== null));
	return one;
}

function draw(tag, attributes, text) {
	const one = document.createElementNS("http://www.w3.org/2000/svg", tag);
	for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
	if (text) one.textContent = text;
	return one;
}

function finding() { return data.findings[view.finding]; }
function run() { return view.passing ? finding().passing : finding(); }
function colour(lane) { return "var(--lane" + (lane % 8) + ")"; }
function colourOf(row) { return colour(run().lanes.findIndex((actor) => actor.id === row.actor)); }
function lanes() { return view.lanes; }
function nameOf(id) {
	const found = run().actors.find((actor) => actor.id === id);
	return found ? found.name : id;
}

/* ---- which rows are shown ---- */

/* Each row gets its lane and its index; older findings have no list of actors. */
function prepare(one) {
	if (!one || one.lanes) return;
	const seen = new Set(one.interleaving.map((row) => row.actor));
	const known = one.actors || [];
	const rest = [...seen].filter((id) => !known.some((actor) => actor.id === id));
	one.actors = known.concat(rest.map((id) => ({id: id, name: id})));
	one.lanes = one.actors.filter((actor) => seen.has(actor.id)); /* in the order of creation */
	one.byStep = new Map();
	one.isSliced = one.interleaving.some((row) => row.matters);
	one.interleaving.forEach((row, index) => {
		row.index = index;
		if (row.step !== null && !row.between) one.byStep.set(row.step, index);
	});
	prepare(one.passing);
}

function isShown(row) {
	if (!view.all && !view.passing && finding().isSliced && !row.matters) return false;
	if (view.actor && row.actor !== view.actor) return false;
	if (view.kind && row.kind !== view.kind) return false;
	if (view.object && !objectsOf(row).includes(view.object)) return false;
	return !view.text || (row.text + " " + (row.file || "") + " " + (row.source || ""))
		.toLowerCase().includes(view.text.toLowerCase());
}

function objectsOf(row) {
	return (row.touches || []).map((touch) => touch.object).concat(row.object || []);
}

/* The first row at which the passing run goes another way. */
function firstDifference() {
	const one = finding().interleaving.filter((row) => !row.between);
	const other = (finding().passing || {interleaving: []}).interleaving
		.filter((row) => !row.between);
	let i = 0;
	while (i < one.length && i < other.length && one[i].actor === other[i].actor &&
	       one[i].kind === other[i].kind) i++;
	const at = (view.passing ? other : one)[i];
	return at ? at.index : -1;
}

/* The lanes in the order of creation. If there is no room for all, those with a mark come first. */
function inView(all) {
	if (all.length * LANE_MIN <= (holder.run.clientWidth || 900) - MARGIN - 24) return all;
	const marked = new Set(view.rows.filter((row) => /[*!]/.test(markOf(row))).map((row) => row.actor));
	return all.filter((actor) => marked.has(actor.id)).concat(all.filter((actor) => !marked.has(actor.id)));
}

function choose() {
	const picked = view.rows[view.at];
	view.difference = finding().passing ? firstDifference() : -1;
	view.rows = fold(run().interleaving.filter(isShown));
	const seen = new Set(view.rows.map((row) => row.actor));
	view.lanes = inView(run().lanes.filter((actor) => seen.has(actor.id)));
	const laneOf = new Map(view.lanes.map((actor, lane) => [actor.id, lane]));
	for (const row of view.rows) row.lane = laneOf.get(row.actor);
	view.places = new Map(view.rows.map((row, place) => [row.index, place]));
	view.own = lanes().map(() => []);
	view.rows.forEach((row, place) => view.own[row.lane].push(place));
	const index = picked ? view.rows.findIndex((row) => row.index >= picked.index) : 0;
	view.at = Math.max(0, index < 0 ? view.rows.length - 1 : index);
}

/* ---- the lanes ---- */

const holder = {};

function laneWidth() {
	const room = (holder.run.clientWidth || 900) - MARGIN - 24;
	return Math.max(LANE_MIN, Math.floor(room / Math.max(1, lanes().length)));
}

function laneX(lane) { return MARGIN + lane * laneWidth() + 10; }

function markOf(row) {
	const one = run();
	if (row.fold !== undefined) return "";
	const isPair = !view.passing && row.step !== null && !row.between &&
		[one.order_first, one.order_second, ...(one.order_also || [])].includes(row.step);
	if (isPair || (row.step === null && !row.between && row.actor === one.order_actor)) return "*";
	if (isCulprit(row)) return "!";
	return row.preemption ? ">" : "";
}

function isCulprit(row) {
	if (view.passing) return false;
	if (row.between) return !row.around;
	return row.step !== null && (finding().sites || []).some((site) => site.step === row.step);
}

/* In the explorer: a step that nobody has chosen. */
function isFuture(row) {
	return data.moment && (row.step === null || row.index >=
		(run().byStep.get(data.moment.steps) ?? run().interleaving.length));
}

function makeRow(row, place) {
	const one = make("div", {"class": "row" + (isCulprit(row) ? " culprit" : "") +
		(place === view.at ? " picked" : "") + (isFuture(row) ? " future" : "") + (row.between ? " between" : "") +
		(row.index === view.difference ? " first" : "") + (row.fold !== undefined ? " fold" : ""),
	style: "top:" + place * ROW + "px", "data-place": place,
	onclick: () => row.fold !== undefined ? unfold(row) : pick(place)});
	const number = row.between ? "" : row.step === null ? "–" : String(row.step + 1);
	const words = make("span", {"class": "t", style: "left:" + (laneX(row.lane) + 12) +
		"px;color:" + colourOf(row) + ";max-width:calc(100% - " + (laneX(row.lane) + 12 +
		(isNear(place) ? TAG : 0)) + "px)"});
	words.append(make("span", {text: row.text}));
	if (row.file) words.append(make("small", {text: base(row.file) + ":" + row.line}));
	one.append(make("span", {"class": "n", text: number}), make("span", {"class": "m",
		text: markOf(row)}), words);
	if (row.index === view.difference)
		one.append(make("span", {"class": place ? "diff" : "diff top", text: "first difference"}));
	return one;
}

const count = (n, noun) => n + " " + noun + (n === 1 ? "" : "s");
const base = (path) => path.slice(path.lastIndexOf("/") + 1);

/* For each lane the rows between which the actor lives, waits, and holds locks. */
function spans() {
	const result = [], held = new Map();
	view.rows.forEach((row, place) => {
		for (const touch of row.touches || (row.object ? [row] : [])) {
			const key = row.actor + " " + touch.object;
			if (takes(touch.mode) && !held.has(key))
				held.set(key, {lane: row.lane, from: place, name: touch.object});
			else if (gives(touch.mode) && held.has(key)) {
				result.push(Object.assign(held.get(key), {to: place}));
				held.delete(key);
			}
		}
	});
	for (const span of held.values()) result.push(Object.assign(span, {to: view.rows.length}));
	return result;
}

function drawLife(svg, from, to) {
	lanes().forEach((actor, lane) => {
		const own = view.own[lane], ink = colour(run().lanes.indexOf(actor));
		for (let i = 0; i < own.length; i++) {
			const place = own[i], next = i + 1 < own.length ? own[i + 1] : place;
			if (next < from || place > to) continue;
			const row = view.rows[place], isNever = (one) => one.step === null && !one.between;
			const waits = isNever(view.rows[next]) ||
				/^(wait|futex-wait)$/.test(row.kind || "");
			svg.append(draw("line", {x1: laneX(lane), x2: laneX(lane),
				y1: place * ROW + ROW / 2, y2: next * ROW + ROW / 2, stroke: ink,
				"stroke-width": waits ? 1 : 2, "stroke-dasharray": waits ? "2 5" : "none"}));
			svg.append(draw("circle", {cx: laneX(lane), cy: place * ROW + ROW / 2, r: 4,
				fill: isNever(row) ? "var(--bg)" : ink, stroke: ink, "stroke-width": 2}));
		}
	});
}

function drawLocks(svg, from, to) {
	const names = [...new Set(view.spans.map((span) => span.name))];
	for (const span of view.spans) {
		if (span.to < from || span.from > to) continue;
		const nth = names.indexOf(span.name), x = laneX(span.lane) - 9 - 4 * (nth % 3);
		const bar = draw("rect", {x: x, y: span.from * ROW + ROW / 2 - 4, width: 3, rx: 1,
			height: Math.max(8, (span.to - span.from) * ROW), fill: colour(nth + 3),
			"class": "lock"});
		bar.append(draw("title", {}, span.name));
		svg.append(bar);
	}
}

function drawArrows(svg, from, to) {
	const places = view.places;
	for (let place = Math.max(0, from); place < Math.min(view.rows.length, to); place++) {
		const row = view.rows[place];
		const start = row.from === undefined ? undefined : places.get(run().byStep.get(row.from));
		if (start === undefined || view.rows[start].lane === row.lane) continue;
		const x1 = laneX(view.rows[start].lane), y1 = start * ROW + ROW / 2;
		const x2 = laneX(row.lane), y2 = place * ROW + ROW / 2;
		const long = Math.hypot(x2 - x1, y2 - y1) || 1;
		svg.append(draw("line", {x1: x1, y1: y1, x2: x2 - (x2 - x1) / long * 6,
			y2: y2 - (y2 - y1) / long * 6, stroke: "var(--dim)", "stroke-width": 1,
			"stroke-opacity": 0.7, "class": "arrow", "marker-end": "url(#tip)"}));
	}
}

function tip(id, ink) {
	const marker = draw("marker", {id: id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7,
		markerHeight: 7, orient: "auto-start-reverse"});
	marker.append(draw("path", {d: "M0 0 L8 4 L0 8 z", fill: ink}));
	const all = draw("defs", {});
	all.append(marker);
	return all;
}

/* Draws the rows in view and a few more. */
function drawRows() {
	const top = holder.run.scrollTop, height = holder.run.clientHeight || 600;
	const from = Math.max(0, Math.floor(top / ROW) - OVER);
	const to = Math.min(view.rows.length, Math.ceil((top + height) / ROW) + OVER);
	const svg = draw("svg", {"class": "threads", width: MARGIN + lanes().length * laneWidth() + 20,
		height: view.rows.length * ROW});
	svg.append(tip("tip", "var(--dim)"));
	drawLocks(svg, from, to);
	drawLife(svg, from, to);
	drawArrows(svg, from, to);
	holder.rows.replaceChildren();
	for (let place = from; place < to; place++)
		holder.rows.append(makeRow(view.rows[place], place));
	holder.rows.append(svg); /* above the rows, which have backgrounds */
}

function drawHeads() {
	holder.heads.replaceChildren(...lanes().map((actor, lane) =>
		make("span", {text: actor.name, title: actor.id, style: "left:" + laneX(lane) +
			"px;max-width:" + (laneWidth() - 8) + "px;color:" +
			colour(run().lanes.indexOf(actor))})));
	const width = MARGIN + lanes().length * laneWidth();
	holder.heads.style.minWidth = holder.rows.style.minWidth = width + "px";
	holder.rows.style.height = view.rows.length * ROW + 8 + "px";
	/* A short run leaves room for the state at its steps. */
	holder.main.style.height = "clamp(min(620px, 74vh), " + (view.rows.length * ROW + 60) + "px, 74vh)";
}

/* ---- the panels ---- */

const WORDS = new RegExp("(\\/\\/.*|%.*|#(?!include|define|fn).*$|\"(?:[^\"\\\\]|\\\\.)*\")|\\b(" +
	"if|else|for|while|do|return|struct|static|const|int|void|char|bool|long|unsigned|auto|case|of|" +
	"end|receive|after|fun|fn|def|defp|defmodule|try|catch|throw|when|begin|new|delete|class|" +
	"std|size_t)\\b", "g");

function highlight(line, code) {
	let last = 0;
	for (const found of code.matchAll(WORDS)) {
		line.append(code.slice(last, found.index),
			make(found[1] ? "u" : "i", {text: found[0]}));
		last = found.index + found[0].length;
	}
	line.append(code.slice(last));
}

/* The place of the row; if its source is not there, the first frame of the stack whose source is. */
function placeOf(row) {
	const has = (one) => one.file && ((data.excerpts || {})[one.file] || {})[one.line] !== undefined;
	if (!row || has(row) || row.source) return row;
	const site = (finding().sites || []).find((one) => one.step === row.step && one.actor === row.actor);
	return ((site || {}).stack || []).find(has) || row;
}

function drawSource(picked) {
	const panel = make("section", {"class": "at"}, make("h2", {text: "Source"})), row = placeOf(picked);
	const lines = row && row.file ? (data.excerpts || {})[row.file] || {} : {};
	if (!row || !row.file) {
		panel.append(make("p", {"class": "none", text: "This step has no place in the sources."}));
		return panel;
	}
	panel.append(make("div", {"class": "file mono", text: row.file + ":" + row.line}));
	const box = make("div", {"class": "source mono"});
	const known = Object.keys(lines).map(Number).filter((n) => Math.abs(n - row.line) <= 7)
		.sort((a, b) => a - b);
	if (!known.length) known.push(row.line);
	for (const n of known) {
		const line = make("div", {"class": n === row.line ? "here" : ""}, make("b", {text: n}));
		highlight(line, lines[n] !== undefined ? lines[n] : row.source || "");
		box.append(line);
	}
	panel.append(box);
	return panel;
}

function rowsOf(title, rows) {
	const table = make("table", {});
	for (const [head, text, isNew] of rows)
		table.append(make("tr", {}, make("th", {"class": "mono", text: head}),
			make("td", {"class": isNew ? "new" : "", text: text})));
	return make("section", {}, make("h2", {text: title}),
		rows.length ? table : make("p", {"class": "none", text: "none"}));
}

/* The message of a step that sends it: "ping" of "send ping to pong"; a call or a cast names itself. */
function messageOf(sent) {
	const found = /^(send|reply) (.*) to \S+$/.exec(sent.text) || /^(call|cast to) \S+: (.*)$/.exec(sent.text);
	if (!found) return sent.text;
	return found[1] === "send" ? found[2] : found[1].replace(" to", "") + " " + found[2];
}

function drawState(row) {
	const state = stateAt(row ? row.index : -1), parts = [];
	const locks = [...state.locks].filter(([, holders]) => holders.size);
	const isTouched = (name) => row && objectsOf(row).includes(name);
	if (state.locks.size)
		parts.push(rowsOf("Locks held", locks.map(([name, holders]) =>
			[name, [...holders].map(nameOf).join(", "), isTouched(name)])));
	if (state.boxes.size)
		parts.push(rowsOf("Mailboxes", [...state.boxes].filter(([name, box]) => box.length || isTouched(name))
			.map(([name, box]) => [name.replace("mailbox of ", ""), box.length ?
				box.map(messageOf).join("; ") : "empty", isTouched(name)])));
	if (state.variables.size)
		parts.push(rowsOf("Variables", [...state.variables].map(([name, variable]) =>
			[name, variable.value + "  (" + nameOf(variable.by.actor) + ", step " +
				(variable.by.step + 1) + ")", isTouched(name)])));
	if (!parts.length) parts.push(rowsOf("State", []));
	return parts;
}

function drawSide() {
	const row = view.rows[view.at];
	const title = row ? (row.fold !== undefined ? "equal turns" : row.between ? "between steps" : row.step === null ? "never taken" :
		"step " + (row.step + 1)) + " · " + nameOf(row.actor) : "no step";
	holder.side.replaceChildren(make("section", {"class": "step"}, make("h2", {text: title}),
		make("div", {text: row ? row.text : ""})), drawSource(row), ...drawState(row));
}

/* ---- moving ---- */

function pick(place) {
	view.at = Math.max(0, Math.min(view.rows.length - 1, place));
	const top = view.at * ROW, height = holder.run.clientHeight - 60;
	if (top < holder.run.scrollTop || top > holder.run.scrollTop + height)
		holder.run.scrollTop = Math.max(0, top - height / 2);
	drawRows();
	drawSide();
}

function pickSame(by) {
	const actor = view.rows[view.at] && view.rows[view.at].actor;
	let place = view.at + by;
	while (view.rows[place] && view.rows[place].actor !== actor) place += by;
	if (view.rows[place]) pick(place);
}

const KEYS = {
	ArrowDown: () => pick(view.at + 1), j: () => pick(view.at + 1),
	ArrowUp: () => pick(view.at - 1), k: () => pick(view.at - 1),
	ArrowRight: () => pickSame(1), ArrowLeft: () => pickSame(-1),
	PageDown: () => pick(view.at + 20), PageUp: () => pick(view.at - 20),
	Home: () => pick(0), End: () => pick(view.rows.length - 1),
	m: () => toggle("all"), p: () => finding().passing && toggle("passing"),
	d: () => document.documentElement.classList.toggle("dark"),
	"/": () => holder.filter.focus(),
	Enter: () => view.rows[view.at] && view.rows[view.at].fold !== undefined && unfold(view.rows[view.at]),
};

function onKey(event) {
	if (event.target.tagName === "INPUT" || event.target.tagName === "SELECT") {
		if (event.key === "Escape") event.target.blur();
		return;
	}
	if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
	event.preventDefault();
	KEYS[event.key]();
}

function toggle(what) {
	view[what] = !view[what];
	if (what === "passing") view.actor = view.kind = view.object = "";
	refresh();
	if (what === "passing" && view.difference >= 0)
		pick(view.rows.findIndex((row) => row.index >= view.difference));
}

/* ---- the page ---- */

function options(label, key, entries) {
	const one = make("select", {"data-filter": key, "aria-label": label, onchange: (event) => {
		view[key] = event.target.value;
		refresh();
	}}, make("option", {value: "", text: label}));
	for (const [value, text] of entries)
		one.append(make("option", Object.assign({value: value, text: text},
			view[key] === value ? {selected: ""} : {})));
	return one;
}

function unique(list) { return [...new Set(list)].sort(); }

function button(id, text, isOn, act) {
	return make("button", {id: id, text: text, "class": isOn ? "on" : "", onclick: act});
}

function drawBar() {
	const all = run().interleaving, one = finding();
	const matters = one.isSliced;
	holder.bar.replaceChildren(...[
		data.findings.length > 1 ? make("select", {id: "which", onchange: (event) => {
			Object.assign(view, {finding: Number(event.target.value), at: 0, passing: false});
			start();
		}}, ...data.findings.map((f, i) => make("option", Object.assign({value: i, text: f.kind + " " +
			(i + 1)}, i === view.finding ? {selected: ""} : {})))) : null,
		one.passing ? button("failing", "failing run", !view.passing,
			() => view.passing && toggle("passing")) : null,
		one.passing ? button("passing", "nearest passing run", view.passing,
			() => view.passing || toggle("passing")) : null,
		matters && !view.passing ? button("all", view.all ? "all steps" : "steps that matter",
			!view.all, () => toggle("all")) : null,
		options("all actors", "actor", run().lanes.map((actor) => [actor.id, actor.name])),
		options("all kinds", "kind", unique(all.map((row) => row.kind).filter(Boolean))
			.map((kind) => [kind, kind])),
		options("all objects", "object", unique(all.flatMap(objectsOf)).slice(0, 500)
			.map((name) => [name, name])),
		holder.filter,
		make("span", {"class": "count", text: view.rows.length + " of " + all.length + " rows"}),
		make("span", {"class": "gap"}),
		make("button", {id: "theme", text: "◐", title: "light / dark (d)", "aria-label": "light or dark",
			onclick: KEYS.d})].filter(Boolean));
}

/* The last two parts of the path; the whole is in the title. */
function drawPlace(one, className) {
	return make("span", {"class": className, title: one.file + ":" + one.line,
		text: one.file.split("/").slice(-2).join("/") + ":" + one.line});
}

/* Where an actor is at the bug. The place is that of the innermost frame, unless that is in a library. */
function drawStack(one) {
	const list = make("ol", {"class": "stack"}), frames = one.stack || [];
	const isDoubled = frames.length && frames[0].file === one.file && frames[0].line === one.line;
	for (const frame of frames)
		list.append(make("li", {}, make("code", {text: (frame.function || "?") + "  "}),
			frame.file ? drawPlace(frame, "file") : null));
	return make("section", {"class": "site"},
		make("div", {}, make("b", {text: one.actor ? nameOf(one.actor) : ""}), " " + one.role),
		one.file && !isDoubled ? make("div", {}, drawPlace(one, "file mono")) : null, list,
		...(one.locks || []).map((lock) => make("div", {title: lock, text: "holds " +
			lock.replace(/[^ ]*[/]/, "")})));
}

/* The actors that wait, in a circle, each with an arrow to the one it waits for. */
function drawGraph(waits) {
	const ids = [...new Set(waits.flatMap((wait) => [wait.from, wait.to]))];
	const size = ids.length > 3 ? 340 : 240, middle = size / 2;
	const radius = ids.length > 1 ? size / 2 - 45 : 0;
	const svg = draw("svg", {"class": "graph", width: size + 160, height: size, viewBox:
		`-80 0 ${size + 160} ${size}`, role: "img", "aria-label": "wait-for graph"});
	const at = (id) => {
		const angle = 2 * Math.PI * ids.indexOf(id) / ids.length - Math.PI / 2;
		return [middle + 1.5 * radius * Math.cos(angle), middle + radius * Math.sin(angle)];
	};
	svg.append(tip("wait", "var(--bad)"));
	for (const wait of waits) {
		const [x1, y1] = at(wait.from), [x2, y2] = at(wait.to);
		const dx = x2 - x1, dy = y2 - y1, long = Math.hypot(dx, dy) || 1;
		const isMutual = waits.some((other) => other.from === wait.to && other.to === wait.from);
		const by = isMutual ? 0.3 : 0, bend = [(x1 + x2) / 2 - dy * by, (y1 + y2) / 2 + dx * by];
		svg.append(draw("path", {d: `M${x1} ${y1} Q ${bend[0]} ${bend[1]}, ` +
			`${x2 - dx / long * 26} ${y2 - dy / long * 26}`, fill: "none", stroke: "var(--bad)",
			"stroke-width": 1.6, "marker-end": "url(#wait)"}));
		/* Beside the line, on the outer side or that to which it bends, as far as the word is wide. */
		const isInner = !isMutual && dx * (y1 + y2 - size) < dy * (x1 + x2 - size);
		const far = (isInner ? -1 : 1) * (6 + Math.abs(dy) / long * 3.4 * wait.what.length + Math.abs(dx) / long * 7);
		svg.append(draw("text", {x: (bend[0] + (x1 + x2) / 2) / 2 - dy / long * far,
			y: (bend[1] + (y1 + y2) / 2) / 2 + dx / long * far + 4,
			"class": "what", "text-anchor": "middle"}, wait.what));
	}
	for (const id of ids) {
		const [x, y] = at(id), lane = run().lanes.findIndex((actor) => actor.id === id);
		svg.append(draw("circle", {cx: x, cy: y, r: 9, fill: colour(Math.max(0, lane))}));
		svg.append(draw("text", {x: x, y: y > middle ? y + 24 : y - 15, "text-anchor": "middle"}, nameOf(id)));
	}
	return make("section", {"class": "waits"}, make("h2", {text: "Who waits for whom"}), svg);
}

/* Of a property the calls come first: the steps only show how the outcomes came about. */
function drawCalls() {
	const one = finding(), isProperty = one.kind === "not-linearizable" || one.kind === "property";
	holder.calls.replaceChildren(...one.details ? [make("h2", {text: isProperty ?
		"Calls and outcomes" : "Details"}), make("pre", {text: one.details})] : []);
	holder.calls.hidden = !one.details;
}

/* Below a short run there is room for those who wait, and for the stacks. */
function drawMore() {
	const one = finding(), isShort = !data.moment && view.rows.length <= SHORT;
	const who = [(one.waits || []).length ? drawGraph(one.waits) : null,
		...(one.sites || []).filter((site) => site.file || (site.stack || []).length).map(drawStack)].filter(Boolean);
	holder.below.replaceChildren(...isShort ? who : []);
	holder.more.replaceChildren(...[...isShort ? [] : who,
		one.output ? make("section", {}, make("h2", {text: "Output of the program"}),
			make("pre", {text: one.output})) : null, ...drawPlots()].filter(Boolean));
}

function numbers() {
	const parts = [];
	if (data.program) parts.push(data.program);
	if (data.executions || data.sampled)
		parts.push([data.executions ? count(data.executions, "execution") : null,
			data.sampled ? count(data.sampled, "sampled run") : null, count(data.steps, "step"),
			data.wall_seconds.toFixed(2) + " s"].filter(Boolean).join(", "));
	if (data.strategy) parts.push("strategy " + data.strategy + ", seed " + data.seed);
	return parts.join(" · ");
}

function drawHeader() {
	const one = finding();
	const where = (one.sites || [])[0];
	holder.header.replaceChildren(
		make("h1", {}, make("span", {"class": one.kind === "run" ? "" : "kind", text: one.kind === "run" ?
			"a run of " + base(data.program || "") : one.kind}), where && (where.file ||
			where.function) ? " at " + (where.file ? where.file + ":" + where.line :
			where.function) : ""),
		make("p", {"class": "sentence", text: one.message || "This run ends well."}));
	if (one.order) holder.header.append(make("p", {"class": "order", text: one.order}));
	if (data.moment) return;
	holder.header.append(make("p", {"class": "numbers", text: [numbers(), count(one.events, "step") +
		", " + count(one.preemptions, "preemption") + ", found in run " + (one.executions_before + 1),
	"fingerprint " + one.fingerprint].filter(Boolean).join(" · ")}));
	if (one.replay)
		holder.header.append(make("p", {"class": "numbers mono", text: one.replay}));
}

function refresh() {
	choose();
	view.spans = spans();
	drawBar();
	drawHeads();
	pick(view.at);
}

/* A finding begins at its last step that is part of the bug: there its reader begins to ask. */
function start() {
	prepare(finding());
	choose();
	const last = view.rows.map((row) => markOf(row)).lastIndexOf("*");
	const bug = view.rows.map((row) => isCulprit(row)).lastIndexOf(true);
	view.at = Math.max(0, last, bug);
	drawHeader();
	drawCalls();
	refresh();
	drawMore();
}

function build() {
	const app = document.getElementById("app");
	if (!data.findings.length) {
		app.append(make("header", {}, make("h1", {"class": data.verdict, text: data.line}),
			make("p", {"class": "numbers", text: numbers()})),
		make("div", {"class": "more"}, ...drawPlots()));
		return;
	}
	Object.assign(holder, {header: make("header"), bar: make("div", {"class": "bar"}),
		run: make("div", {"class": "run", tabindex: 0}), heads: make("div", {"class": "heads"}),
		rows: make("div", {"class": "rows"}), side: make("aside"),
		main: make("main"), below: make("div", {"class": "more below"}), calls: make("div", {"class": "calls"}), more: make("div", {"class": "more"}), filter: make("input", {type: "search",
			placeholder: "filter  /", oninput: (event) => {
				view.text = event.target.value;
				refresh();
			}})});
	holder.run.append(holder.heads, holder.rows, holder.below);
	holder.main.append(holder.run, holder.side);
	app.append(holder.header, holder.calls, holder.bar, holder.main, holder.more,
		make("div", {"class": "help", text: "↑ ↓ step · ← → same actor · m steps that matter / all · " +
			(finding().passing ? "p failing / passing run · " : "") + "/ filter · d light / dark"}),
		make("div", {"class": "help", text: "* the order of these steps matters · ! part of the bug · > taken while " +
			"the one before could have gone on · – never taken: waits here"}));
	holder.run.addEventListener("scroll", drawRows);
	window.addEventListener("resize", () => { drawHeads(); drawRows(); });
	document.addEventListener("keydown", onKey);
	start();
}

if (window.matchMedia && window.matchMedia("(prefers-color-scheme: dark)").matches)
	document.documentElement.classList.add("dark");
build();
