/* The downloader of aget's size: its server, its file and its progress bar are all there. */
#include "../../../bench/programs/segments.c"
