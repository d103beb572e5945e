#include "cli/search/measured.h"

void measured_run(struct measured *m, const struct trace *trace)
{
	if (!trace)
		m->classes_kept = 0;
	coverage_measure(&m->coverage, trace);
	classes_add(&m->classes, trace);
}

void measured_run_apart(struct measured *m, const struct trace *trace)
{
	m->coverage.is_apart = true;
	measured_run(m, trace);
}

void measured_put(struct measured *m, struct strbuf *out)
{
	const struct strbuf *text = &m->classes.text;

	bytes_put_text(out, strbuf_text(text) + m->classes_kept, text->len - m->classes_kept);
	m->classes_kept = text->len;
	coverage_put(&m->coverage, out);
}

void measured_add(struct measured *m, struct bytes_in in)
{
	struct bytes_in text = bytes_text(&in);

	strbuf_add(&m->classes.text, text.at, text.len);
	coverage_add(&m->coverage, &in);
}
