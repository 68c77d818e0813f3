/* Cuts runs of unspaced scripts part by part, so that a run of any length needs little memory. */
#include "corpus/text/tokeniser/segmentation.h"

#include "corpus/input/utf8.h"

#include <stdio.h>
#include <string.h>

/* Characters of a run that are cut together. Text has far shorter runs, between its punctuation. */
enum { PART_CHARACTERS = 4096 };

static const char *const names[] = {"auto", "icu", "pairs", "spaces", "pre", "units"};

bool ez_cutting_named(const char *name, ez_cutting *cutting)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) {
            *cutting = (ez_cutting)i;
            return true;
        }
    return false;
}

const char *ez_cutting_name(ez_cutting cutting)
{
    return names[cutting];
}

static ezlda_status add_piece(ez_segmenter *self, ezlda_context *context, uint32_t at, uint32_t end)
{
    ez_piece piece = {at, end - at};
    self->n++;
    return ez_buffer_append(&self->pieces, context, &piece, sizeof piece);
}

/* The bytes of at most PART_CHARACTERS characters of the run. Notes their scripts. */
static size_t part_bytes(ez_segmenter *self)
{
    const char *at = self->part;
    size_t length;
    for (int i = 0; i < PART_CHARACTERS && at < self->rest_end; i++, at += length)
        self->scripts |= ez_unspaced_script(ez_utf8_decode(at, &length));
    return (size_t)(at - self->part);
}

static ezlda_status add_unit(ez_segmenter *self, ezlda_context *context, uint32_t unit, size_t at)
{
    uint16_t code = (uint16_t)unit;
    uint32_t offset = (uint32_t)at;
    EZ_TRY(ez_buffer_append(&self->units, context, &code, sizeof code));
    return ez_buffer_append(&self->offsets, context, &offset, sizeof offset);
}

static ezlda_status to_utf16(ez_segmenter *self, ezlda_context *context, size_t bytes)
{
    size_t length;
    self->units.used = self->offsets.used = 0;
    for (size_t at = 0; at < bytes; at += length) {
        uint32_t code = ez_utf8_decode(self->part + at, &length);
        if (code >= 0x10000)
            EZ_TRY(add_unit(self, context, 0xd7c0 + (code >> 10), at));
        EZ_TRY(add_unit(self, context, code < 0x10000 ? code : 0xdc00 + (code & 0x3ff), at));
    }
    uint32_t end = (uint32_t)bytes;
    return ez_buffer_append(&self->offsets, context, &end, sizeof end);
}

static ezlda_status cut_by_icu(ez_segmenter *self, ezlda_context *context, size_t bytes)
{
    if (!self->icu)
        EZ_TRY(ez_icu_words_open(&self->icu, context));
    EZ_TRY(to_utf16(self, context, bytes));
    self->ends.used = 0;
    EZ_TRY(ez_icu_words_cut(self->icu, context, (const uint16_t *)(const void *)self->units.data,
                            (int32_t)(self->units.used / sizeof(uint16_t)), &self->ends));
    const int32_t *ends = (const int32_t *)(const void *)self->ends.data;
    const uint32_t *offsets = (const uint32_t *)(const void *)self->offsets.data;
    uint32_t at = 0;
    for (size_t i = 0; i < self->ends.used / sizeof *ends; at = offsets[ends[i]], i++)
        EZ_TRY(add_piece(self, context, at, offsets[ends[i]]));
    self->n = ez_join_pieces(self->part, (ez_piece *)(void *)self->pieces.data, self->n);
    return EZLDA_OK;
}

/* The end of the character at `at` with the marks and invisible characters that follow it. */
static size_t character_end(const ez_segmenter *self, const ez_tokeniser *tokeniser, size_t at,
                            size_t bytes)
{
    size_t length;
    ez_utf8_decode(self->part + at, &length);
    for (at += length; at < bytes && !ez_is_run(tokeniser, self->part + at); at += length)
        ez_utf8_decode(self->part + at, &length);
    return at;
}

static ezlda_status cut_into_pairs(ez_segmenter *self, ezlda_context *context, size_t bytes)
{
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, false, false, false, 1);
    size_t first = 0, second = character_end(self, &tokeniser, 0, bytes);
    if (second == bytes)
        return add_piece(self, context, 0, (uint32_t)bytes);
    while (second < bytes) {
        size_t end = character_end(self, &tokeniser, second, bytes);
        EZ_TRY(add_piece(self, context, (uint32_t)first, (uint32_t)end));
        first = second;
        second = end;
    }
    return EZLDA_OK;
}

static ezlda_status choose(ez_segmenter *self, ezlda_context *context)
{
    if (self->cutting == EZ_CUT_AUTO)
        self->cutting = ez_icu_version() ? EZ_CUT_ICU : EZ_CUT_PAIRS;
    if (self->cutting == EZ_CUT_ICU && !ez_icu_version())
        return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                       "ICU is needed to cut text into words, but libicuuc was not found (Debian: "
                       "package libicu72)");
    return EZLDA_OK;
}

/* Cuts the next part of the run. */
static ezlda_status cut_part(ez_segmenter *self, ezlda_context *context)
{
    self->next = self->n = 0;
    self->pieces.used = 0;
    self->part = self->rest;
    size_t bytes = part_bytes(self);
    self->rest += bytes;
    return self->cutting == EZ_CUT_ICU ? cut_by_icu(self, context, bytes)
                                       : cut_into_pairs(self, context, bytes);
}

static const char *next_piece(ez_segmenter *self, size_t *n)
{
    ez_piece piece = ((const ez_piece *)(const void *)self->pieces.data)[self->next++];
    *n = piece.bytes;
    return self->part + piece.at;
}

const char *ez_segmenter_more(ez_segmenter *self, ezlda_context *context, size_t *n)
{
    if (self->next == self->n)
        self->status = cut_part(self, context);
    const char *form = self->status == EZLDA_OK ? next_piece(self, n) : NULL;
    self->busy = form && (self->next < self->n || self->rest < self->rest_end);
    return form;
}

const char *ez_segmenter_cut(ez_segmenter *self, ezlda_context *context, const char *run,
                             size_t bytes, size_t *n)
{
    self->docs += !self->met;
    self->met = true;
    self->next = self->n = 0;
    self->rest = run;
    self->rest_end = run + bytes;
    self->status = choose(self, context);
    return self->status == EZLDA_OK ? ez_segmenter_more(self, context, n) : NULL;
}

void ez_segmenter_free(ez_segmenter *self)
{
    ez_icu_words_close(self->icu);
    ez_free(self->units.data);
    ez_free(self->offsets.data);
    ez_free(self->ends.data);
    ez_free(self->pieces.data);
    memset(self, 0, sizeof *self);
}

void ez_scripts_describe(uint32_t scripts, char *text, size_t size)
{
    static const char *const of[] = {"Han", "kana", "Thai", "Lao", "Burmese", "Khmer"};
    size_t used = 0;
    *text = '\0';
    for (uint32_t i = 0; i < sizeof of / sizeof *of && used < size; i++)
        if (scripts >> i & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", of[i]);
}
