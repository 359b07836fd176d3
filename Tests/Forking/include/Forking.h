#ifndef RECORDSTACK_FORKING_H
#define RECORDSTACK_FORKING_H

/// Runs a body in a forked child, which ends with what it returns, from 0 to 127, and nothing else
/// runs in it. Returns that; a negative signal number where one ended the child, as after 5
/// seconds; −1000 where there is no child.
int forking_run(int (*body)(void *), void *context);

#endif
