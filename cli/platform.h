/* What the command needs of the operating system: the terminal, files, clocks, the process. Each
 * system has a file behind this header. Names are UTF-8, and files are binary. Unless a call says
 * otherwise it returns 0, or -1 with errno set. */
#ifndef CLI_PLATFORM_H
#define CLI_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Formats are those of C on every system. */
#ifdef __MINGW32__
#define PLATFORM_PRINTF(format_at, values_at) \
    __attribute__((format(gnu_printf, format_at, values_at)))
#else
#define PLATFORM_PRINTF(format_at, values_at) __attribute__((format(printf, format_at, values_at)))
#endif

enum { STANDARD_INPUT, STANDARD_OUTPUT, STANDARD_ERROR };

/* Bytes of the longest path and of the longest name in a folder. */
enum { PLATFORM_PATH = 4096, PLATFORM_NAME = 255 };

/* Called first: makes the arguments UTF-8, guards the standard streams, and lets writes to a closed
 * pipe fail instead of ending the program. */
void platform_begin(int *argc, char ***argv);

/* ---- the terminal ---- */

bool platform_is_terminal(int descriptor);
/* Columns of the terminal; 0 if it is none. */
size_t platform_terminal_width(int descriptor);
/* Whether it is a terminal that understands the escape sequence that erases a line. */
bool platform_can_redraw(int descriptor);

/* The likely reason of a failed write to a descriptor of which errno says nothing. */
int platform_likely_error(int descriptor);

/* ---- clocks, the process ---- */

double platform_clock(void); /* seconds, never goes back */
void platform_pause(double seconds);
/* The UTC day of seconds since 1970 as "2024-12-31"; false if it has none. */
bool platform_day(uint64_t seconds, char day[16]);
uint64_t platform_peak_memory(void); /* bytes; 0 if the system does not say */
long platform_process_id(void);

/* ---- files ---- */

typedef struct platform_info {
    bool is_regular, is_folder;
    bool is_screen; /* a character device, such as a terminal or /dev/null */
    uint64_t bytes;
    uint64_t device, number; /* two names of one file have the same pair */
} platform_info;

int platform_look(const char *path, platform_info *info);
int platform_look_at(int descriptor, platform_info *info);
/* Whether files can be made in a folder, or a device can be written to. */
int platform_can_write(const char *path, bool folder);
/* The last character of a path that separates names; NULL if there is none. */
const char *platform_last_separator(const char *path);
bool platform_is_separator(char c);
/* Whether a path names an open descriptor, such as /dev/stdout. */
bool platform_is_descriptor(const char *path);
/* The path without links; false with errno. */
bool platform_resolve(const char *path, char resolved[PLATFORM_PATH]);

/* As fopen, with a mode of r, w, a or r+; NULL with errno. */
FILE *platform_open(const char *path, const char *mode);
/* Cuts a file that is open for reading and writing, and continues at its end. */
int platform_cut(FILE *file, uint64_t bytes);

/* A descriptor of a new file, or of a device, pipe or descriptor to append to; -1 with errno. */
int platform_open_new(const char *path);
int platform_open_append(const char *path);
/* The number of bytes, which may be smaller, or -1. */
int64_t platform_write(int descriptor, const char *bytes, size_t n);
int platform_sync(int descriptor);
int platform_close(int descriptor);
int platform_replace(const char *from, const char *to);
int platform_remove(const char *path);

/* A stream into memory. */
typedef struct platform_memory {
    FILE *file;
    char *bytes; /* freed by the caller */
    size_t n;
} platform_memory;

bool platform_memory_open(platform_memory *memory);
/* Ends writing and sets bytes and n; false if something was lost. */
bool platform_memory_close(platform_memory *memory);

#endif
