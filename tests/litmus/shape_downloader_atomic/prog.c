/* The downloader whose counter is atomic and still loses updates. */
#include "../../../bench/programs/downloader.c"
