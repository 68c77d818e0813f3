#include "backend/cuda/kernel_images.h"

#ifdef EZ_KERNELS_EMULATED
/* Tests: an emulated driver has its own kernels and finds them by the image's name. */
#define EZ_EMBED(name) static const char ez_image_##name[] = #name
#else
/* The build names the folder of the images: EZ_KERNEL_FOLDER. */
#define EZ_EMBED(name)                                                           \
    __asm__(".pushsection .rodata\n.balign 64\n.global ez_image_" #name "\n"     \
            ".hidden ez_image_" #name "\nez_image_" #name ":\n"                  \
            ".incbin \"" EZ_KERNEL_FOLDER "/" #name ".fatbin\"\n.popsection\n"); \
    extern const char ez_image_##name[] __attribute__((visibility("hidden")))
#endif

EZ_EMBED(index);
EZ_EMBED(start);
EZ_EMBED(rates);
EZ_EMBED(prepare);
EZ_EMBED(documents);
EZ_EMBED(words);
EZ_EMBED(words_few);
EZ_EMBED(words_rare);
EZ_EMBED(count);
EZ_EMBED(gather);
EZ_EMBED(histogram);
EZ_EMBED(sum);
EZ_EMBED(list);

const ez_kernel_image ez_kernel_images[EZ_KERNEL_IMAGES] = {
    [EZ_IMAGE_INDEX] = {"the index kernels", ez_image_index},
    [EZ_IMAGE_START] = {"the start kernels", ez_image_start},
    [EZ_IMAGE_RATES] = {"the rates kernels", ez_image_rates},
    [EZ_IMAGE_PREPARE] = {"the prepare kernels", ez_image_prepare},
    [EZ_IMAGE_DOCUMENTS] = {"the documents kernels", ez_image_documents},
    [EZ_IMAGE_WORDS] = {"the words kernels", ez_image_words},
    [EZ_IMAGE_WORDS_FEW] = {"the kernels of words with few tokens", ez_image_words_few},
    [EZ_IMAGE_WORDS_RARE] = {"the kernels of rare words", ez_image_words_rare},
    [EZ_IMAGE_COUNT] = {"the count kernels", ez_image_count},
    [EZ_IMAGE_GATHER] = {"the gather kernels", ez_image_gather},
    [EZ_IMAGE_HISTOGRAM] = {"the histogram kernels", ez_image_histogram},
    [EZ_IMAGE_SUM] = {"the sum kernels", ez_image_sum},
    [EZ_IMAGE_LIST] = {"the list kernels", ez_image_list},
};
