/* scripts.h: the scripts that Redis runs for us, each in one atomic step (lua/, embedded). */
#ifndef FLEET_SCRIPTS_H
#define FLEET_SCRIPTS_H

extern const char finish_lua[];
extern const char hurry_lua[];
extern const char over_lua[];
extern const char publish_lua[];
extern const char send_lua[];
extern const char take_lua[];
extern const char tend_lua[];
extern const char tick_lua[];

#endif
