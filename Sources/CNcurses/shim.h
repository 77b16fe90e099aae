// ncursesw for Swift: what the importer cannot see (macros, shared globals, variadic functions) as constants and
// inline wrappers.
#ifndef OMBI_CNCURSES_SHIM_H
#define OMBI_CNCURSES_SHIM_H

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#ifdef __linux__
#include <sys/syscall.h>
extern long syscall(long number, ...);
#endif

extern int wcwidth(wchar_t character);

static const attr_t OMBI_BOLD = WA_BOLD;
static const attr_t OMBI_DIM = WA_DIM;
static const attr_t OMBI_UNDERLINE = WA_UNDERLINE;
static const attr_t OMBI_REVERSE = WA_REVERSE;
#ifdef WA_ITALIC
static const attr_t OMBI_ITALIC = WA_ITALIC;
#else
static const attr_t OMBI_ITALIC = 0;
#endif

/// A file without a name that goes away with its descriptor; -1 when there can be none.
static inline int ombi_nameless_file(void) {
#ifdef __linux__
    return (int)syscall(SYS_memfd_create, "ombi", 1u /* MFD_CLOEXEC */);
#else
    char name[] = "/tmp/ombi.XXXXXX";
    int file = mkstemp(name);
    if (file >= 0) unlink(name);
    return file;
#endif
}

/// A screen whose output goes to the file; NULL when the terminal's name is not known.
static inline SCREEN *ombi_newterm(const char *name, int file, int height, int width) {
    FILE *output = fdopen(dup(file), "w");
    if (output == NULL) return NULL;
    // The file has no size to ask for; these are how ncurses takes one. Programs started later must not see them.
    char number[16];
    snprintf(number, sizeof number, "%d", height);
    setenv("LINES", number, 1);
    snprintf(number, sizeof number, "%d", width);
    setenv("COLUMNS", number, 1);
    SCREEN *screen = newterm(name, output, stdin);
    unsetenv("LINES");
    unsetenv("COLUMNS");
    if (screen == NULL) fclose(output);
    return screen;
}

/// Makes the terminal of that name the current one; false when it is not known. Opens no screen.
static inline bool ombi_use_terminal(const char *name) {
    int error = 0;
    return setupterm((char *)name, STDOUT_FILENO, &error) == OK;
}

static inline void ombi_forget_terminal(void) {
    if (cur_term != NULL) del_curterm(cur_term);
}

static inline int ombi_color_pairs(void) { return has_colors() ? COLOR_PAIRS : 0; }

/// One cell: a scalar, up to four marks on it, its traits and its colour pair.
static inline int ombi_set_cell(cchar_t *cell, const wchar_t *characters, attr_t traits, short pair) {
    return setcchar(cell, characters, traits, pair, NULL);
}

/// Puts the cells into a row from a column on; the cursor stays, and nothing wraps.
static inline int ombi_put_cells(int row, int column, const cchar_t *cells, int count) {
    return count > 0 ? mvwadd_wchnstr(stdscr, row, column, cells, count) : OK;
}

static inline int ombi_move(int row, int column) { return wmove(stdscr, row, column); }
static inline void ombi_leave_cursor(int leave) { leaveok(stdscr, leave ? TRUE : FALSE); }
static inline void ombi_paint_everything(void) { clearok(curscr, TRUE); }
static inline void ombi_erase(void) { werase(stdscr); }

static inline int ombi_refresh(void) {
    if (wnoutrefresh(stdscr) == ERR) return ERR;
    return doupdate();
}

/// A capability of the terminal; NULL when it has none of that name.
static inline const char *ombi_capability(const char *name) {
    const char *value = tigetstr(name);
    return value == (const char *)-1 ? NULL : value;
}

/// A flag of the terminal.
static inline bool ombi_flag(const char *name) { return tigetflag((char *)name) == 1; }

/// A number of the terminal; 0 when it has none of that name.
static inline int ombi_number(const char *name) {
    int value = tigetnum((char *)name);
    return value > 0 ? value : 0;
}

/// The number of colours that an open screen can use.
static inline int ombi_colors(void) { return has_colors() ? ombi_number("colors") : 0; }

#endif
