#include "../../../bench/programs/logrotate.c"
