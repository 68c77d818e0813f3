/* Exports MALLET's state: the topic of every token, one token per line, gzipped as MALLET itself
 * reads and writes it.
 *
 * The model keeps the topics of a document's tokens, the corpus their words. Documents are bags, so
 * a token's position is its place among the document's tokens by ascending word. */
#include "base/files/block_writer.h"
#include "base/number_text.h"
#include "corpus/corpus.h"
#include "export/export.h"

#include <string.h>

typedef struct state_writer {
    const ezlda_model *model;
    const ezlda_corpus *corpus;
} state_writer;

/* MALLET separates fields by single spaces: spaces and control characters inside a field become
 * '_'. */
static ezlda_status append_field(ez_buffer *text, ezlda_context *context, const char *field)
{
    size_t from = text->used;
    EZ_TRY(ez_append_text(text, context, field));
    for (size_t i = from; i < text->used; i++)
        if (text->data[i] <= ' ' || text->data[i] == 127)
            text->data[i] = '_';
    return EZLDA_OK;
}

static ezlda_status append_header(const ezlda_model *model, ezlda_context *context, ez_buffer *text)
{
    EZ_TRY(ez_append_text(text, context, "#doc source pos typeindex type topic\n#alpha : "));
    for (uint32_t k = 0; k < model->meta->topics; k++) {
        EZ_TRY(ez_append_real(text, context, model->alpha[k], EZ_ALL_DIGITS));
        EZ_TRY(ez_append_text(text, context, " "));
    }
    EZ_TRY(ez_append_text(text, context, "\n#beta : "));
    EZ_TRY(ez_append_real(text, context, model->meta->beta, EZ_ALL_DIGITS));
    return ez_append_text(text, context, "\n");
}

/* Makes "DOC SOURCE ", which starts each line of a document. */
static ezlda_status make_opening(const ezlda_model *model, ezlda_context *context, uint64_t doc,
                                 ez_buffer *opening)
{
    const char *name = ezlda_model_doc_name(model, doc);
    opening->used = 0;
    EZ_TRY(ez_append_whole(opening, context, doc));
    EZ_TRY(ez_append_text(opening, context, " "));
    EZ_TRY(append_field(opening, context, *name ? name : "NA"));
    return ez_append_text(opening, context, " ");
}

/* Makes " TYPEINDEX TYPE ", which all tokens of a word share. */
static ezlda_status make_middle(const ezlda_model *model, ezlda_context *context, uint32_t word,
                                ez_buffer *middle)
{
    middle->used = 0;
    EZ_TRY(ez_append_text(middle, context, " "));
    EZ_TRY(ez_append_whole(middle, context, word));
    EZ_TRY(ez_append_text(middle, context, " "));
    EZ_TRY(append_field(middle, context, ez_column_at(&model->words, word)));
    return ez_append_text(middle, context, " ");
}

static ezlda_status append_token(ez_buffer *text, ezlda_context *context, const ez_buffer *opening,
                                 uint64_t position, const ez_buffer *middle, uint16_t topic)
{
    EZ_TRY(ez_buffer_append(text, context, opening->data, opening->used));
    EZ_TRY(ez_append_whole(text, context, position));
    EZ_TRY(ez_buffer_append(text, context, middle->data, middle->used));
    EZ_TRY(ez_append_whole(text, context, topic));
    return ez_buffer_append(text, context, "\n", 1);
}

/* A decoded block of the corpus, and the common parts of lines. */
typedef struct state_room {
    uint32_t row_start[EZ_CORPUS_BLOCK + 1];
    uint32_t *word, *count;
    ez_buffer opening, middle;
} state_room;

static ezlda_status append_document(const ezlda_model *model, ezlda_context *context, uint64_t doc,
                                    uint32_t row, state_room *room, ez_buffer *text)
{
    const uint16_t *topic = model->token_topics + model->doc_start[doc];
    uint64_t position = 0;
    EZ_TRY(make_opening(model, context, doc, &room->opening));
    for (uint32_t i = room->row_start[row]; i < room->row_start[row + 1]; i++) {
        EZ_TRY(make_middle(model, context, room->word[i], &room->middle));
        for (uint32_t left = room->count[i]; left; left--, position++)
            EZ_TRY(append_token(text, context, &room->opening, position, &room->middle,
                                topic[position]));
    }
    return EZLDA_OK;
}

static ezlda_status append_block(const state_writer *writer, ezlda_context *context, uint64_t block,
                                 state_room *room, ez_buffer *text)
{
    const ezlda_corpus *corpus = writer->corpus;
    uint64_t pairs =
        ez_corpus_pairs_before(corpus, block + 1) - ez_corpus_pairs_before(corpus, block);
    EZ_TRY(ez_array(&room->word, context, pairs, sizeof *room->word, "a block of documents"));
    EZ_TRY(ez_array(&room->count, context, pairs, sizeof *room->count, "a block of documents"));
    uint32_t docs = ez_corpus_decode(corpus, block, room->row_start, room->word, room->count);
    for (uint32_t i = 0; i < docs; i++)
        EZ_TRY(append_document(writer->model, context, block * EZ_CORPUS_BLOCK + i, i, room, text));
    return EZLDA_OK;
}

/* Block 0 is the header. */
static ezlda_status make_block(void *user, ezlda_context *context, uint64_t i, ez_buffer *text)
{
    const state_writer *writer = user;
    if (i == 0)
        return append_header(writer->model, context, text);
    state_room room = {0};
    ezlda_status status = append_block(writer, context, i - 1, &room, text);
    ez_free(room.word);
    ez_free(room.count);
    ez_free(room.opening.data);
    ez_free(room.middle.data);
    return status;
}

ezlda_status ez_export_mallet_state(const ez_export *what)
{
    if (!what->model->token_topics)
        return ez_fail(what->context, EZLDA_ERROR_ARGUMENT,
                       "the model does not keep the topics of its tokens, which a MALLET state is "
                       "made of: train with --keep-topics");
    if (!what->corpus)
        return ez_fail(what->context, EZLDA_ERROR_ARGUMENT,
                       "a MALLET state names the word of each token, which the model does not "
                       "keep: give the corpus that it was trained on (--corpus)");
    state_writer writer = {what->model, what->corpus};
    const ez_block_source source = {1 + ez_corpus_blocks(what->corpus), make_block, &writer};
    return ez_write_block_file(what->context, what->path, &source, true);
}
