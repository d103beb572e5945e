"use strict";
/* The explorer's part of the page: the reader chooses which actor goes next. Every choice is sent with
 * all choices before it; the tool runs the program by them and answers with the page's data. */

const live = {choices: [], branches: [], panel: make("div", {"class": "live"}), busy: false,
	said: ""};

function moment() { return data.moment; }

function sameStart(one, other) {
	return one.length <= other.length && one.every((id, i) => id === other[i]);
}

/* A way that was left is kept, unless another one goes on where it ended. */
function keepBranch(choices) {
	if (!choices.length || live.branches.some((branch) => sameStart(choices, branch))) return;
	live.branches = live.branches.filter((branch) => !sameStart(branch, choices));
	live.branches.push(choices);
}

async function ask(name, body) {
	const reply = await fetch(name, {method: "POST", body: JSON.stringify(body)});
	return reply.json();
}

function take(state) {
	if (state.error) {
		live.said = state.error;
		return;
	}
	for (const key of Object.keys(data)) delete data[key];
	Object.assign(data, state);
	if (!moment().possible)
		live.said = "step " + (moment().steps + 1) + " is not possible there";
	live.choices = live.choices.slice(0, moment().steps);
}

async function go(choices) {
	if (live.busy) return;
	live.busy = true;
	live.said = "";
	if (!sameStart(live.choices, choices)) keepBranch(live.choices);
	live.choices = choices;
	try {
		take(await ask("state", {choices: choices}));
	} catch (error) {
		live.said = "the tool does not answer: has it ended?";
	}
	live.busy = false;
	show();
}

async function save(as) {
	const reply = await ask("save", {choices: live.choices, as: as});
	live.said = reply.error || "saved: " + reply.path;
	drawLive();
}

/* The actors of the first steps of the run that is shown. */
function actorsOfSteps(count) {
	return finding().interleaving.filter((row) => row.step !== null && !row.between &&
		row.step < count).map((row) => row.actor);
}

/* To before the row that is picked. */
function goToPicked() {
	const row = view.rows[view.at];
	if (!row) return;
	go(actorsOfSteps(row.step === null || row.between ?
		(view.rows.slice(view.at).find((one) => one.step !== null && !one.between) ||
			{step: finding().events}).step : row.step));
}

/* ---- the panel ---- */

function drawActor(actor, nth) {
	const place = actor.file ? "  " + base(actor.file) + ":" + actor.line : "";
	if (actor.can_go)
		return make("button", {"class": "go", "data-actor": actor.id,
			onclick: () => go([...live.choices, actor.id])},
		make("kbd", {text: nth < 9 ? nth + 1 : ""}), make("b", {text: actor.name}),
		" " + actor.text, make("small", {text: place}));
	return make("div", {"class": "stays", "data-actor": actor.id}, make("b", {text: actor.name}),
		actor.has_ended ? " has ended" : " cannot go: " + actor.text, make("small", {text: place}),
		actor.why ? make("div", {"class": "why", text: actor.why}) : "");
}

function sentence() {
	const all = finding(), ends = all.message || "the run ends well";
	if (moment().over) return "The run is over: " + ends;
	return "If nobody chooses any more, the run takes " + count(all.events - moment().steps,
		"more step") + ": " + ends;
}

function drawBranches() {
	if (!live.branches.length) return "";
	return make("select", {id: "branches", onchange: (event) => {
		if (event.target.value) go(live.branches[Number(event.target.value)]);
	}}, make("option", {value: "", text: "other ways"}), ...live.branches.map((branch, i) =>
		make("option", {value: i, text: count(branch.length, "step") + ", the last by " +
			nameOf(branch[branch.length - 1])})));
}

function drawLive() {
	const can = moment().actors.filter((actor) => actor.can_go);
	const rest = moment().actors.filter((actor) => !actor.can_go);
	live.panel.replaceChildren(
		make("div", {"class": "choose"},
			make("h2", {text: moment().over ? "Nobody can go" : "Who goes next? Step " +
				(moment().steps + 1)}), ...can.map(drawActor)),
		make("div", {"class": "rest"}, make("h2", {text: "The others"}), ...rest.map(drawActor),
			rest.length ? "" : make("p", {"class": "none", text: "all can go"})),
		make("div", {"class": "moves"},
			button("back", "back one step", false, () => go(live.choices.slice(0, -1))),
			button("first", "to the beginning", false, () => go([])),
			button("here", "to before the marked step", false, goToPicked),
			button("last", "let it run", false, () => go(actorsOfSteps(finding().events))),
			drawBranches(),
			moment().has_finding ? button("save-finding", "save as a finding", false,
				() => save("finding")) : "",
			button("save-schedule", "save as a schedule", false, () => save("schedule")),
			make("span", {"class": "said", text: live.said})),
		make("p", {"class": "future-words", text: sentence()}));
}

/* The marked step is the next one. */
function show() {
	Object.assign(view, {finding: 0, passing: false, all: true, actor: "", kind: "", object: "",
		text: ""});
	start();
	const next = view.rows.findIndex((row) => row.step === null || row.step >= moment().steps);
	pick(next < 0 ? view.rows.length - 1 : next);
	drawLive();
}

document.addEventListener("keydown", (event) => {
	if (event.target.tagName === "INPUT" || event.target.tagName === "SELECT" || event.ctrlKey ||
		event.metaKey || event.altKey) return;
	const can = moment().actors.filter((actor) => actor.can_go);
	if (event.key === "Backspace") go(live.choices.slice(0, -1));
	else if (event.key >= "1" && event.key <= "9" && can[Number(event.key) - 1])
		go([...live.choices, can[Number(event.key) - 1].id]);
	else return;
	event.preventDefault();
});

holder.bar.before(live.panel);
document.querySelector(".help").append(" · 1 … 9 let that actor go · Backspace back one step");
show();
