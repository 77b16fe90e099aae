// The descriptions of terminals (terminfo), which ncurses reads, and widths of characters, for Swift: inline wrappers for
// what the importer cannot see (shared globals, variadic functions).
#ifndef OMBI_CNCURSES_SHIM_H
#define OMBI_CNCURSES_SHIM_H

#include <curses.h>
#include <term.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>
#ifdef __linux__
#include <sys/syscall.h>
extern long syscall(long number, ...);
#endif

extern int wcwidth(wchar_t character);

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

/// Makes the terminal of that name the current one; false when it is not known. Opens no screen.
static inline bool ombi_use_terminal(const char *name) {
    int error = 0;
    return setupterm((char *)name, STDOUT_FILENO, &error) == OK;
}

static inline void ombi_forget_terminal(void) {
    if (cur_term != NULL) del_curterm(cur_term);
}

/// A capability of the terminal; NULL when it has none of that name.
static inline const char *ombi_capability(const char *name) {
    const char *value = tigetstr(name);
    return value == (const char *)-1 ? NULL : value;
}

/// A parametrised capability with its numbers filled in, which the next call overwrites; NULL for one that cannot be read.
static inline const unsigned char *ombi_fill(const unsigned char *format, int first, int second) {
    return (const unsigned char *)tiparm((const char *)format, first, second);
}

/// A flag of the terminal.
static inline bool ombi_flag(const char *name) { return tigetflag((char *)name) == 1; }

/// A number of the terminal; 0 when it has none of that name.
static inline int ombi_number(const char *name) {
    int value = tigetnum((char *)name);
    return value > 0 ? value : 0;
}

#endif
