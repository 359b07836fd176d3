#define _GNU_SOURCE
#include "ThreadIdentity.h"

#include <sys/syscall.h>
#include <unistd.h>

int thread_become(unsigned user) {
    // The C library's function changes all threads; the system call changes one. The saved user
    // stays root, so that the thread can change back.
    return (int)syscall(SYS_setresuid, user, user, 0);
}
