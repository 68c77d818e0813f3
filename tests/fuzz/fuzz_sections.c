/* Builds container files with valid checksums from a fuzz program's bytes, so that contents are
 * reached. */
#include "fuzz_sections.h"

#include "base/files/container.h"
#include "base/files/container_layout.h"

#include <stdlib.h>
#include <string.h>

enum { FUZZ_HEAD = 8, FUZZ_MAX_SECTIONS = 64 };

typedef struct part {
    uint32_t tag;
    const uint8_t *bytes;
    size_t n;
} part;

static size_t split(const uint8_t *data, size_t size, part *parts)
{
    size_t n = 0;
    for (size_t at = 0; size - at >= FUZZ_HEAD && n < FUZZ_MAX_SECTIONS; n++) {
        uint32_t length;
        memcpy(&parts[n].tag, data + at, 4);
        memcpy(&length, data + at + 4, 4);
        at += FUZZ_HEAD;
        parts[n].bytes = data + at;
        parts[n].n = length < size - at ? length : size - at;
        at += parts[n].n;
    }
    return n;
}

/* Puts n bytes in the place of a part's content. */
static size_t replace(uint8_t *data, size_t size, const part *old, const uint8_t *bytes, size_t n)
{
    size_t at = (size_t)(old->bytes - data), after = at + old->n;
    uint32_t length = (uint32_t)n;
    memmove(data + at + n, data + after, size - after);
    memcpy(data + at, bytes, n);
    memcpy(data + at - 4, &length, 4);
    return size - old->n + n;
}

/* Writes one of the numbers that are most likely to find errors. */
static void plant_number(uint8_t *bytes, size_t n, unsigned seed)
{
    static const uint64_t numbers[] = {
        0, 1, 2, UINT16_MAX, UINT32_MAX, INT32_MAX, UINT64_MAX, UINT64_MAX / 8, 1ull << 32, 0x7ff0000000000000u};
    size_t width = (size_t)4 << (seed & 1);
    if (n < width)
        return;
    size_t at = seed / 2 % (n / width) * width;
    uint64_t old = 0, new = numbers[seed / 7 % (sizeof numbers / sizeof *numbers)];
    memcpy(&old, bytes + at, width);
    new = seed % 3 == 0 ? old + 1 : seed % 3 == 1 ? old - 1 : new;
    memcpy(bytes + at, &new, width);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    part parts[FUZZ_MAX_SECTIONS];
    size_t n = split(data, size, parts);
    srand(seed);
    if (n == 0 || rand() % 50 == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    const part *chosen = &parts[(size_t)rand() % n];
    size_t room = max_size - size + chosen->n;
    if (room == 0) /* libFuzzer would still give a byte */
        return LLVMFuzzerMutate(data, size, max_size);
    uint8_t *copy = malloc(room + 1);
    memcpy(copy, chosen->bytes, chosen->n);
    size_t length = chosen->n;
    if (rand() % 2)
        plant_number(copy, length, (unsigned)rand());
    else
        length = LLVMFuzzerMutate(copy, length, room);
    size = replace(data, size, chosen, copy, length);
    free(copy);
    return size;
}

static ezlda_status write_parts(ez_container_writer *writer, ezlda_context *context, const part *parts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        EZ_TRY(ez_container_begin(writer, context, parts[i].tag));
        EZ_TRY(ez_container_write(writer, context, parts[i].bytes, parts[i].n));
    }
    return EZLDA_OK;
}

const char *fuzz_container(const uint8_t *data, size_t size, const char magic[8], uint32_t version)
{
    ezlda_context *context = fuzz_context();
    part parts[FUZZ_MAX_SECTIONS];
    size_t n = split(data, size, parts);
    ez_container_writer *writer = NULL;
    ez_container *image = NULL;
    if (n == 0)
        return NULL;
    fuzz_claim(ez_container_writer_open(&writer, context, NULL, magic, version) == EZLDA_OK, "there is a writer");
    if (write_parts(writer, context, parts, n) != EZLDA_OK) { /* a tag twice */
        ez_container_writer_abandon(writer);
        return NULL;
    }
    fuzz_claim(ez_container_finish(writer, context, &image) == EZLDA_OK, "there is a container");
    uint64_t bytes;
    const unsigned char *first = ez_container_section(image, parts[0].tag, &bytes);
    const char *path = fuzz_file(first - sizeof(ez_header), (size_t)ez_container_bytes(image));
    ez_container_free(image);
    return path;
}
