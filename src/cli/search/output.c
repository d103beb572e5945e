#include "cli/search/output.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"

bool output_write(const char *path, const struct strbuf *text, struct err *err)
{
	if (strcmp(path, "-") != 0)
		return file_write(path, strbuf_text(text), text->len, err);
	if (fwrite(strbuf_text(text), 1, text->len, stdout) != text->len || fflush(stdout) != 0)
		return err_set_errno(err, "cannot write to stdout");
	return true;
}
