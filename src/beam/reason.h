/* reason.h: patterns for exit reasons (--normal-exit).
 *
 * A pattern is a term as Erlang writes it, in which `_` and variables stand for any term:
 *
 *     {undef,_}            {undef,[{m,f,[],[]}]}
 *     {shutdown,{Why,_}}   {shutdown,{failed,3}}     a name that occurs twice is not compared
 *     noproc;killed        either of them
 *     {gone,<<"ab">>}      {gone,<<97,98>>}
 */
#ifndef BEAM_REASON_H
#define BEAM_REASON_H

#include <stdbool.h>

/* Are all brackets and quotes closed, and does every pattern have a text? */
bool reason_is_pattern(const char *patterns);

/* Does one of the patterns fit the term, which is given as it is printed? */
bool reason_fits(const char *patterns, const char *text);

#endif
