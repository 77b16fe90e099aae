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

/// The colours of a terminal by its description, 0 for none, -1 when its name is not known. Opens no screen.
static inline int ombi_described_colors(const char *name) {
    int error = 0;
    if (setupterm((char *)name, STDOUT_FILENO, &error) != OK) return -1;
    int colors = tigetnum((char *)"colors");
    return colors > 0 ? colors : 0;
}

static inline int ombi_colors(void) { return has_colors() ? COLORS : 0; }
static inline int ombi_color_pairs(void) { return has_colors() ? COLOR_PAIRS : 0; }

/// Gives a pair of any number its colours; -1 is the terminal's own.
static inline int ombi_set_pair(int pair, int foreground, int background) {
#if NCURSES_EXT_COLORS
    return init_extended_pair(pair, foreground, background);
#else
    return pair > 255 ? ERR : init_pair((short)pair, (short)foreground, (short)background);
#endif
}

/// One cell with a single scalar of one column, as setcchar makes it, without its checks: most of a screen.
static inline void ombi_set_plain_cell(cchar_t *cell, wchar_t character, attr_t traits, int pair) {
    memset(cell, 0, sizeof *cell);
    // The attributes have room for 255 pairs; beyond them the field below counts.
    cell->attr = traits | (attr_t)COLOR_PAIR(pair > 255 ? 255 : pair);
    cell->chars[0] = character;
#if NCURSES_EXT_COLORS
    cell->ext_color = pair;
#endif
}

/// One cell: a scalar, up to four marks on it, its traits and its colour pair.
static inline int ombi_set_cell(cchar_t *cell, const wchar_t *characters, attr_t traits, int pair) {
    int number = pair;
    return setcchar(cell, characters, traits, (short)(pair > 32767 ? 0 : pair), &number);
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

/// Takes what stdscr has for what the terminal shows: somebody else has written it.
static inline int ombi_adopt(void) {
    if (wnoutrefresh(stdscr) == ERR) return ERR;
    return copywin(newscr, curscr, 0, 0, 0, 0, LINES - 1, COLS - 1, FALSE);
}

/// A capability of the terminal; NULL when it has none of that name.
static inline const char *ombi_capability(const char *name) {
    const char *value = tigetstr(name);
    return value == (const char *)-1 ? NULL : value;
}

#endif
