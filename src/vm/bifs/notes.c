#include "vm/bifs/bif.h"
#include "vm/bifs/notes.h"
#include "vm/memory/region.h"
#include "vm/vm.h"

term bif_fermata_note_1(struct process *p, const term *args)
{
	size_t words = term_copy_words(args[0]);
	struct note *note = region_alloc(sizeof(*note) + words * sizeof(term));
	struct note_list *notes = &p->vm->notes;
	term *hp = note->words;

	*note = (struct note){.actor = p->actor, .step = p->vm->step};
	note->content = term_copy(args[0], &hp, &note->off_heap);
	if (notes->last)
		notes->last->next = note;
	else
		notes->first = note;
	notes->last = note;
	return A_true;
}
