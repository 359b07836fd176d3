#include "Forking.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

int forking_run(int (*body)(void *), void *context) {
    const pid_t child = fork();
    if (child < 0) return -1000;
    if (child == 0) {
        alarm(5);
        _exit(body(context) & 127);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -1000;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
