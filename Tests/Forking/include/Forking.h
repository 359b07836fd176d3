#ifndef RECORDSTACK_FORKING_H
#define RECORDSTACK_FORKING_H

/// Runs a body, and nothing else, in a forked child, which ends with the body's result from 0 to
/// 127.
///
/// Returns that result. Returns a negative signal number if a signal ended the child, which SIGALRM
/// does after 5 seconds. Returns −1000 if there is no child.
int forking_run(int (*body)(void *), void *context);

#endif
