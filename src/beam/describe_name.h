/* describe_name.h: the name of a process in the words of the program: its registered
 * name, its label (proc_lib:set_label), the module of its behaviour, or the function
 * that it runs. */
#ifndef BEAM_DESCRIBE_NAME_H
#define BEAM_DESCRIBE_NAME_H

#include "base/strbuf.h"
#include "beam/describe.h"

/* Keeps the best name that the process has now; a name that it once had is kept until then. */
void describe_name(struct conductor *c, struct descriptions *all, const struct process *p);

/* Appends the name that the process has now; its place in the spawn tree if it has none. */
void describe_who(const struct conductor *c, const struct process *p, struct strbuf *out);

/* The function in which a fun was written: "run/1" of '-run/1-fun-0-'. */
void describe_fun_origin(term fun, struct strbuf *out);

/* The function that a fun only calls: "worker" of fun() -> worker(X) end. Nothing if it does more. */
void describe_fun_run(struct vm *vm, term fun, struct strbuf *out);

/* Replaces #Fun<run.3.1234> in a text by words of the source: "fun worker/1", "#Fun<worker>" of fun() -> worker(X) end,
 * "#Fun<in test/0>". */
void describe_funs(struct vm *vm, struct strbuf *text);

/* A process that runs a fun is called by the function that the fun only calls, else by the function around
 * the fun: "worker", "run/fun". `fun` has both, "worker#run/1", or "#run/1". */
void describe_name_of_fun(struct descriptions *all, const struct process *p, const char *fun);

/* Is it the process of a simulated socket (vm/erlang/fermata_inet.erl)? */
bool describe_is_socket(const struct process *p);

/* Is the process about to create an Agent? The new one is called so, because an Agent puts its fun in the
 * place of the call that it was started with. */
bool describe_makes_agent(const struct process *spawner);
void describe_name_of_agent(struct descriptions *all, const struct process *p);

#endif
