/* The loop of the server: accepts connections, receives requests and sends answers without
 * blocking, with a time limit for idle connections. */
#include "report/server/http_server.h"

#include "base/os/os_process.h"
#include "base/os/os_sockets.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { EZ_CONNECTIONS = 32, EZ_LOOK_MS = 250, EZ_PATIENCE_MS = 10000 };

/* A connection first receives its request, then sends its answer. */
typedef struct connection {
    ez_socket socket; /* EZ_NO_SOCKET: free */
    int64_t until; /* time in milliseconds at which the connection is closed, unless bytes arrive or
                      leave */
    bool answering;
    size_t used;             /* bytes used of head */
    char head[EZ_HTTP_HEAD]; /* head of the request, then of the answer */
    size_t sent;             /* bytes sent of head and content */
    size_t content_bytes;
    ez_http_answer answer;
} connection;

typedef struct server {
    const ez_http_service *service;
    ez_socket socket;
    uint16_t port;
    connection connection[EZ_CONNECTIONS];
} server;

static int64_t now_ms(void)
{
    return ez_os_clock_ns() / 1000000;
}

static void hang_up(connection *c)
{
    if (c->socket == EZ_NO_SOCKET)
        return;
    ez_os_socket_close(c->socket);
    ez_free(c->answer.body.data);
    *c = (connection){.socket = EZ_NO_SOCKET};
}

/* ---- opening ---- */

static ezlda_status fail_port(ezlda_context *context, uint16_t port, const char *what)
{
    char name[32];
    snprintf(name, sizeof name, "127.0.0.1:%u", port);
    return ez_fail_errno(context, name, what);
}

static ezlda_status open_port(server *s, ezlda_context *context)
{
    s->socket = ez_os_socket_open();
    if (s->socket == EZ_NO_SOCKET)
        return fail_port(context, s->port, "open a socket for");
    if (!ez_os_socket_listen(s->socket, &s->port, EZ_CONNECTIONS))
        return fail_port(context, s->port, "listen at");
    return EZLDA_OK;
}

/* Closes the connection that has been idle longest. */
static connection *hang_up_oldest(server *s)
{
    connection *oldest = NULL;
    for (int i = 0; i < EZ_CONNECTIONS; i++) {
        connection *c = &s->connection[i];
        if (c->socket != EZ_NO_SOCKET && (!oldest || c->until < oldest->until))
            oldest = c;
    }
    if (oldest)
        hang_up(oldest);
    return oldest;
}

static connection *free_slot(server *s)
{
    for (int i = 0; i < EZ_CONNECTIONS; i++)
        if (s->connection[i].socket == EZ_NO_SOCKET)
            return &s->connection[i];
    return hang_up_oldest(s);
}

static bool accept_connection(server *s)
{
    ez_socket accepted = ez_os_socket_accept(s->socket);
    if (accepted == EZ_NO_SOCKET)
        return false;
    connection *c = free_slot(s);
    c->socket = accepted;
    c->until = now_ms() + EZ_PATIENCE_MS;
    return true;
}

/* ---- one connection ---- */

static const unsigned char *content_of(const connection *c)
{
    return c->answer.page ? c->answer.page : c->answer.body.data;
}

static void begin_answer(connection *c, const ez_http_request *request)
{
    size_t bytes = c->answer.page ? c->answer.page_bytes : c->answer.body.used;
    int n = snprintf(
        c->head, sizeof c->head,
        "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n"
        "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: "
        "no-referrer\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\n%s\r\n",
        c->answer.status, ez_http_reason(c->answer.status), c->answer.type, bytes,
        c->answer.status == 405 ? "Allow: GET, HEAD\r\n" : "");
    c->used = (size_t)n;
    c->content_bytes = request->head_only ? 0 : bytes;
    c->answering = true;
}

static void refuse(connection *c, int status)
{
    static const ez_http_request any = {.path = "", .query = ""};
    ez_free(c->answer.body.data);
    c->answer = (ez_http_answer){.status = status, .type = "text/plain; charset=utf-8"};
    c->answer.page = (const unsigned char *)ez_http_reason(status);
    c->answer.page_bytes = strlen(ez_http_reason(status));
    begin_answer(c, &any);
}

