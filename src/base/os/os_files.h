/* Files of the operating system: what a name stands for, descriptors, and replacing a file by a
 * rename. Names are UTF-8 everywhere, and every file is binary. Unless a call says otherwise it
 * returns 0, or -1 with errno set. */
#ifndef EZ_OS_FILES_H
#define EZ_OS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes of the longest path and of the longest name in a folder. */
enum { EZ_OS_PATH = 4096, EZ_OS_NAME = 255 };

typedef enum ez_file_kind {
    EZ_FILE_REGULAR,
    EZ_FILE_FOLDER,
    EZ_FILE_LINK,
    EZ_FILE_OTHER /* a pipe, a device, a socket */
} ez_file_kind;

typedef struct ez_file_info {
    ez_file_kind kind;
    unsigned mode; /* permissions */
    uint64_t bytes;
    int64_t written_ns;      /* when the content last changed */
    uint64_t device, number; /* two names of one file have the same pair */
} ez_file_info;

/* Follows links. */
int ez_os_info(const char *path, ez_file_info *info);
/* Does not follow a link at the end of the path. */
int ez_os_link_info(const char *path, ez_file_info *info);
int ez_os_open_info(int file, ez_file_info *info);
bool ez_os_is_regular(const char *path);
bool ez_os_is_folder(const char *path);
bool ez_os_is_there(const char *path);
bool ez_os_is_readable(const char *path);

/* The last character of a path that separates names ("/", on Windows also "\" and the colon of
 * "C:"); NULL if there is none. */
const char *ez_os_last_separator(const char *path);
bool ez_os_is_separator(char c);
/* Puts "/" in the place of other separators. */
void ez_os_use_slashes(char *path);
/* Whether a path names an open descriptor, such as /dev/stdout. */
bool ez_os_is_descriptor(const char *path);

/* These return a descriptor, which processes that are started later do not inherit, or -1. A folder
 * may be opened too; reading it fails. */
int ez_os_open(const char *path);
int ez_os_open_standard_input(void);
/* A file that does not exist yet, with mode 0666 less the umask. Links are not followed. */
int ez_os_open_new(const char *path);
/* A device, pipe or descriptor, to append to. /dev/stdout and /dev/fd/N share the position in the
 * file with other writers. */
int ez_os_open_append(const char *path);
/* A file in a folder that has no name, or loses it at the latest when the process ends. */
int ez_os_open_nameless(const char *folder);

/* At most n bytes. The number of bytes, which may be smaller; 0 at the end; -1 with errno, which
 * may be EINTR. */
int64_t ez_os_read(int file, void *bytes, size_t n);
int64_t ez_os_read_at(int file, void *bytes, size_t n, uint64_t at);
int64_t ez_os_write(int file, const void *bytes, size_t n);
/* Reserves disk blocks, all or none. 0, or the error. */
int ez_os_reserve(int file, uint64_t bytes);
/* Waits until the content is on the disk. */
int ez_os_sync(int file);
/* Gives a file the permissions of another one, if the system allows it. */
void ez_os_copy_mode(int file, const ez_file_info *from);
int ez_os_close(int file);

/* A stream to read from; NULL with errno. */
FILE *ez_os_stream(const char *path);

/* Renames a file or a folder; a file that has the new name is replaced in one step. */
int ez_os_rename(const char *from, const char *to);
/* Exchanges two names in one step. Fails on systems and file systems that cannot. */
int ez_os_exchange(const char *a, const char *b);
int ez_os_remove(const char *path);
/* The path without links; false with errno. */
bool ez_os_resolve(const char *path, char resolved[EZ_OS_PATH]);
/* The folder for temporary files that the environment names, or the system's. */
const char *ez_os_temporary_folder(void);

#endif
