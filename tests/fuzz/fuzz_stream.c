/* Fuzzes compressed streams: reading in blocks, in lines and line by line must give the same bytes. FUZZ_ENCODED: the
 * input is text in an encoding that the first byte chooses. */
#include "fuzz_file.h"

#include "corpus/input/input.h"

#include <stdlib.h>

/* FNV-1a, so that ways of reading can be compared without keeping the bytes. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

typedef struct outcome {
    ezlda_status status;
    uint64_t bytes, hash;
    int ended; /* by a line end */
} outcome;

static void take(outcome *o, const void *bytes, size_t n)
{
    o->bytes += n;
    o->hash = mix(o->hash, bytes, n);
    if (n)
        o->ended = ((const char *)bytes)[n - 1] == '\n';
}

static outcome read_blocks(ez_input *input, size_t step)
{
    outcome o = {.status = EZLDA_OK, .ended = 1};
    char *block = malloc(step);
    size_t got = step;
    while (o.status == EZLDA_OK && got == step) {
        o.status = ez_input_read(input, fuzz_context(), block, step, &got);
        if (o.status == EZLDA_OK)
            take(&o, block, got);
    }
    free(block);
    if (!o.ended) /* as lines get one */
        take(&o, "\n", 1);
    return o;
}

static outcome read_lines(ez_input *input, size_t target)
{
    outcome o = {.status = EZLDA_OK};
    ez_lines lines = {0};
    do {
        o.status = target ? ez_input_lines(input, fuzz_context(), target, &lines)
                          : ez_input_line(input, fuzz_context(), &lines);
        if (o.status == EZLDA_OK)
            take(&o, lines.text, lines.n);
    } while (o.status == EZLDA_OK && lines.n);
    ez_lines_free(&lines);
    return o;
}

static outcome read_way(const char *path, const char *encoding, int way)
{
    ez_input *input = NULL;
    outcome o = {.status = ez_input_open_text(&input, fuzz_context(), path, encoding)};
    if (o.status == EZLDA_OK)
        o = way == 0 ? read_blocks(input, 4099) : read_lines(input, way == 1 ? 1000 : 0);
    ez_input_close(input);
    return o;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *encoding = NULL;
#ifdef FUZZ_ENCODED
    static const char *const encodings[] = {"utf-16", "latin1",      "windows-1252", "shift_jis",
                                            "big5",   "iso-2022-jp", "utf-7",        "utf-32"};
    if (size) {
        encoding = encodings[data[0] % (sizeof encodings / sizeof *encodings)];
        data++;
        size--;
    }
#endif
    const char *path = fuzz_file(data, size);
    outcome blocks = read_way(path, encoding, 0), lines = read_way(path, encoding, 1);
    fuzz_claim(blocks.status == lines.status, "lines and blocks end alike");
    if (blocks.status != EZLDA_OK)
        return 0;
    fuzz_claim(blocks.bytes == lines.bytes && blocks.hash == lines.hash, "lines and blocks have the same bytes");
    if (blocks.bytes > 4096)
        return 0;
    lines = read_way(path, encoding, 2);
    fuzz_claim(lines.status == EZLDA_OK && blocks.hash == lines.hash, "single lines have the same bytes");
    return 0;
}
