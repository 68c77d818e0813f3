/* The compiled kernels, embedded by the build: one image per .cu file of kernels/. */
#ifndef EZ_KERNEL_IMAGES_H
#define EZ_KERNEL_IMAGES_H

typedef struct ez_kernel_image {
    const char *name;
    const void *data;
} ez_kernel_image;

enum {
    EZ_IMAGE_INVERTED_INDEX,
    EZ_IMAGE_START,
    EZ_IMAGE_RATES,
    EZ_IMAGE_PREPARE,
    EZ_IMAGE_DOCUMENTS,
    EZ_IMAGE_WORDS,
    EZ_IMAGE_WORDS_BY_WARP,
    EZ_IMAGE_WORDS_PATCHED,
    EZ_IMAGE_COUNT,
    EZ_IMAGE_OWNED_ROWS,
    EZ_IMAGE_HISTOGRAM,
    EZ_IMAGE_SHARD_SUM,
    EZ_IMAGE_RANK_LISTS,
    EZ_IMAGE_PRIOR_SAMPLE_WORDS,
    EZ_IMAGE_PRIOR_SAMPLE_DOCS,
    EZ_KERNEL_IMAGES
};
extern const ez_kernel_image ez_kernel_images[EZ_KERNEL_IMAGES];

#endif