static void answer_request(server *s, connection *c)
{
    ez_http_request request;
    int status = ez_http_parse(c->head, s->port, &request);
    if (status) {
        refuse(c, status);
        return;
    }
    c->answer = (ez_http_answer){.status = 200, .type = "application/json"};
    if (s->service->answer(s->service->user, &request, &c->answer) == EZLDA_OK)
        begin_answer(c, &request);
    else
        refuse(c, 500);
}

static void receive(server *s, connection *c)
{
    int64_t n = ez_os_socket_receive(c->socket, c->head + c->used, sizeof c->head - 1 - c->used);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        hang_up(c);
        return;
    }
    c->used += (size_t)n;
    c->head[c->used] = '\0';
    if (memchr(c->head, '\0', c->used))
        refuse(c, 400);
    else if (strstr(c->head, "\r\n\r\n"))
        answer_request(s, c);
    else if (c->used == sizeof c->head - 1)
        refuse(c, 431);
}

static void send_more(connection *c)
{
    bool in_head = c->sent < c->used;
    const unsigned char *from =
        in_head ? (unsigned char *)c->head + c->sent : content_of(c) + (c->sent - c->used);
    size_t left = in_head ? c->used - c->sent : c->used + c->content_bytes - c->sent;
    int64_t n = left ? ez_os_socket_send(c->socket, from, left) : 0;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    c->sent += n > 0 ? (size_t)n : 0;
    c->until = now_ms() + EZ_PATIENCE_MS;
    if (n < 0 || c->sent == c->used + c->content_bytes) {
        ez_os_socket_end(c->socket);
        hang_up(c);
    }
}

/* ---- all connections ---- */

static void serve_connection(server *s, connection *c, bool ready)
{
    if (now_ms() > c->until)
        hang_up(c);
    else if (ready && c->answering)
        send_more(c);
    else if (ready)
        receive(s, c);
}

static void pause_briefly(void)
{
    ez_os_pause((int64_t)EZ_LOOK_MS * 1000000);
}

/* If there are no descriptors left, the new connection stays in the queue, and poll would return at
 * once without this pause. */
static void accept_next(server *s)
{
    if (!accept_connection(s) &&
        (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) &&
        !hang_up_oldest(s))
        pause_briefly();
}

/* The list has only connections in use: poll refuses a list that is longer than the number of
 * descriptors a process may have. */
static void serve_once(server *s)
{
    ez_poll list[EZ_CONNECTIONS + 1] = {{.socket = s->socket}};
    connection *listed[EZ_CONNECTIONS + 1] = {NULL};
    size_t n = 1;
    for (int i = 0; i < EZ_CONNECTIONS; i++) {
        connection *c = &s->connection[i];
        if (c->socket == EZ_NO_SOCKET)
            continue;
        listed[n] = c;
        list[n++] = (ez_poll){.socket = c->socket, .to_send = c->answering};
    }
    int ready = ez_os_poll(list, n, EZ_LOOK_MS);
    if (ready < 0 && errno != EINTR)
        pause_briefly();
    for (size_t i = 1; i < n; i++)
        serve_connection(s, listed[i], ready > 0 && list[i].ready);
    if (ready > 0 && list[0].ready)
        accept_next(s);
}

ezlda_status ez_http_serve(ezlda_context *context, const ez_http_service *service)
{
    server *s;
    EZ_TRY(ez_array_zero(&s, context, 1, sizeof *s, "a server"));
    s->service = service;
    s->port = service->port;
    for (int i = 0; i < EZ_CONNECTIONS; i++)
        s->connection[i].socket = EZ_NO_SOCKET;
    ezlda_status status = open_port(s, context);
    while (status == EZLDA_OK && !service->running(s->port, service->running_user))
        serve_once(s);
    for (int i = 0; i < EZ_CONNECTIONS; i++)
        hang_up(&s->connection[i]);
    if (s->socket != EZ_NO_SOCKET)
        ez_os_socket_close(s->socket);
    ez_free(s);
    return status;
}
