/* The words that tell a bundle from its sibling. */
#ifndef EZ_NODE_WORDS_H
#define EZ_NODE_WORDS_H

#include "tree/bundles.h"

/* Writes the words of bundle i that say most about the difference from bundle j, at most `most`,
 * and returns how many they are: those with the largest count * log(p(word | i) / p(word | both)).
 * j may be i: then the most frequent words. */
uint32_t ez_node_words(const ez_bundles *b, uint32_t i, uint32_t j, uint32_t *words, uint32_t most);

#endif
