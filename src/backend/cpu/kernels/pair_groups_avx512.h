/* Draws the tokens of each pair together, sixteen at a time, with AVX-512, in batches with many
 * tokens a pair: their places are searched by halves on a line in registers. Needs the primitives
 * of pair_kernels_avx512.c. */
#ifndef EZ_PAIR_GROUPS_AVX512_H
#define EZ_PAIR_GROUPS_AVX512_H

/* Batches with fewer tokens a pair than GROUP_LEAST / 4 are faster token by token. */
enum { GROUP_LEAST = 9 };

/* Up to sixteen tokens of a pair. */
typedef struct pair_group {
    const ez_pair_word *word;
    const float *line;
    uint64_t key; /* of the first token, with the share of the document */
    uint32_t first;
    uint32_t in; /* its tokens, one bit each */
} pair_group;

/* Floats by place on a line. Lines of up to 32 places, which are not wide, have two vectors. */
typedef struct place_table {
    __m512 v[4];
} place_table;

/* The tokens of a batch that differ from the one before, one bit each, and the first. */
static inline uint64_t find_starts(const uint32_t *words, uint32_t n)
{
    uint64_t starts = 1;
    for (uint32_t i = 0; i + 1 < n; i += 16) {
        const uint32_t left = n - 1 - i;
        const __mmask16 in = (__mmask16)(left < 16 ? (1u << left) - 1 : 0xffff);
        __mmask16 differ =
            _mm512_mask_cmpneq_epi32_mask(in, _mm512_maskz_loadu_epi32(in, words + i),
                                          _mm512_maskz_loadu_epi32(in, words + i + 1));
        starts |= (uint64_t)differ << i << 1;
    }
    return starts;
}

PAIR_INLINE place_table load_table(const float *from, bool wide)
{
    place_table table;
    table.v[0] = _mm512_loadu_ps(from);
    table.v[1] = _mm512_loadu_ps(from + VECTOR);
    table.v[2] = wide ? _mm512_loadu_ps(from + (ptrdiff_t)2 * VECTOR) : table.v[0];
    table.v[3] = wide ? _mm512_loadu_ps(from + (ptrdiff_t)3 * VECTOR) : table.v[1];
    return table;
}

PAIR_INLINE __m512 of_places(const place_table *table, bool wide, __m512i place)
{
    __m512 low = _mm512_permutex2var_ps(table->v[0], place, table->v[1]);
    if (!wide)
        return low;
    __m512 high = _mm512_permutex2var_ps(table->v[2], place, table->v[3]);
    return _mm512_mask_mov_ps(low, _mm512_test_epi32_mask(place, _mm512_set1_epi32(32)), high);
}

/* Where topics lie on the line of a word. */
static inline __m512i places_of(const ez_pair_word *word, __m256i topic)
{
    __m256i place = _mm256_add_epi16(topic, _mm256_set1_epi16(EZ_TOP));
#pragma GCC unroll 8
    for (int i = 0; i < EZ_TOP; i++) {
        __mmask16 same = _mm256_cmpeq_epi16_mask(topic, _mm256_set1_epi16((short)word->topic[i]));
        place = _mm256_mask_mov_epi16(place, same, _mm256_set1_epi16((short)i));
    }
    return _mm512_cvtepu16_epi32(place);
}

/* Sixteen draws as floats from 0 to 1. */
static inline __m512 draws_from(uint64_t key)
{
    const uint64_t c = 0x94d049bb133111ebu;
    const __m512i lanes = _mm512_mullo_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
                                             _mm512_set1_epi64((long long)c));
    __m512i low = _mm512_add_epi64(lanes, _mm512_set1_epi64((long long)key));
    const uint64_t next = key + 8 * c;
    __m512i high = _mm512_add_epi64(lanes, _mm512_set1_epi64((long long)next));
    __m256i a = _mm512_cvtepi64_epi32(_mm512_srli_epi64(mix(low), 33));
    __m256i b = _mm512_cvtepi64_epi32(_mm512_srli_epi64(mix(high), 33));
    __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1);
    return _mm512_mul_ps(_mm512_cvtepi32_ps(both), _mm512_set1_ps(0x1p-31f));
}

