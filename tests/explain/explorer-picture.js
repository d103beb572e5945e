/* The moment of the explorer that its picture shows: one lock is taken. */
(async () => {
	for (const id of ["P1", "P1", "P1.1"]) {
		document.querySelector(`button.go[data-actor="${id}"]`).click();
		for (let i = 0; i < 400; i++) {
			await new Promise((done) => setTimeout(done, 10));
			if (!live.busy) break;
		}
	}
})();
