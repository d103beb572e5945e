/* Put at the end of the explorer's page by tests/explain/explorer: uses the page as a reader does, and
 * leaves what it saw in an attribute of the document. */
(async () => {
	const seen = {errors: window.pageErrors};
	const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
	const text = (css) => (document.querySelector(css) || {textContent: ""}).textContent;
	const can = () => [...document.querySelectorAll("button.go")].map((one) =>
		one.textContent.replace(/^\d/, "").replace(/ {2}\S+$/, ""));
	/* Until the tool has answered. */
	const settle = async () => {
		for (let i = 0; i < 400; i++) {
			await sleep(10);
			if (!live.busy) break;
		}
	};
	const choose = async (id) => {
		document.querySelector(`button.go[data-actor="${id}"]`).click();
		await settle();
	};
	const press = async (id) => {
		document.getElementById(id).click();
		await settle();
		await sleep(50);
	};

	try {
		seen.first = can();
		await choose("P1");
		document.dispatchEvent(new KeyboardEvent("keydown", {key: "1", bubbles: true}));
		await settle();
		seen.two = can();
		seen.future = document.querySelectorAll(".row.future").length;
		await choose("P1.1");
		await choose("P1.2");
		seen.over = text(".choose h2");
		seen.title = text("h1");
		seen.why = text(".rest");
		seen.nodes = document.querySelectorAll("svg.graph circle").length;
		document.getElementById("save-finding").click();
		for (let i = 0; i < 400 && !text(".said"); i++) await sleep(20);
		seen.saved = text(".said");
		await press("back");
		seen.back = can();
		await choose("P1.1");
		await press("first");
		seen.ways = document.querySelectorAll("#branches option").length - 1;
		await press("last");
		seen.ran = text(".sentence");
		live.said = "";
		drawLive();
		document.getElementById("save-schedule").click();
		for (let i = 0; i < 400 && !text(".said"); i++) await sleep(20);
		seen.schedule = text(".said");
	} catch (error) {
		seen.errors.push(String(error.stack || error));
	}
	document.documentElement.setAttribute("data-seen", JSON.stringify(seen));
})();
