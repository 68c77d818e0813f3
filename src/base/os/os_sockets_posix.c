/* Sockets on POSIX systems, for a server on this machine. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* accept4 */
#endif
#include "base/os/os_sockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef MSG_NOSIGNAL
enum { SEND_FLAGS = MSG_NOSIGNAL };
#else
enum { SEND_FLAGS = 0 };
#endif

#ifndef __linux__
/* Sets what Linux sets when a socket is made. Closes it after a failure. */
static int prepared(int fd)
{
    int yes = 1;
    bool done =
        fd >= 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
#ifdef SO_NOSIGPIPE
    done = done && setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes) == 0;
#else
    (void)yes;
#endif
    if (fd >= 0 && !done)
        close(fd);
    return done ? fd : -1;
}
#endif

ez_socket ez_os_socket_open(void)
{
#ifdef __linux__
    return socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
#else
    return prepared(socket(AF_INET, SOCK_STREAM, 0));
#endif
}

bool ez_os_socket_listen(ez_socket socket, uint16_t *port, int waiting)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(*port)};
    socklen_t size = sizeof address;
    int yes = 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt((int)socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind((int)socket, (struct sockaddr *)&address, size) != 0 ||
        listen((int)socket, waiting) != 0 ||
        getsockname((int)socket, (struct sockaddr *)&address, &size) != 0)
        return false;
    *port = ntohs(address.sin_port);
    return true;
}

ez_socket ez_os_socket_accept(ez_socket socket)
{
#ifdef __linux__
    return accept4((int)socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
#else
    return prepared(accept((int)socket, NULL, NULL));
#endif
}

int64_t ez_os_socket_receive(ez_socket socket, void *bytes, size_t n)
{
    return recv((int)socket, bytes, n, 0);
}

int64_t ez_os_socket_send(ez_socket socket, const void *bytes, size_t n)
{
    return send((int)socket, bytes, n, SEND_FLAGS);
}

void ez_os_socket_end(ez_socket socket)
{
    shutdown((int)socket, SHUT_WR);
}

void ez_os_socket_close(ez_socket socket)
{
    close((int)socket);
}

int ez_os_poll(ez_poll *list, size_t n, int ms)
{
    struct pollfd waiting[EZ_POLL_MOST];
    if (n > EZ_POLL_MOST) {
        errno = EINVAL;
        return -1;
    }
    for (size_t i = 0; i < n; i++)
        waiting[i] = (struct pollfd){.fd = (int)list[i].socket,
                                     .events = list[i].to_send ? POLLOUT : POLLIN};
    int ready = poll(waiting, (nfds_t)n, ms);
    for (size_t i = 0; i < n; i++)
        list[i].ready = ready > 0 && waiting[i].revents;
    return ready;
}
