/* ezlda_corpus_select and ezlda_corpus_join: corpora from documents of others, as they are. */
#include "base/memory.h"
#include "corpus/bags/bags.h"
#include "corpus/corpus.h"

/* All documents at once: the price of an order that is not that of the corpus. */
typedef struct all_docs {
    uint64_t *start;       /* docs+1: pairs */
    uint64_t *token_start; /* docs+1: tokens */
    uint32_t *word, *count;
    uint32_t *pair_of; /* NULL: no order is kept */
} all_docs;

static void all_docs_free(all_docs *all)
{
    ez_free(all->start);
    ez_free(all->token_start);
    ez_free(all->word);
    ez_free(all->count);
    ez_free(all->pair_of);
}

static ezlda_status make_room(all_docs *all, ezlda_context *context, const ez_corpus_sizes *sizes,
                              bool order)
{
    static const char what[] = "documents";
    size_t docs = (size_t)sizes->docs + 1;
    EZ_TRY(ez_array(&all->start, context, docs, sizeof *all->start, what));
    EZ_TRY(ez_array(&all->token_start, context, docs, sizeof *all->token_start, what));
    EZ_TRY(ez_array(&all->word, context, sizes->pairs, sizeof *all->word, what));
    EZ_TRY(ez_array(&all->count, context, sizes->pairs, sizeof *all->count, what));
    all->start[0] = all->token_start[0] = 0;
    return order ? ez_array(&all->pair_of, context, sizes->tokens, sizeof *all->pair_of, what)
                 : EZLDA_OK;
}

static void decode_block(all_docs *all, const ezlda_corpus *corpus, uint64_t b)
{
    uint32_t start[EZ_CORPUS_BLOCK + 1];
    uint64_t token_start[EZ_CORPUS_BLOCK + 1];
    uint64_t pairs = ez_corpus_pairs_before(corpus, b), tokens = ez_corpus_tokens_before(corpus, b);
    uint32_t *count = all->count + pairs;
    uint32_t docs = ez_corpus_decode(corpus, b, start, all->word + pairs, count);
    if (all->pair_of)
        ez_corpus_order(corpus, b, start, count, token_start, all->pair_of + tokens);
    for (uint32_t d = 0; d < docs; d++) {
        for (uint32_t j = start[d]; j < start[d + 1]; j++)
            tokens += count[j];
        all->start[b * EZ_CORPUS_BLOCK + d + 1] = pairs + start[d + 1];
        all->token_start[b * EZ_CORPUS_BLOCK + d + 1] = tokens;
    }
}

/* ---- selecting ---- */

typedef struct selection {
    const ezlda_corpus *corpus;
    const uint64_t *doc;
    uint64_t n;
    uint32_t fields;
    const char **names, **values; /* fields */
    const char **words;
    uint32_t *map;
    all_docs all;
} selection;

static ezlda_status add_text(const selection *s, ezlda_context *context, ez_corpus_builder *builder,
                             ez_doc_texts *reader, uint64_t d)
{
    const all_docs *all = &s->all;
    size_t from = (size_t)all->start[d], n = (size_t)all->start[d + 1] - from;
    ez_buffer count = {0}, places = {0};
    ezlda_status status;
    EZ_TRY_GOTO(ez_buffer_append(&count, context, all->count + from, n * sizeof(uint32_t)));
    EZ_TRY_GOTO(ez_text_read(reader, context, s->corpus, d));
    EZ_TRY_GOTO(
        ez_text_places(reader, context, s->corpus, (uint32_t *)(void *)count.data, n, &places));
    status = ez_corpus_builder_add_text(builder, context, reader->text, reader->bytes,
                                        (const ez_text_place *)(const void *)places.data,
                                        places.used / sizeof(ez_text_place));
done:
    ez_free(count.data);
    ez_free(places.data);
    return status;
}

static ezlda_status add_docs(const selection *s, ezlda_context *context, ez_corpus_builder *builder,
                             ez_doc_texts *reader)
{
    const all_docs *all = &s->all;
    for (uint64_t i = 0; i < s->n; i++) {
        uint64_t d = s->doc[i], from = all->start[d], token = all->token_start[d];
        for (uint32_t f = 0; f < s->fields; f++)
            s->values[f] = ezlda_corpus_field_value(s->corpus, f, d);
        const uint32_t *pair_of = all->pair_of ? all->pair_of + token : NULL;
        size_t tokens = pair_of ? (size_t)(all->token_start[d + 1] - token) : 0;
        EZ_TRY(ez_corpus_builder_add_ordered(builder, context, all->word + from, all->count + from,
                                             (size_t)(all->start[d + 1] - from), pair_of, tokens,
                                             s->values));
        if (ez_corpus_has_text(s->corpus))
            EZ_TRY(add_text(s, context, builder, reader, d));
    }
    return EZLDA_OK;
}

