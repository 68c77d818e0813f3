/* A small HTTP server on the loopback interface: one thread, a few connections at a time, one
 * answer per connection. */
#ifndef EZ_HTTP_SERVER_H
#define EZ_HTTP_SERVER_H

#include "report/server/http_request.h"

typedef struct ez_http_answer {
    int status;
    const char *type;          /* media type of the content */
    const unsigned char *page; /* content that outlives the answer; NULL: `body` is used */
    size_t page_bytes;
    ez_buffer body; /* content of this answer; the server frees it */
} ez_http_answer;

typedef struct ez_http_service {
    uint16_t port; /* 0: any free port */
    /* Answers a request; an error becomes status 500. */
    ezlda_status (*answer)(void *user, const ez_http_request *request, ez_http_answer *answer);
    void *user;
    /* Called before the first connection and then at least every quarter of a second; any result
     * other than 0 ends the server. */
    int (*running)(uint16_t port, void *user);
    void *running_user;
} ez_http_service;

ezlda_status ez_http_serve(ezlda_context *context, const ez_http_service *service);

#endif
