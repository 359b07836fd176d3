#ifndef RECORDSTACK_THREAD_IDENTITY_H
#define RECORDSTACK_THREAD_IDENTITY_H

/// Makes the calling thread alone act as a user. A second call changes it back. Tests that run as
/// root need a user without permissions. Returns 0, or −1 if the caller is not root.
int thread_become(unsigned user);

#endif
