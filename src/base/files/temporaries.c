/* The list of temporary files and folders, in static slots that a signal handler may read at any
 * time. */
#include "base/files/temporaries.h"

#include "base/os/os_folders.h"
#include "base/os/os_process.h"
#include "ezlda.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

enum { EZ_TEMPORARIES = 16 };

/* A handler moves a slot from OPEN to REMOVING, reads it, and moves it to REMOVED. Its owner moves
 * it from OPEN or REMOVED to FREE. So no thread writes to a slot while the handler reads it. */
typedef enum slot_state {
    SLOT_FREE,
    SLOT_TAKEN,
    SLOT_OPEN,
    SLOT_REMOVING,
    SLOT_REMOVED
} slot_state;

static struct {
    atomic_int state;
    long process; /* a forked child has copies of its parent's slots and must not use them */
    const char *const *names;
    char path[EZ_OS_PATH];
} slots[EZ_TEMPORARIES];

static bool change_state(int number, int from, int to)
{
    return atomic_compare_exchange_strong(&slots[number].state, &from, to);
}

int ez_temporary_begin(const char *path, const char *const *names)
{
    size_t size = strlen(path) + 1;
    for (int i = 0; i < EZ_TEMPORARIES && size <= sizeof slots[i].path; i++) {
        if (!change_state(i, SLOT_FREE, SLOT_TAKEN))
            continue;
        slots[i].process = ez_os_process_id();
        slots[i].names = names;
        memcpy(slots[i].path, path, size);
        atomic_store(&slots[i].state, SLOT_OPEN);
        return i;
    }
    return -1;
}

bool ez_temporary_end(int number)
{
    if (number < 0)
        return true;
    while (!change_state(number, SLOT_OPEN, SLOT_FREE)) {
        if (change_state(number, SLOT_REMOVED, SLOT_FREE))
            return false;
        ez_os_yield(); /* the handler runs in another thread */
    }
    return true;
}

static void remove_all(bool folders)
{
    for (int i = 0; i < EZ_TEMPORARIES; i++) {
        if (!change_state(i, SLOT_OPEN, SLOT_REMOVING))
            continue;
        bool wanted = (slots[i].names != NULL) == folders && slots[i].process == ez_os_process_id();
        if (wanted && folders)
            ez_os_remove_files(slots[i].path, slots[i].names);
        else if (wanted)
            ez_os_remove(slots[i].path);
        atomic_store(&slots[i].state, wanted ? SLOT_REMOVED : SLOT_OPEN);
    }
}

void ezlda_remove_temporaries(void)
{
    remove_all(false); /* files first: some lie in the folders */
    remove_all(true);
}
