/* plural.h: "1 run", "2 runs", in every line that a person reads.
 *
 *     printf("%lu run%s", n, PLURAL(n));
 */
#ifndef BASE_PLURAL_H
#define BASE_PLURAL_H

#define PLURAL(n) ((n) == 1 ? "" : "s")

#endif
