#include "../../../bench/programs/account.c"
