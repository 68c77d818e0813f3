/* Fuzzes a reader of pages (FUZZ_KIND): whatever the bytes are, there are documents of UTF-8 that have not grown beyond
 * all measure, or a fault with a message. The same bytes are also asked for their kind and their encoding. */
#include "fuzz_file.h"

#include "corpus/input/utf8.h"
#include "corpus/pages/page_reader.h"
#include "corpus/text/text_source.h"

#include <stdlib.h>
#include <string.h>

enum { GROWTH = 64, SLOTS = 32 };

static ez_field_plan *fields(void)
{
    static ez_field_plan plan;
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    options.keep_fields = "title,author,date,place,publisher,language,keywords,id,a,author.name";
    options.name_field = "name";
    fuzz_claim(plan.slots || ez_field_plan_init(&plan, fuzz_context(), &options) == EZLDA_OK, "there is a plan");
    fuzz_claim(plan.slots <= SLOTS, "there are slots");
    return &plan;
}

static void walk(ez_page_set *set, size_t size)
{
    ez_span slots[SLOTS] = {{0}};
    uint64_t number, docs = 0;
    size_t all = 0;
    while (ez_page_set_next(set, slots, &number)) {
        docs++;
        fuzz_claim(number == 0 || number == docs, "documents are numbered");
        fuzz_claim(slots[EZ_SLOT_TEXT].at != NULL, "a document has a text");
        for (int i = 0; i < SLOTS; i++)
            fuzz_claim(ez_utf8_check(slots[i].at, slots[i].n) == slots[i].n, "all is UTF-8");
        all += slots[EZ_SLOT_TEXT].n;
        memset(slots, 0, sizeof slots);
    }
    fuzz_claim(docs > 0 && all <= GROWTH * (size + 1), "there are documents, and they have not grown");
}

static void look(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"a.html", "b.xml", "c.md", "d", "e.txt"};
    char name[EZ_ENCODING_NAME];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        fuzz_claim(ez_page_kind_of(names[i], (const char *)data, size) < EZ_PAGE_KINDS, "there is a kind");
    if (ez_page_charset((const char *)data, size, name))
        fuzz_claim(strlen(name) > 0, "an encoding has a name");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ez_page_tally tally;
    ez_page_set set = {.tally = &tally};
    ez_page_fault fault;
    bool read;
    look(data, size);
    size_t n = ez_utf8_check((const char *)data, size);
    char *text = malloc(n + 1);
    memcpy(text, data, n);
    ez_page_set_begin(&set, fields());
    ezlda_status status = ez_page_read(&set, fuzz_context(), FUZZ_KIND, text, n, &read, &fault);
    fuzz_claim(status != EZLDA_ERROR_INTERNAL, "no internal error");
    fuzz_claim(!fault.text[0] || (status == EZLDA_ERROR_FORMAT && fault.line > 0), "a fault is one, and has a line");
    fuzz_claim(ez_utf8_check(fault.text, strlen(fault.text)) == strlen(fault.text), "a message is UTF-8");
    if (status == EZLDA_OK && read)
        walk(&set, n);
    ez_page_set_free(&set);
    free(text);
    return 0;
}
