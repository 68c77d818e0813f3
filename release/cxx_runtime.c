/* What uchardet calls of a C++ runtime, so that programs need none: memory, and the function that a
 * call of a pure virtual function ends in. The names are those of the C++ ABI. release/libraries.sh
 * puts this file into libuchardet.a; uchardet is compiled without exceptions there. */
#include <stdlib.h>

void *new_object(size_t size) __asm__("_Znwm");
void *new_array(size_t size) __asm__("_Znam");
void delete_object(void *object) __asm__("_ZdlPv");
void delete_array(void *object) __asm__("_ZdaPv");
void delete_sized(void *object, size_t size) __asm__("_ZdlPvm");
void pure_virtual(void) __asm__("__cxa_pure_virtual");

void *new_object(size_t size)
{
    void *object = malloc(size ? size : 1);
    if (!object)
        abort();
    return object;
}

void *new_array(size_t size)
{
    return new_object(size);
}

void delete_object(void *object)
{
    free(object);
}

void delete_array(void *object)
{
    free(object);
}

void delete_sized(void *object, size_t size)
{
    (void)size;
    free(object);
}

void pure_virtual(void)
{
    abort();
}
