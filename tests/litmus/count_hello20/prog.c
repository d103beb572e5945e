/* Three independent orders of three threads each: (3!)^3. */
#include "../../../bench/programs/hello20.c"