/* Moves by a step if the ends before are at most x. */
PAIR_INLINE __m512i pass_places(const place_table *end, bool wide, __m512 x, __m512i at,
                                const int step)
{
    __m512 next = of_places(end, wide, _mm512_add_epi32(at, _mm512_set1_epi32(step - 1)));
    __mmask16 passed = _mm512_cmp_ps_mask(next, x, _CMP_LE_OQ);
    return _mm512_mask_add_epi32(at, passed, at, _mm512_set1_epi32(step));
}

/* The places of x; the last place for what is beyond. */
PAIR_INLINE __m512i search_places(const place_table *end, bool wide, __m512 x)
{
    __m512i at = _mm512_setzero_si512();
    if (wide)
        at = pass_places(end, wide, x, at, 32);
    at = pass_places(end, wide, x, at, 16);
    at = pass_places(end, wide, x, at, 8);
    at = pass_places(end, wide, x, at, 4);
    at = pass_places(end, wide, x, at, 2);
    return pass_places(end, wide, x, at, 1);
}

/* Draws x of a group. This and search_group store junk behind the group, which later groups
 * replace. */
PAIR_INLINE void draw_group(const ez_pair_job *job, bool wide, const pair_group *group,
                            const uint16_t *topic, pair_batch *b)
{
    const uint32_t i = group->first;
    const __mmask16 once = job->leave_one_out ? 0xffff : 0;
    const place_table weight = load_table(ez_pair_all_weights(group->word), wide),
                      end = load_table(group->line + LINE_ENDS, wide);
    __m512i place =
        places_of(group->word, _mm256_maskz_loadu_epi16((__mmask16)group->in, topic + i));
    __m512 own = _mm512_maskz_mov_ps(once, of_places(&weight, wide, place));
    __m512 reduced = _mm512_sub_ps(of_places(&end, wide, place), own);
    __m512 total = _mm512_sub_ps(_mm512_set1_ps(group->line[LINE_TOTAL]), own);
    __m512 x = _mm512_mul_ps(draws_from(group->key), total);
    _mm512_storeu_ps(b->room + i, _mm512_abs_ps(_mm512_sub_ps(x, reduced)));
    __mmask16 after = _mm512_cmp_ps_mask(x, reduced, _CMP_GE_OQ);
    _mm512_storeu_ps(b->x + i, _mm512_mask_add_ps(x, after, x, own));
}

/* Finds the topics of a group; returns the tokens that are not sure. */
PAIR_INLINE uint64_t search_group(const ez_pair_job *job, bool wide, const pair_group *group,
                                  uint16_t *drawn, pair_batch *b)
{
    const uint32_t i = group->first;
    const place_table end = load_table(group->line + LINE_ENDS, wide);
    __m512 x = _mm512_loadu_ps(b->x + i), room = _mm512_loadu_ps(b->room + i);
    __m512i at = search_places(&end, wide, x);
    __m512 low = of_places(&end, wide, _mm512_sub_epi32(at, _mm512_set1_epi32(1)));
    low = _mm512_mask_mov_ps(low, _mm512_testn_epi32_mask(at, at), _mm512_set1_ps(-INFINITY));
    room = _mm512_min_ps(room, _mm512_sub_ps(x, low));
    room = _mm512_min_ps(room, _mm512_sub_ps(of_places(&end, wide, at), x));
    __m512 least = _mm512_set1_ps(group->line[LINE_TOTAL] * job->margin);
    __mmask16 sure = _mm512_cmp_ps_mask(room, least, _CMP_GT_OQ);

    __m512i name = _mm512_zextsi256_si512(
        _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)group->word->topic)));
    __mmask16 top = _mm512_cmplt_epi32_mask(at, _mm512_set1_epi32(EZ_TOP));
    __m512i k = _mm512_sub_epi32(at, _mm512_set1_epi32(EZ_TOP));
    k = _mm512_mask_permutexvar_epi32(k, top, at, name);
    _mm256_storeu_si256((__m256i *)(void *)(drawn + i), _mm512_cvtepi32_epi16(k));
    return (uint64_t)(~(uint32_t)sure & group->in) << i;
}

/* Prefetches what the pair that begins at words[first] will need. */
static inline void prefetch_pair(const ez_pair_job *job, const uint32_t *words, uint32_t first)
{
    PREFETCH_WORD(job, words + first);
    const uint32_t *row = job->next_w + job->stride * words[first];
    for (uint32_t k = 0; k < job->topics; k += 16)
        __builtin_prefetch(row + k, 1);
}

