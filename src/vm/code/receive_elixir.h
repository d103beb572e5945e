/* receive_elixir.h: the receives of a module written in Elixir.
 *
 * Elixir keeps the expanded code of a module in its .beam file: quoted expressions, in which a call is
 * {name, Meta, Arguments} and a variable {name, Meta, Context}. The funs of a function have no known
 * names there.
 */
#ifndef VM_CODE_RECEIVE_ELIXIR_H
#define VM_CODE_RECEIVE_ELIXIR_H

#include "beamfile/etf.h"
#include "vm/code/receive_source.h"

/* Adds the receives of a module: the map of {elixir_v1, Map, Specs}. */
void receive_elixir_read(struct receive_sources *sources, const struct etf_term *map);

#endif
