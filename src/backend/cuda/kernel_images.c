#include "backend/cuda/kernel_images.h"

/* The build names the folder of the images: EZ_KERNEL_FOLDER. */
#define EZ_EMBED(name)                                                           \
    __asm__(".pushsection .rodata\n.balign 64\n.global ez_image_" #name "\n"     \
            ".hidden ez_image_" #name "\nez_image_" #name ":\n"                  \
            ".incbin \"" EZ_KERNEL_FOLDER "/" #name ".fatbin\"\n.popsection\n"); \
    extern const char ez_image_##name[] __attribute__((visibility("hidden")))

EZ_EMBED(prepare);
EZ_EMBED(documents);
EZ_EMBED(words);
EZ_EMBED(count);

const ez_kernel_image ez_kernel_images[EZ_KERNEL_IMAGES] = {
    [EZ_IMAGE_PREPARE] = {"the prepare kernels", ez_image_prepare},
    [EZ_IMAGE_DOCUMENTS] = {"the documents kernels", ez_image_documents},
    [EZ_IMAGE_WORDS] = {"the words kernels", ez_image_words},
    [EZ_IMAGE_COUNT] = {"the count kernels", ez_image_count},
};
