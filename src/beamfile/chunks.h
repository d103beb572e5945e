/* chunks.h: the tables of a .beam file, one function per chunk. Private to beamfile/.
 *
 * Each takes the chunk's bytes and fills its part of the beamfile; messages begin
 * after the chunk's name, which the caller puts in front. Atoms come first: the
 * others check their indices against them.
 */
#ifndef BEAMFILE_CHUNKS_H
#define BEAMFILE_CHUNKS_H

#include "beamfile/beamfile.h"
#include "beamfile/cursor.h"

bool chunk_atoms_utf8(struct beamfile *bf, struct cursor in, struct err *err);
bool chunk_atoms_latin1(struct beamfile *bf, struct cursor in, struct err *err);
bool chunk_imports(struct beamfile *bf, struct cursor in, struct err *err);
bool chunk_exports(struct beamfile *bf, struct cursor in, struct err *err);
bool chunk_locals(struct beamfile *bf, struct cursor in, struct err *err);
bool chunk_funs(struct beamfile *bf, struct cursor in, struct err *err);
bool chunk_literals(struct beamfile *bf, struct cursor in, struct err *err);
bool chunk_lines(struct beamfile *bf, struct cursor in, struct err *err);
bool chunk_strings(struct beamfile *bf, struct cursor in, struct err *err);
bool chunk_attributes(struct beamfile *bf, struct cursor in, struct err *err);
bool chunk_compile_info(struct beamfile *bf, struct cursor in, struct err *err);

#endif
