#include "../../../bench/programs/downloader.c"
