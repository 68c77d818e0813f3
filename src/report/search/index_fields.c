/* Makes the fields of the index: which values there are, in their order, and the rank of each
 * document's value among them. */
#include "corpus/corpus.h"
#include "corpus/text/string_table.h"
#include "report/content/field_bins.h"
#include "report/search/doc_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A value of a field: its number in order of appearance, and what it is sorted by. */
typedef struct field_value {
    double number;
    const char *text;
    uint32_t id, holder;
} field_value;

typedef struct field_maker {
    const ezlda_corpus *corpus;
    uint32_t field;
    uint64_t docs;
    ez_strings distinct;
    ez_buffer holder; /* uint32_t: the first document with each value */
    uint32_t *rank;   /* docs: first the number of the value, then its rank */
    field_value *value;
    ez_field_kind kind;
} field_maker;

static void maker_free(field_maker *self)
{
    ez_strings_free(&self->distinct);
    ez_free(self->holder.data);
    ez_free(self->rank);
    ez_free(self->value);
}

static ezlda_status find_values(field_maker *self, ezlda_context *context)
{
    EZ_TRY(ez_array(&self->rank, context, (size_t)self->docs, sizeof *self->rank, "a field"));
    for (uint64_t doc = 0; doc < self->docs; doc++) {
        const char *text = ezlda_corpus_field_value(self->corpus, self->field, doc);
        uint32_t number = (uint32_t)doc;
        bool added;
        EZ_TRY(
            ez_strings_add(&self->distinct, context, text, strlen(text), &self->rank[doc], &added));
        if (added)
            EZ_TRY(ez_buffer_append(&self->holder, context, &number, sizeof number));
    }
    return EZLDA_OK;
}

static bool read_number(const char *text, double *number)
{
    char *end;
    size_t n = strspn(text, "+-0123456789.eE");
    if (!n || text[n])
        return false;
    *number = strtod(text, &end);
    return !*end && isfinite(*number);
}

/* What all values are that are not empty. Years are dates, so that they can be put into steps. */
static ez_field_kind kind_of(const field_value *value, uint32_t n)
{
    bool numbers = false, dates = false, any = false;
    for (uint32_t i = 0; i < n; i++) {
        ez_date date;
        double number;
        if (!*value[i].text)
            continue;
        numbers = (!any || numbers) && read_number(value[i].text, &number);
        dates = (!any || dates) && ez_date_parse(value[i].text, &date);
        any = true;
        if (!numbers && !dates)
            return EZ_FIELD_TEXT;
    }
    return dates ? EZ_FIELD_DATE : numbers ? EZ_FIELD_NUMBER : EZ_FIELD_TEXT;
}

/* "" is the first value, also among numbers. */
static int compare_values(const void *a, const void *b)
{
    const field_value *x = a, *y = b;
    if (x->number < y->number || x->number > y->number)
        return x->number < y->number ? -1 : 1;
    return strcmp(x->text, y->text);
}

static ezlda_status order_values(field_maker *self, ezlda_context *context)
{
    uint32_t n = self->distinct.n, *place;
    size_t length;
    EZ_TRY(ez_array_zero(&self->value, context, n, sizeof *self->value, "a field"));
    for (uint32_t i = 0; i < n; i++) {
        self->value[i].text = ez_strings_get(&self->distinct, i, &length);
        self->value[i].id = i;
        self->value[i].holder = ((const uint32_t *)(const void *)self->holder.data)[i];
    }
    self->kind = kind_of(self->value, n);
    for (uint32_t i = 0; self->kind == EZ_FIELD_NUMBER && i < n; i++)
        if (!read_number(self->value[i].text, &self->value[i].number))
            self->value[i].number = -HUGE_VAL;
    qsort(self->value, n, sizeof *self->value, compare_values);
    EZ_TRY(ez_array(&place, context, n, sizeof *place, "a field"));
    for (uint32_t i = 0; i < n; i++)
        place[self->value[i].id] = i;
    for (uint64_t doc = 0; doc < self->docs; doc++)
        self->rank[doc] = place[self->rank[doc]];
    ez_free(place);
    return EZLDA_OK;
}

static ezlda_status make_field(field_maker *self, ezlda_context *context)
{
    EZ_TRY(find_values(self, context));
    return order_values(self, context);
}

static ezlda_status put_all(ez_container_writer *writer, ezlda_context *context,
                            const field_maker *field, uint32_t n)
{
    EZ_TRY(ez_container_begin(writer, context, EZ_INDEX_FIELDS));
    for (uint32_t f = 0; f < n; f++) {
        ez_index_field_head head = {field[f].distinct.n, (uint32_t)field[f].kind};
        EZ_TRY(ez_container_write(writer, context, &head, sizeof head));
    }
    EZ_TRY(ez_container_begin(writer, context, EZ_INDEX_HOLDERS));
    for (uint32_t f = 0; f < n; f++)
        for (uint32_t i = 0; i < field[f].distinct.n; i++)
            EZ_TRY(ez_container_write(writer, context, &field[f].value[i].holder,
                                      sizeof field[f].value[i].holder));
    EZ_TRY(ez_container_begin(writer, context, EZ_INDEX_RANKS));
    for (uint32_t f = 0; f < n; f++)
        EZ_TRY(ez_container_write(writer, context, field[f].rank,
                                  (size_t)field[f].docs * sizeof *field[f].rank));
    return EZLDA_OK;
}

ezlda_status ez_index_put_fields(ez_container_writer *writer, ezlda_context *context,
                                 const ezlda_corpus *corpus)
{
    ezlda_corpus_info info = {.size = sizeof info};
    field_maker *field;
    ezlda_status failed = EZLDA_OK;
    ezlda_corpus_get_info(corpus, &info);
    EZ_TRY(ez_array_zero(&field, context, info.fields, sizeof *field, "fields"));
#pragma omp parallel for schedule(dynamic, 1) num_threads(ez_threads(context))
    for (uint32_t f = 0; f < info.fields; f++) {
        field[f] = (field_maker){.corpus = corpus, .field = f, .docs = info.docs};
        ezlda_status status = make_field(&field[f], context);
        if (status != EZLDA_OK) {
#pragma omp critical(ez_index_fields)
            failed = status;
        }
    }
    if (failed == EZLDA_OK)
        failed = put_all(writer, context, field, info.fields);
    for (uint32_t f = 0; f < info.fields; f++)
        maker_free(&field[f]);
    ez_free(field);
    return failed;
}
