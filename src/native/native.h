/* native.h: the target over a real program of threads (target/target.h). */
#ifndef NATIVE_NATIVE_H
#define NATIVE_NATIVE_H

#include "native/program.h"
#include "target/target.h"

/* Checks the program file and starts it; NULL with err if that fails. Takes a copy of
 * what it needs of the options (argv and paths are borrowed for its life). */
struct target *native_create(const struct program_options *options, struct err *err);

/* The build-id of the program, "" if it has none. */
const char *native_build_id(struct target *self);

/* The memory that a program with a model shares with the tool (fermata/model.h). Its
 * content decides what the program does, so native_area_changed() must follow a change: runs
 * before and after it are then not compared. */
void *native_area(struct target *self, uint64_t *size);
void native_area_changed(struct target *self);

/* From now on atomic operations at these sites have these orders instead of the ones written in the
 * program. False if there are more than CHANNEL_ORDERS. */
bool native_set_orders(struct target *self, const struct channel_order *orders, uint32_t len);

/* Runs the schedule strictly and leaves its process stopped where the run ended; -1 with err
 * if that fails. The target can only be freed after that. */
pid_t native_run_stopped(struct target *self, const struct schedule *schedule, uint32_t step,
			 struct err *err);

#endif
