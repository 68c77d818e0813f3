/* Fuzzes a folder of single cells: the input is its matrix and the names of features and cells, separated by bytes 1.
 * Its last byte chooses whether the features are genes or regions. */
#include "fuzz_file.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES = 4, MATRIX = 0, GENES, REGIONS, CELLS };

static struct {
    char folder[32], path[FILES][64], aside[64]; /* aside: the genes' file, if there are regions */
    int fd[FILES];
} cells;

static void clear_away(void)
{
    for (int i = 0; i < FILES; i++)
        unlink(cells.path[i]);
    unlink(cells.aside);
    rmdir(cells.folder);
}

static void make_folder(void)
{
    static const char *const names[FILES] = {"matrix.mtx", "features.tsv", "peaks.bed", "barcodes.tsv"};
    snprintf(cells.folder, sizeof cells.folder, "/dev/shm/ezlda-cells-XXXXXX");
    fuzz_claim(mkdtemp(cells.folder) != NULL, "there is a folder");
    for (int i = 0; i < FILES; i++) {
        snprintf(cells.path[i], sizeof cells.path[i], "%s/%s", cells.folder, names[i]);
        cells.fd[i] = open(cells.path[i], O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        fuzz_claim(cells.fd[i] >= 0, "there is a file");
    }
    snprintf(cells.aside, sizeof cells.aside, "%s/aside", cells.folder);
    atexit(clear_away);
}

static void fill(int file, const uint8_t *bytes, size_t n)
{
    fuzz_claim(ftruncate(cells.fd[file], 0) == 0 && pwrite(cells.fd[file], bytes, n, 0) == (ssize_t)n, "it is written");
}

/* If both files exist, genes come before regions. */
static void choose_features(bool regions)
{
    const char *genes = cells.path[GENES];
    fuzz_claim((regions ? rename(genes, cells.aside) : rename(cells.aside, genes)) == 0, "a file is moved");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool regions;
    if (!cells.folder[0])
        make_folder();
    bool wanted = size && data[size - 1] & 1;
    if (wanted != regions)
        choose_features(regions = wanted);
    const int files[] = {MATRIX, regions ? REGIONS : GENES, CELLS};
    for (int i = 0; i < 3; i++) {
        const uint8_t *end = i < 2 && size ? memchr(data, 1, size) : NULL;
        size_t n = end ? (size_t)(end - data) : size;
        fill(files[i], data, n);
        data += end ? n + 1 : n;
        size -= end ? n + 1 : n;
    }
    const char *path = cells.folder;
    ezlda_corpus *corpus = NULL;
    ezlda_status status = ezlda_corpus_read(&corpus, fuzz_context(), &path, 1, NULL);
    fuzz_claim_status(status, corpus);
    fuzz_walk_corpus(corpus);
    ezlda_corpus_free(corpus);
    return 0;
}
