/* --tsv and --json, for the commands that print tables for people: topics, docs, diff. */
#ifndef CLI_LIST_OPTIONS_H
#define CLI_LIST_OPTIONS_H

#include "options/options.h"

typedef struct list_settings {
    int tsv, json;
} list_settings;

/* Targets lie in a list_settings. */
extern const cli_option list_options[];

/* 0, or an exit status after one line if both are given. */
int list_check(const cli_call *call, const list_settings *settings);

#endif
