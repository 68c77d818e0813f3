/* A small HTTP server of the loopback interface: one thread, a few connections at a time, one
 * answer each. */
#ifndef EZ_HTTP_SERVER_H
#define EZ_HTTP_SERVER_H

#include "report/server/http_request.h"

typedef struct ez_http_answer {
    int status;
    const char *type;          /* of the content */
    const unsigned char *page; /* content that lives on, or NULL: */
    size_t page_bytes;
    ez_buffer body; /* ... content of its own; the server frees it */
} ez_http_answer;

typedef struct ez_http_service {
    uint16_t port; /* 0: any that is free */
    /* Answers a request; a failure becomes status 500. */
    ezlda_status (*answer)(void *user, const ez_http_request *request, ez_http_answer *answer);
    void *user;
    /* Called before the first connection and then at least every quarter of a second; anything but
     * 0 ends. */
    int (*running)(uint16_t port, void *user);
    void *running_user;
} ez_http_service;

ezlda_status ez_http_serve(ezlda_context *context, const ez_http_service *service);

#endif
