"use strict";
/* The state of the program at a step: who holds which lock, which messages wait in which mailbox, which
 * value a variable has. It is computed from the rows alone and draws nothing. Loaded before page.js,
 * whose run() it calls. */

function takes(mode) { return mode === "acquire" || mode === "share"; }
function gives(mode) { return mode === "release" || mode === "unshare"; }

function applyLocks(state, row) {
	const touches = row.touches || (row.object ? [{object: row.object, mode: row.mode}] : []);
	if (row.kind === "io-write" || row.kind === "io-read" || / \(fails\)$/.test(row.text)) return;
	for (const touch of touches) {
		const holders = state.locks.get(touch.object) || new Set();
		if (takes(touch.mode)) holders.add(row.actor);
		else if (gives(touch.mode)) holders.delete(row.actor);
		else continue;
		state.locks.set(touch.object, holders);
	}
}

function applyMail(state, row) {
	if (row.mode === "send" && row.object && row.object.startsWith("mailbox of ")) {
		const box = state.boxes.get(row.object) || [];
		box.push(row);
		state.boxes.set(row.object, box);
	}
	if (row.kind === "receive" && row.from !== undefined)
		for (const box of state.boxes.values()) {
			const at = box.findIndex((sent) => sent.step === row.from);
			if (at >= 0) box.splice(at, 1);
		}
}

let known = {}; /* the last answer of stateAt(): a step forward goes on from it */

function stateAt(last) {
	const all = run().interleaving;
	if (known.all !== all || known.next > last + 1)
		known = {all: all, next: 0, state: {locks: new Map(), boxes: new Map(), variables: new Map()}};
	const state = known.state;
	for (; known.next <= last && known.next < all.length; known.next++) {
		const row = all[known.next];
		if (row.step === null && !row.between) continue;
		applyLocks(state, row);
		applyMail(state, row);
		if (row.value !== undefined && row.object)
			state.variables.set(row.object, {value: row.value.split(" → ").pop(), by: row});
	}
	return state;
}
