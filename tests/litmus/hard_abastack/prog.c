#include "../../../bench/programs/abastack.c"
