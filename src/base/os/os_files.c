/* Questions about files that are answered alike on every system. */
#include "base/os/os_files.h"

bool ez_os_is_regular(const char *path)
{
    ez_file_info info;
    return ez_os_info(path, &info) == 0 && info.kind == EZ_FILE_REGULAR;
}

bool ez_os_is_folder(const char *path)
{
    ez_file_info info;
    return ez_os_info(path, &info) == 0 && info.kind == EZ_FILE_FOLDER;
}
