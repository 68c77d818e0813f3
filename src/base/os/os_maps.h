/* Memory of the operating system: files mapped into memory, and advice about pages. */
#ifndef EZ_OS_MAPS_H
#define EZ_OS_MAPS_H

#include <stdbool.h>
#include <stddef.h>

size_t ez_os_page_bytes(void);

/* Maps a file from its beginning; NULL with errno. The mapping stays when the descriptor is closed.
 * bytes > 0. */
void *ez_os_map(int file, size_t bytes);          /* for reading */
void *ez_os_map_writable(int file, size_t bytes); /* shared with the file */
/* Makes a writable mapping larger: where it is now, or NULL with errno. Then the old one is as it
 * was, if the system can keep it; otherwise *at is NULL. */
void *ez_os_map_grow(void **at, int file, size_t bytes, size_t more_bytes);
void ez_os_unmap(void *at, size_t bytes);
/* Whether a file can be replaced by a rename while it is mapped. */
bool ez_os_mapped_can_be_replaced(void);

/* Advice about whole pages of a mapping or of memory. It never fails. */
typedef enum ez_page_advice {
    EZ_PAGES_SOON,    /* will be read soon */
    EZ_PAGES_LATER,   /* of a mapped file: will not be used for a while */
    EZ_PAGES_DROPPED, /* of memory: the content is not needed any more, the address is */
    EZ_PAGES_HUGE     /* will be accessed at random: large pages are better */
} ez_page_advice;

void ez_os_advise(void *at, size_t bytes, ez_page_advice advice);

/* Memory of an alignment (a power of two) and a multiple of it in bytes; NULL if there is none.
 * ez_os_reallocate accepts NULL and keeps the first alignment only if the system can. */
void *ez_os_allocate(size_t alignment, size_t bytes);
void *ez_os_reallocate(void *memory, size_t bytes);
void ez_os_free(void *memory); /* accepts NULL */

#endif
