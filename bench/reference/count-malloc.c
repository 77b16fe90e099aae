// Counts the allocations of a program, for scripts/bench-core: LD_PRELOAD=count-malloc.so PROGRAM prints the number to
// the file that COUNT_MALLOC_FILE names.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_long count;
static void counted(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

void *malloc(size_t size) { return counted(), __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return counted(), __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { return counted(), __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) { return counted(), __libc_memalign(alignment, size); }
void *memalign(size_t alignment, size_t size) { return counted(), __libc_memalign(alignment, size); }
int posix_memalign(void **result, size_t alignment, size_t size) {
    counted();
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : 12;
}

__attribute__((destructor)) static void print(void) {
    const char *path = getenv("COUNT_MALLOC_FILE");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", atomic_load(&count));
    fclose(file);
}