/* Sets what search_open reads of open tokens. key: that of the first token. */
static inline void describe_open(pair_batch *b, uint64_t starts, uint32_t occurrence, size_t stride)
{
    for (uint64_t open = b->open; open; open &= open - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(open);
        uint64_t through = starts & (UINT64_MAX >> (63 - i));
        uint32_t p = (uint32_t)__builtin_popcountll(through) - 1;
        uint32_t first = 63 - (uint32_t)__builtin_clzll(through);
        uint32_t before = i - first + (p == 0 ? occurrence : 0);
        b->word[i] = b->pair[p];
        b->line[i] = b->lines + p * stride;
        b->total[i] = b->line[i][LINE_TOTAL];
        b->key[i] = b->pair[p]->word_key + before * 0x94d049bb133111ebu;
    }
}

/* Makes the lines of all pairs; lists their groups and returns how many there are. */
static inline uint32_t make_groups(const ez_pair_job *job, const uint32_t *words, uint64_t starts,
                                   uint32_t occurrence, pair_batch *b, pair_group *group)
{
    const size_t stride = line_stride(job);
    const uint64_t share = ez_token_share(job->doc, 0), c = 0x94d049bb133111ebu;
    const size_t ahead = (size_t)(job->word_end - words) - b->n;
    const uint32_t next_n = ahead < PAIR_BATCH ? (uint32_t)ahead : PAIR_BATCH;
    uint64_t next = next_n > 0 ? find_starts(words + b->n, next_n) : 0;
    uint32_t p = 0, groups = 0;
    for (uint64_t left = starts; left; p++) {
        uint32_t first = (uint32_t)__builtin_ctzll(left);
        left &= left - 1;
        const uint32_t end = left ? (uint32_t)__builtin_ctzll(left) : b->n;
        const ez_pair_word *word = b->pair[p] = ez_pair_word_at(job, words[first]);
        float *line = b->lines + p * stride;
        uint64_t key = word->word_key + share + (p == 0 ? occurrence : 0) * c;
        make_line(job, EZ_PAIR_DENSE, word, NULL, line);
        for (; first < end; first += VECTOR, key += VECTOR * c)
            group[groups++] = (pair_group){
                .word = word,
                .line = line,
                .key = key,
                .first = first,
                .in = end - first < VECTOR ? (1u << (end - first)) - 1 : 0xffff,
            };
        if (next)
            prefetch_pair(job, words + b->n, (uint32_t)__builtin_ctzll(next));
        next &= next - 1;
    }
    for (; next; next &= next - 1)
        prefetch_pair(job, words + b->n, (uint32_t)__builtin_ctzll(next));
    b->pairs = p;
    return groups;
}

PAIR_INLINE void draw_groups(const ez_pair_job *job, bool wide, const pair_group *group,
                             uint32_t groups, uint16_t *topic, pair_batch *b)
{
    uint16_t drawn[PAIR_BATCH + VECTOR] = {0};
    uint64_t open = 0;
    for (uint32_t g = 0; g < groups; g++)
        draw_group(job, wide, &group[g], topic, b);
    for (uint32_t g = 0; g < groups; g++)
        open |= search_group(job, wide, &group[g], drawn, b);
    b->open = open;
    memcpy(b->old, topic, b->n * sizeof *topic);
    memcpy(topic, drawn, b->n * sizeof *topic);
}

static inline bool draw_together(const ez_pair_job *job, const uint32_t *words, uint32_t before,
                                 uint16_t *topic, pair_batch *b)
{
    const uint64_t starts = find_starts(words, b->n);
    const uint32_t pairs = (uint32_t)__builtin_popcountll(starts);
    if (4 * b->n < GROUP_LEAST * pairs)
        return false;
    const uint32_t occurrence = words[0] == before ? b->occurrence + 1 : 0;
    pair_group group[PAIR_BATCH];
    const uint32_t groups = make_groups(job, words, starts, occurrence, b, group);
    if (line_vectors(job) <= 2)
        draw_groups(job, false, group, groups, topic, b);
    else
        draw_groups(job, true, group, groups, topic, b);
    b->occurrence =
        b->n - 1 - (63 - (uint32_t)__builtin_clzll(starts)) + (pairs == 1 ? occurrence : 0);
    describe_open(b, starts, occurrence, line_stride(job));
    return true;
}

#endif
