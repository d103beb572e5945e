/* dis.h: a beamfile as text, function by function.
 *
 * The text is for people and for golden tests: it depends only on the file, never
 * on the machine. Imports, funs, lines and literals are shown as what they are, not
 * as numbers; a label 0 ("raise") is shown as "-".
 */
#ifndef BEAMFILE_DIS_H
#define BEAMFILE_DIS_H

#include "base/strbuf.h"
#include "beamfile/beamfile.h"

/* The whole module. */
void dis_module(struct strbuf *out, const struct beamfile *bf);

/* One instruction, without indentation or newline. */
void dis_instr(struct strbuf *out, const struct beamfile *bf, const struct beam_instr *instr);

#endif
