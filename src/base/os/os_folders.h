/* Folders of the operating system: making, listing, locking. Unless a call says otherwise it
 * returns 0, or -1 with errno set. */
#ifndef EZ_OS_FOLDERS_H
#define EZ_OS_FOLDERS_H

#include "base/os/os_files.h"

int ez_os_make_folder(const char *path);
/* Removes an empty folder. */
int ez_os_remove_folder(const char *path);
/* Removes files of a folder by their names, the last of which is NULL, and the folder if it is
 * empty then; async-signal-safe. */
void ez_os_remove_files(const char *folder, const char *const *names);
/* Waits until the names in the folder of a file are on the disk, if the system can. */
void ez_os_sync_folder_of(const char *path);

typedef struct ez_os_list ez_os_list;

/* Opens the list of a folder's entries; NULL with errno. */
ez_os_list *ez_os_list_open(const char *path);
/* The next name, without "." and ".."; NULL at the end (errno 0) and after an error (errno). It is
 * valid until the next call. */
const char *ez_os_list_next(ez_os_list *list);
void ez_os_list_close(ez_os_list *list);

/* A folder that is held open, so that it can be locked. */
typedef struct ez_held_folder {
    intptr_t folder; /* -1: none */
    void *lock;
} ez_held_folder;

#define EZ_NO_FOLDER ((ez_held_folder){-1, NULL})

int ez_os_hold(ez_held_folder *held, const char *path);
/* Locks the folder for this process; false if another one has locked it. The lock ends with
 * ez_os_let_go or with the process. File systems without locks are used unlocked. */
bool ez_os_lock(ez_held_folder *held);
int ez_os_held_info(const ez_held_folder *held, ez_file_info *info);
void ez_os_let_go(ez_held_folder *held); /* does nothing if none is held */

#endif
