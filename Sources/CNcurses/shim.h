// ncursesw for Swift: what the importer cannot see (macros, shared globals, variadic functions) as constants and inline wrappers.
#ifndef OMBI_CNCURSES_SHIM_H
#define OMBI_CNCURSES_SHIM_H

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

#endif
