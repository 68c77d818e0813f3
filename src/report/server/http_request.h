/* As much of HTTP/1.1 as a page on this machine needs: the head of a GET, and the head of an
 * answer. */
#ifndef EZ_HTTP_REQUEST_H
#define EZ_HTTP_REQUEST_H

#include "base/memory.h"

enum { EZ_HTTP_HEAD = 8192, EZ_HTTP_VALUE = 1024 };

typedef struct ez_http_request {
    bool head_only; /* HEAD: an answer without its body */
    const char *path;
    const char *query; /* after '?', or "" */
} ez_http_request;

/* Reads a whole head (ended by NUL, and changed in place). 0, or the status of the answer that it
 * gets instead: 400, 403 (a Host that is not this machine: a page elsewhere that points its name
 * here), 405, 505. */
int ez_http_parse(char *head, uint16_t port, ez_http_request *request);

/* A value of the query, percent-decoded and ended by NUL; false where it is missing, too long, or
 * holds NUL. */
bool ez_http_value(const ez_http_request *request, const char *name, char out[EZ_HTTP_VALUE]);

const char *ez_http_reason(int status);

#endif
