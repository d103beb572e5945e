/* explorer.h: the subcommand `fermata explore`: a page on the loopback interface on which the reader
 * decides which thread or process goes next. argv[0] is the word "explore".
 *
 * The page (report/page, with page/live.js) keeps the list of choices and sends it with every
 * request; the tool runs the program by these choices (moment.h) and answers with what is seen:
 *
 *	GET  /TOKEN/       the page
 *	POST /TOKEN/state  {"choices": ["P1", "P1.2", …]}: the page's data, with the member "moment"
 *	POST /TOKEN/save   {"choices": […], "as": "finding" or "schedule"}: {"path": …} or {"error": …}
 *
 * A saved finding is shortened like any other. A saved schedule is kept as it is: `fermata replay`
 * follows it and reports whatever goes wrong in it, so it serves as a regression test.
 */
#ifndef CLI_EXPLORER_H
#define CLI_EXPLORER_H

int cli_explore(int argc, char **argv);

#endif
