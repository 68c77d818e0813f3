/* Parses the head of a request and the values of its query. */
#include "report/server/http_request.h"

#include "base/os/os_text.h"

#include <stdio.h>
#include <string.h>

const char *ez_http_reason(int status)
{
    switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 431: return "Request Header Fields Too Large";
    case 505: return "HTTP Version Not Supported";
    default: return "Internal Server Error";
    }
}

/* Ends the line at *at and moves *at to the next one; NULL if there is none. */
static char *next_line(char **at)
{
    char *line = *at, *end = strstr(line, "\r\n");
    if (!end)
        return NULL;
    *end = '\0';
    *at = end + 2;
    return line;
}

static bool is_this_machine(const char *host, uint16_t port)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char with_port[32];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(with_port, sizeof with_port, "%s:%u", names[i], port);
        if (ez_os_compare(host, with_port) == 0 ||
            (port == 80 && ez_os_compare(host, names[i]) == 0))
            return true;
    }
    return false;
}

static int check_host(char *lines, uint16_t port)
{
    int hosts = 0;
    bool ours = true;
    for (char *line; (line = next_line(&lines)) && *line;) {
        if (ez_os_compare_n(line, "host:", 5) != 0)
            continue;
        char *host = line + 5 + strspn(line + 5, " \t");
        host[strcspn(host, " \t")] = '\0';
        hosts++;
        ours = ours && is_this_machine(host, port);
    }
    return hosts != 1 ? 400 : ours ? 0 : 403;
}

static int parse_target(char *line, ez_http_request *request)
{
    char *method = line, *target = strchr(line, ' ');
    char *version = target ? strchr(target + 1, ' ') : NULL;
    if (!target || !version || target[1] != '/')
        return 400;
    *target++ = '\0';
    *version++ = '\0';
    if (strncmp(version, "HTTP/1.", 7) != 0)
        return 505;
    request->head_only = strcmp(method, "HEAD") == 0;
    if (!request->head_only && strcmp(method, "GET") != 0)
        return 405;
    char *query = strchr(target, '?');
    if (query)
        *query++ = '\0';
    request->path = target;
    request->query = query ? query : "";
    return 0;
}

int ez_http_parse(char *head, uint16_t port, ez_http_request *request)
{
    *request = (ez_http_request){.path = "", .query = ""};
    char *line = next_line(&head);
    int status = line ? parse_target(line, request) : 400;
    return status ? status : check_host(head, port);
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool decode(const char *text, size_t n, char out[EZ_HTTP_VALUE])
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        char c = text[i] == '+' ? ' ' : text[i];
        if (c == '%') {
            int high = n - i > 2 ? hex_value(text[i + 1]) : -1;
            int low = n - i > 2 ? hex_value(text[i + 2]) : -1;
            if (high < 0 || low < 0)
                return false;
            c = (char)(high << 4 | low);
            i += 2;
        }
        if (!c || used + 1 == EZ_HTTP_VALUE)
            return false;
        out[used++] = c;
    }
    out[used] = '\0';
    return true;
}

bool ez_http_value(const ez_http_request *request, const char *name, char out[EZ_HTTP_VALUE])
{
    size_t length = strlen(name);
    for (const char *at = request->query; *at;) {
        size_t n = strcspn(at, "&");
        if (n > length && strncmp(at, name, length) == 0 && at[length] == '=')
            return decode(at + length + 1, n - length - 1, out);
        at += n + (at[n] == '&');
    }
    return false;
}
