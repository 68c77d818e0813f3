/* Sockets on Windows, by its own library (Winsock). */
#include "base/os/os_sockets.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <winsock2.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void begin(void)
{
    WSADATA data;
    (void)WSAStartup(MAKEWORD(2, 2), &data);
}

/* Sets errno from the last error. */
static void failed(void)
{
    switch (WSAGetLastError()) {
    case WSAEWOULDBLOCK: errno = EAGAIN; break;
    case WSAEINTR: errno = EINTR; break;
    case WSAEADDRINUSE: errno = EADDRINUSE; break;
    case WSAEACCES: errno = EACCES; break;
    case WSAEMFILE: errno = EMFILE; break;
    case WSAENOBUFS: errno = ENOBUFS; break;
    default: errno = EIO;
    }
}

static ez_socket prepared(SOCKET socket)
{
    u_long yes = 1;
    if (socket == INVALID_SOCKET || ioctlsocket(socket, (long)FIONBIO, &yes) != 0) {
        failed();
        if (socket != INVALID_SOCKET)
            closesocket(socket);
        return EZ_NO_SOCKET;
    }
    SetHandleInformation((HANDLE)socket, HANDLE_FLAG_INHERIT, 0);
    return (ez_socket)socket;
}

ez_socket ez_os_socket_open(void)
{
    pthread_once(&once, begin);
    return prepared(socket(AF_INET, SOCK_STREAM, 0));
}

/* SO_REUSEADDR would let another program listen at the same port here. */
bool ez_os_socket_listen(ez_socket socket, uint16_t *port, int waiting)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(*port)};
    int size = sizeof address, yes = 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt((SOCKET)socket, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, (const char *)&yes, sizeof yes);
    if (bind((SOCKET)socket, (struct sockaddr *)&address, size) != 0 ||
        listen((SOCKET)socket, waiting) != 0 ||
        getsockname((SOCKET)socket, (struct sockaddr *)&address, &size) != 0) {
        failed();
        return false;
    }
    *port = ntohs(address.sin_port);
    return true;
}

ez_socket ez_os_socket_accept(ez_socket socket)
{
    return prepared(accept((SOCKET)socket, NULL, NULL));
}

static int some(size_t n)
{
    return n < INT_MAX ? (int)n : INT_MAX;
}

static int64_t checked(int n)
{
    if (n == SOCKET_ERROR)
        failed();
    return n;
}

int64_t ez_os_socket_receive(ez_socket socket, void *bytes, size_t n)
{
    return checked(recv((SOCKET)socket, bytes, some(n), 0));
}

int64_t ez_os_socket_send(ez_socket socket, const void *bytes, size_t n)
{
    return checked(send((SOCKET)socket, bytes, some(n), 0));
}

void ez_os_socket_end(ez_socket socket)
{
    shutdown((SOCKET)socket, SD_SEND);
}

void ez_os_socket_close(ez_socket socket)
{
    closesocket((SOCKET)socket);
}

int ez_os_poll(ez_poll *list, size_t n, int ms)
{
    WSAPOLLFD waiting[EZ_POLL_MOST];
    if (n > EZ_POLL_MOST) {
        errno = EINVAL;
        return -1;
    }
    for (size_t i = 0; i < n; i++)
        waiting[i] = (WSAPOLLFD){.fd = (SOCKET)list[i].socket,
                                 .events = list[i].to_send ? POLLWRNORM : POLLRDNORM};
    int ready = WSAPoll(waiting, (ULONG)n, ms);
    if (ready < 0)
        failed();
    for (size_t i = 0; i < n; i++)
        list[i].ready = ready > 0 && waiting[i].revents;
    return ready;
}
