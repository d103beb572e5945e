/* 2^N executions: the classic programs serve the bench, too. */
#include "../../../bench/programs/readers.c"
