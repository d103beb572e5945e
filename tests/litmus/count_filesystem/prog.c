#include "../../../bench/programs/filesystem.c"
