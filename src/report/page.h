/* page.h: the style sheet and the scripts of the page, from src/report/page, embedded by
 * page/embed.py when the tool is built. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

extern const char page_css[];
extern const char plots_js[]; /* before page_js */
extern const char turns_js[]; /* the same */
extern const char state_js[]; /* before page_js */
extern const char page_js[];
extern const char live_js[]; /* of the explorer */

#endif
