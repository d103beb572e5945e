#include "../../../bench/programs/compressor.c"
