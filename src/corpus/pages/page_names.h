/* Lists of the names of elements, by which the readers of pages decide what becomes of each. */
#ifndef EZ_PAGE_NAMES_H
#define EZ_PAGE_NAMES_H

#include <stdbool.h>
#include <string.h>

/* Whether a list, ended by NULL, has a name. */
static inline bool ez_name_is_in(const char *const *list, const char *name)
{
    while (*list && strcmp(*list, name) != 0)
        list++;
    return *list != NULL;
}

#endif
