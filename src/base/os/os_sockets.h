/* Sockets for a server on this machine (127.0.0.1) that never blocks. After a failure errno has the
 * reason. */
#ifndef EZ_OS_SOCKETS_H
#define EZ_OS_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A socket; EZ_NO_SOCKET: none. */
typedef intptr_t ez_socket;
#define EZ_NO_SOCKET ((ez_socket)-1)

typedef struct ez_poll {
    ez_socket socket;
    bool to_send; /* waits until it can send, otherwise until it can receive or accept */
    bool ready;   /* set by ez_os_poll */
} ez_poll;

/* EZ_NO_SOCKET after a failure. */
ez_socket ez_os_socket_open(void);
/* Listens at a port, 0: any free one; *port: the one chosen. False after a failure. */
bool ez_os_socket_listen(ez_socket socket, uint16_t *port, int waiting);
/* The next connection; EZ_NO_SOCKET if there is none or it failed. */
ez_socket ez_os_socket_accept(ez_socket socket);
/* The number of bytes; -1 after a failure: errno EAGAIN or EINTR if it is worth another try. */
int64_t ez_os_socket_receive(ez_socket socket, void *bytes, size_t n);
int64_t ez_os_socket_send(ez_socket socket, const void *bytes, size_t n);
/* Tells the other side that nothing follows. */
void ez_os_socket_end(ez_socket socket);
void ez_os_socket_close(ez_socket socket);
/* Waits until one of n sockets is ready, at most `ms`. How many are; -1 after a failure. */
int ez_os_poll(ez_poll *list, size_t n, int ms);

/* Most sockets in one call of ez_os_poll. */
enum { EZ_POLL_MOST = 64 };

#endif
