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

	try {
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
		press("m");
		seen.all = document.querySelector(".count").textContent;
		const actor = document.querySelector("[data-filter=actor] option:nth-child(2)");
		set("[data-filter=actor]", actor.value, "change");
		seen.filtered = texts(".heads span");
		seen.wanted = actor.textContent;
		set("[data-filter=actor]", "", "change");
		press("m");
		set("input[type=search]", "no such words", "input");
		seen.none = rows();
		set("input[type=search]", "", "input");
		seen.again = rows();
		if (document.getElementById("passing")) {
			press("p");
			seen.passing = rows();
			seen.differences = texts(".row.first").length;
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
		seen.sites = document.querySelectorAll(".site").length;
		seen.plots = texts(".more section h2").filter((text) => / over the /.test(text));
		seen.calls = document.querySelector(".calls").textContent;
		const times = [];
		press("m");
		press("Home");
		for (let i = 0; i < 200; i++) {
			const started = performance.now();
			press(i % 10 === 9 ? "PageDown" : "ArrowDown");
			times.push(performance.now() - started);
		}
		/* The machine may be busy: the median. */
		seen.step_ms = times.sort((a, b) => a - b)[100];
	} catch (error) {
		seen.errors.push(String(error.stack || error));
	}
	document.documentElement.setAttribute("data-seen", JSON.stringify(seen));
})();
