#include "../../../bench/programs/indexer.c"
