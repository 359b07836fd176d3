#include "Forking.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

// Ends the process after 5 seconds, whatever it waits for. The threads of a pool block signals, and
// a child inherits that from the thread that forked it.
static void end_soon(void) {
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    signal(SIGALRM, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &alarms, NULL);
    alarm(5);
}

int forking_run(int (*body)(void *), void *context) {
    const pid_t child = fork();
    if (child < 0) return -1000;
    if (child == 0) {
        end_soon();
        _exit(body(context) & 127);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -1000;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
