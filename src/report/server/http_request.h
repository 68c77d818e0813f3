/* The small part of HTTP/1.1 that a page on this machine needs: the head of a GET request, and
 * status texts. */
#ifndef EZ_HTTP_REQUEST_H
#define EZ_HTTP_REQUEST_H

#include "base/memory.h"

enum { EZ_HTTP_HEAD = 8192, EZ_HTTP_VALUE = 1024 };

typedef struct ez_http_request {
    bool head_only; /* HEAD: the answer has no body */
    const char *path;
    const char *query; /* after '?', or "" */
} ez_http_request;

/* Parses a complete head (ended by NUL, changed in place). Returns 0, or the status of an error
 * answer: 400, 403 (a Host that is not this machine: a page elsewhere has pointed its name here),
 * 405, 505. */
int ez_http_parse(char *head, uint16_t port, ez_http_request *request);

/* Copies a value of the query, percent-decoded and ended by NUL; false if it is missing, too long,
 * or holds NUL. */
bool ez_http_value(const ez_http_request *request, const char *name, char out[EZ_HTTP_VALUE]);

const char *ez_http_reason(int status);

#endif
