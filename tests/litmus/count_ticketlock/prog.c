#include "../../../bench/programs/ticketlock.c"
