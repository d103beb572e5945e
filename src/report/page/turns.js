"use strict";
/* Equal turns of a loop are one row, until it is clicked. Loaded before page.js, whose functions it uses. */

const TURN_MAX = 8, TURNS_LEAST = 3; /* steps of a turn, and turns, that are folded */

function isSameRow(a, b) {
	return a && b && a.actor === b.actor && a.text === b.text && a.line === b.line && a.file === b.file &&
		!markOf(a).trim() && !markOf(b).trim();
}

/* How many rows from `at` on belong to further turns that are equal to the `period` rows before them. */
function equalRows(rows, at, period) {
	let len = 0;
	while (isSameRow(rows[at + len], rows[at + len - period])) len++;
	return len - len % period;
}

/* The turns behind the first one are one row, "… 12 more equal turns", until it is clicked. */
function fold(rows) {
	const kept = [];
	for (let i = 0; i < rows.length; i++) {
		kept.push(rows[i]);
		for (let period = 1; period <= TURN_MAX && i + 1 >= period; period++) {
			const len = equalRows(rows, i + 1, period), turns = len / period;
			if (turns + 1 < TURNS_LEAST) continue;
			const last = rows[i + len], isOpen = view.open.has(rows[i + 1].index);
			kept.push(...isOpen ? rows.slice(i + 1, i + len + 1) : [{index: last.index, actor: last.actor, step: null, between: true, around: true,
				fold: rows[i + 1].index, text: "… " + count(turns, "more equal turn") + " of " +
				(period > 1 ? "these " + period + " steps" : "this step")}]);
			i += len;
			break;
		}
	}
	return kept;
}

function unfold(row) {
	view.open.add(row.fold);
	refresh();
}

/* Is the tag "first difference" in the row? It stands above the line between two rows. */
function isNear(place) {
	const rows = view.rows.slice(place ? place + 1 : 0, place + 2);
	return rows.some((row) => row.index === view.difference);
}