static ezlda_status build(selection *s, ezlda_corpus **out, ezlda_context *context,
                          const ez_corpus_sizes *sizes)
{
    ez_corpus_builder *builder = NULL;
    ez_doc_texts reader = {0};
    bool order = ez_corpus_has_order(s->corpus);
    EZ_TRY(make_room(&s->all, context, sizes, order));
    for (uint64_t b = 0; b < ez_corpus_blocks(s->corpus); b++)
        decode_block(&s->all, s->corpus, b);
    EZ_TRY(ez_corpus_unchanged(s->corpus, context));
    EZ_TRY(ez_corpus_builder_create(&builder, context, s->names, s->fields));
    if (order)
        ez_corpus_builder_keep_order(builder);
    if (ez_corpus_has_text(s->corpus))
        ez_corpus_builder_keep_text(builder);
    ezlda_status status =
        ez_corpus_builder_keep_rules(builder, context, ezlda_corpus_text_rules(s->corpus));
    if (status == EZLDA_OK)
        status = add_docs(s, context, builder, &reader);
    ez_doc_texts_free(&reader);
    if (status == EZLDA_OK)
        return ez_corpus_builder_finish(builder, out, context, s->words, sizes->words);
    ez_corpus_builder_abandon(builder);
    return status;
}

static bool ascend(const uint64_t *doc, uint64_t n)
{
    for (uint64_t i = 1; i < n; i++)
        if (doc[i] <= doc[i - 1])
            return false;
    return true;
}

/* Documents in the order of the corpus are copied block by block. */
static ezlda_status copy(const selection *s, ezlda_corpus **out, ezlda_context *context,
                         const ez_corpus_sizes *sizes)
{
    bool *skip = NULL;
    EZ_TRY(ez_array(&skip, context, (size_t)sizes->docs, sizeof *skip, "documents"));
    for (uint64_t d = 0, i = 0; d < sizes->docs; d++) {
        skip[d] = i == s->n || s->doc[i] != d;
        i += !skip[d];
    }
    ezlda_status status =
        ez_bag_rebuild(out, context, s->corpus, s->map, skip, s->words, sizes->words);
    ez_free(skip);
    return status;
}

static ezlda_status select_docs(selection *s, ezlda_corpus **out, ezlda_context *context)
{
    ez_corpus_sizes sizes;
    ezlda_corpus_info info = {.size = sizeof info};
    ez_corpus_sizes_of(s->corpus, &sizes);
    ezlda_corpus_get_info(s->corpus, &info);
    s->fields = info.fields;
    for (uint64_t i = 0; i < s->n; i++)
        if (s->doc[i] >= sizes.docs)
            return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                           "document %llu: the corpus has %llu documents",
                           (unsigned long long)s->doc[i], (unsigned long long)sizes.docs);
    EZ_TRY(ez_array(&s->map, context, sizes.words, sizeof *s->map, "word numbers"));
    EZ_TRY(ez_array(&s->words, context, sizes.words, sizeof *s->words, "the vocabulary"));
    EZ_TRY(ez_array(&s->names, context, s->fields, sizeof *s->names, "field names"));
    EZ_TRY(ez_array(&s->values, context, s->fields, sizeof *s->values, "fields"));
    ez_bag_keep_words(s->corpus, s->map, s->words);
    for (uint32_t f = 0; f < s->fields; f++)
        s->names[f] = ezlda_corpus_field(s->corpus, f);
    return ascend(s->doc, s->n) ? copy(s, out, context, &sizes) : build(s, out, context, &sizes);
}

ezlda_status ezlda_corpus_select(ezlda_corpus **out, ezlda_context *context,
                                 const ezlda_corpus *corpus, const uint64_t *docs, uint64_t n_docs)
{
    selection s = {.corpus = corpus, .doc = docs, .n = n_docs};
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the corpus"));
    *out = NULL;
    EZ_TRY(ez_needs(context, corpus, "a corpus"));
    if (n_docs > 0)
        EZ_TRY(ez_needs(context, docs, "the numbers of documents"));
    ezlda_status status = select_docs(&s, out, context);
    all_docs_free(&s.all);
    ez_free(s.map);
    ez_free(s.words);
    ez_free(s.names);
    ez_free(s.values);
    return status;
}

/* ---- joining ---- */

ezlda_status ezlda_corpus_join(ezlda_corpus **out, ezlda_context *context,
                               const ezlda_corpus *const *corpora, size_t n)
{
    const char **names = NULL;
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the corpus"));
    *out = NULL;
    EZ_TRY(ez_needs(context, n > 0 ? corpora : NULL, "a corpus"));
    for (size_t i = 0; i < n; i++)
        EZ_TRY(ez_needs(context, corpora[i], "a corpus"));
    EZ_TRY(ez_array(&names, context, n, sizeof *names, "corpora"));
    for (size_t i = 0; i < n; i++)
        names[i] = "a corpus";
    ezlda_status status =
        ez_bags_join(out, context, (ezlda_corpus *const *)corpora, n, names, true);
    ez_free(names);
    return status;
}
