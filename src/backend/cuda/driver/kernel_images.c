/* Embeds the compiled kernels into the library. */
#include "backend/cuda/driver/kernel_images.h"

#include "base/embed.h"

#ifdef EZ_KERNELS_EMULATED
/* For tests: an emulated driver has its own kernels and finds them by the name of the image. */
#define EZ_EMBED(name) static const char ez_image_##name[] = #name
#else
/* The build defines the folder of the images, EZ_KERNEL_FOLDER. */
#define EZ_EMBED(name) EZ_EMBED_FILE(ez_image_##name, EZ_KERNEL_FOLDER "/" #name ".fatbin")
#endif

EZ_EMBED(inverted_index);
EZ_EMBED(start);
EZ_EMBED(rates);
EZ_EMBED(prepare);
EZ_EMBED(documents);
EZ_EMBED(words);
EZ_EMBED(words_by_warp);
EZ_EMBED(words_patched);
EZ_EMBED(count);
EZ_EMBED(owned_rows);
EZ_EMBED(histogram);
EZ_EMBED(shard_sum);
EZ_EMBED(rank_lists);
EZ_EMBED(prior_sample_words);
EZ_EMBED(prior_sample_docs);

const ez_kernel_image ez_kernel_images[EZ_KERNEL_IMAGES] = {
    [EZ_IMAGE_INVERTED_INDEX] = {"the inverted index kernels", ez_image_inverted_index},
    [EZ_IMAGE_START] = {"the start kernels", ez_image_start},
    [EZ_IMAGE_RATES] = {"the rates kernels", ez_image_rates},
    [EZ_IMAGE_PREPARE] = {"the prepare kernels", ez_image_prepare},
    [EZ_IMAGE_DOCUMENTS] = {"the documents kernels", ez_image_documents},
    [EZ_IMAGE_WORDS] = {"the words kernels", ez_image_words},
    [EZ_IMAGE_WORDS_BY_WARP] = {"the words-by-warp kernels", ez_image_words_by_warp},
    [EZ_IMAGE_WORDS_PATCHED] = {"the words-patched kernels", ez_image_words_patched},
    [EZ_IMAGE_COUNT] = {"the count kernels", ez_image_count},
    [EZ_IMAGE_OWNED_ROWS] = {"the owned-rows kernels", ez_image_owned_rows},
    [EZ_IMAGE_HISTOGRAM] = {"the histogram kernels", ez_image_histogram},
    [EZ_IMAGE_SHARD_SUM] = {"the shard-sum kernels", ez_image_shard_sum},
    [EZ_IMAGE_RANK_LISTS] = {"the rank-list kernels", ez_image_rank_lists},
    [EZ_IMAGE_PRIOR_SAMPLE_WORDS] = {"the prior-sample-words kernels", ez_image_prior_sample_words},
    [EZ_IMAGE_PRIOR_SAMPLE_DOCS] = {"the prior-sample-documents kernels",
                                    ez_image_prior_sample_docs},
};
