/* Fuzzes heads of HTTP requests, and the values of their queries. */
#include "fuzz_file.h"

#include "report/server/http_request.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char head[EZ_HTTP_HEAD];
    char value[EZ_HTTP_VALUE];
    ez_http_request request;
    if (size >= sizeof head || memchr(data, '\0', size))
        return 0;
    memcpy(head, data, size);
    head[size] = '\0';
    int status = ez_http_parse(head, 80, &request);
    fuzz_claim(status == 0 || (status >= 400 && status <= 505), "a request is right or refused");
    if (status)
        return 0;
    fuzz_claim(request.path[0] == '/', "a path begins with a slash");
    static const char *const names[] = {"query", "sort", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ez_http_value(&request, names[i], value))
            fuzz_claim(strlen(value) < sizeof value, "a value ends");
    return 0;
}
