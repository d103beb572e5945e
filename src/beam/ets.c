#include "beam/ets.h"

#include "beam/vm.h"

void ets_open(struct vm *vm)
{
	vm->ets = NULL;
}

void ets_owner_exit_step(struct process *p)
{
	p->tables = NULL;
}
