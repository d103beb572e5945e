/* Put at the end of a page by tests/explain/page: uses the page as a reader does, and leaves what it
 * saw in an attribute of the document. */
(() => {
	const seen = {errors: window.pageErrors};
	const press = (key) => document.querySelector(".run").dispatchEvent(
		new KeyboardEvent("keydown", {key: key, bubbles: true, cancelable: true}));
	const rows = () => document.querySelectorAll(".row").length;
	const place = () => Number(document.querySelector(".row.picked").dataset.place);
	const texts = (css) => [...document.querySelectorAll(css)].map((one) => one.textContent);
	const set = (css, value, kind) => {
		const one = document.querySelector(css);
		one.value = value;
		one.dispatchEvent(new Event(kind, {bubbles: true}));
	};

	/* Through all rows: the source, the state and the picture belong to the step under the cursor. */
	const walk = () => {
		const state = () => texts("aside table tr").join("\n");
		press("Home");
		seen.first_state = state();
		seen.here = new Set();
		seen.states = new Set();
		for (let i = 0; i < 60; i++) {
			const picked = document.querySelector(".row.picked");
			const line = document.querySelector(".source .here b");
			seen.here.add(picked.querySelector(".t").textContent + " | " + (document.querySelector(
				"aside .file") || {textContent: ""}).textContent + " | " + (line ? line.textContent : ""));
			seen.states.add(state());
			press("ArrowDown");
		}
		seen.here = [...seen.here];
		seen.states = [...seen.states];
		press("Home");
		const lane = () => document.querySelector("aside .step h2").textContent.split(" · ")[1];
		const before = lane();
		press("ArrowRight");
		seen.same = [before, lane()];
		press("ArrowLeft");
		seen.back = place();
		press("PageDown");
		press("k");
		press("j");
		press("End");
	};
	/* The rules for paper, on the screen. */
	const print = () => {
		const style = document.createElement("style");
		for (const sheet of document.styleSheets)
			for (const rule of sheet.cssRules)
				if (rule.media && rule.media.mediaText === "print")
					style.textContent += [...rule.cssRules].map((one) => one.cssText).join("\n");
		const shown = (css) => getComputedStyle(document.querySelector(css)).display !== "none";
		const before = [shown("main"), shown(".plain")];
		document.head.append(style);
		seen.print = [...before, shown("main"), shown(".plain"), getComputedStyle(document.body).backgroundColor, shown("header")];
		seen.plain = document.querySelector(".plain").textContent;
		style.remove();
	};
	const filter = (name) => {
		const options = [...document.querySelectorAll(`[data-filter=${name}] option`)].slice(1);
		const counts = {};
		for (const one of options.slice(0, 8)) {
			set(`[data-filter=${name}]`, one.value, "change");
			counts[one.value] = texts(".row .t");
		}
		set(`[data-filter=${name}]`, "", "change");
		return counts;
	};

	try {
		seen.numbers = texts(".numbers").join("\n");
		seen.order = texts(".order").join("");
		seen.title = document.querySelector("h1").textContent;
		seen.sentence = document.querySelector(".sentence").textContent;
		seen.lanes = texts(".heads span");
		seen.rows = rows();
		press("Home");
		seen.home = place();
		press("ArrowDown");
		seen.down = place();
		seen.side = document.querySelector("aside .step h2").textContent;
		press("ArrowUp");
		seen.up = place();
		press("End");
		seen.end = place();
		seen.source = texts(".source .here");
		seen.state = texts("aside section h2");
		walk();
		press("m");
		seen.all = document.querySelector(".count").textContent;
		const actor = document.querySelector("[data-filter=actor] option:nth-child(2)");
		set("[data-filter=actor]", actor.value, "change");
		seen.filtered = texts(".heads span");
		seen.wanted = actor.textContent;
		set("[data-filter=actor]", "", "change");
		const folds = () => [...document.querySelectorAll(".row.fold")];
		seen.folds = texts(".row.fold .t");
		if (folds().length) {
			const before = rows();
			folds()[0].click();
			seen.unfolded = [before, rows(), folds().length];
		}
		seen.kinds = filter("kind");
		seen.objects = filter("object");
		seen.gaps = document.querySelectorAll('svg.threads line[stroke-dasharray="2 5"]').length;
		seen.dots = document.querySelectorAll("svg.threads circle").length;
		seen.bars = texts("rect.lock title");
		seen.heads = texts(".heads span").length;
		seen.lanes_x = new Set([...document.querySelectorAll("svg.threads circle")].map((one) =>
			one.getAttribute("cx"))).size;
		press("/");
		seen.focus = document.activeElement.type;
		document.activeElement.blur();
		press("m");
		set("input[type=search]", "no such words", "input");
		seen.none = rows();
		set("input[type=search]", "", "input");
		seen.again = rows();
		if (document.getElementById("passing")) {
			press("p");
			seen.passing = rows();
			seen.differences = texts(".row.first").length;
			seen.covered = [...document.querySelectorAll(".diff")].filter((tag) =>
				[...document.querySelectorAll(".row .t")].some((word) => {
					const a = tag.getBoundingClientRect(), b = word.getBoundingClientRect();
					return a.left < b.right && a.top + 4 < b.bottom && b.top + 4 < a.bottom && a.right > b.left;
				})).length;
			press("p");
		}
		const colour = () => getComputedStyle(document.body).backgroundColor;
		const before = colour();
		press("d");
		seen.themes = [before, colour()];
		press("d");
		seen.arrows = document.querySelectorAll("line.arrow").length;
		seen.locks = document.querySelectorAll("rect.lock").length;
		seen.nodes = document.querySelectorAll("svg.graph circle").length;
		seen.edges = texts("svg.graph .what");
		const lines = [...document.querySelectorAll("svg.graph path[stroke]")];
		/* Whether a line of the graph goes through the middle of a word beside it. */
		seen.crossed = [...document.querySelectorAll("svg.graph .what")].filter((word) => lines.some((line) => {
			const box = word.getBBox(), long = line.getTotalLength();
			return [...Array(60).keys()].map((i) => line.getPointAtLength(long * i / 59)).some((at) =>
				Math.abs(at.x - box.x - box.width / 2) < 4 && Math.abs(at.y - box.y - box.height / 2) < 4);
		})).map((word) => word.textContent);
		seen.doubled = [...document.querySelectorAll(".site")].filter((one) => {
			const places = [...one.querySelectorAll(".file")].map((place) => place.title);
			return places.length > 1 && places[0] === places[1];
		}).length;
		seen.wide = [...document.querySelectorAll(".site .file")].filter((one) =>
			one.getBoundingClientRect().right > one.closest(".site").getBoundingClientRect().right + 1).length;
		seen.behind = getComputedStyle(document.querySelector(".row .t")).backgroundColor;
		seen.around = getComputedStyle(document.querySelector(".row .t")).textShadow;
		const side = document.querySelector("aside");
		seen.scrolls = side.scrollHeight > side.clientHeight + 1;
		const main = document.querySelector("main").getBoundingClientRect();
		const state = [...document.querySelectorAll("aside section")].pop().getBoundingClientRect();
		seen.state_shown = state.top + 30 < main.bottom;
		seen.tops = [...document.querySelectorAll(".site")].map((one) => one.getBoundingClientRect().top);
		seen.stacks = [...document.querySelectorAll(".site")].map((one) =>
			one.querySelectorAll(".stack li").length);
		print();
		seen.address = location.protocol;
		seen.matters = document.querySelector(".count").textContent;
		seen.sites = document.querySelectorAll(".site").length;
		seen.plots = texts(".more section h2").filter((text) => / over the /.test(text));
		seen.calls = document.querySelector(".calls").textContent;
		seen.help = texts(".help").join(" ");
		seen.cut = [...document.querySelectorAll(".row .t small")].filter((one) =>
			one.getBoundingClientRect().right > one.parentNode.getBoundingClientRect().right + 1).length;
		const times = [];
		press("m");
		press("Home");
		for (let i = 0; i < 200; i++) {
			const started = performance.now();
			press(i % 10 === 9 ? "PageDown" : "ArrowDown");
			times.push(performance.now() - started);
		}
		/* The machine may be busy: the slowest of the fastest quarter. */
		seen.step_ms = times.sort((a, b) => a - b)[50];
	} catch (error) {
		seen.errors.push(String(error.stack || error));
	}
	document.documentElement.setAttribute("data-seen", JSON.stringify(seen));
})();
