/* Libraries that are opened at run time. */
#ifndef EZ_OS_LIBRARIES_H
#define EZ_OS_LIBRARIES_H

#include <stdbool.h>
#include <stddef.h>

/* Opens a library by its file name or path; NULL if it cannot be opened. If `shared`, libraries
 * that are opened later find its symbols. */
void *ez_os_library_open(const char *name, bool shared);
/* Why the last library could not be opened; NULL if the system does not say. Valid until the next
 * call of the thread. */
const char *ez_os_library_error(void);
/* Whether it could not be opened because there is no such file. */
bool ez_os_library_is_missing(const char *error);
void *ez_os_library_symbol(void *library, const char *name);
void ez_os_library_close(void *library);

/* The folder of the program or library that holds this address, without links; "" if unknown. */
void ez_os_own_folder(const void *address, char *folder, size_t size);

#endif
