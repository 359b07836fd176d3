#ifndef RECORDSTACK_THREAD_IDENTITY_H
#define RECORDSTACK_THREAD_IDENTITY_H

/// Makes the calling thread alone act as a user, who may be changed back: root's tests of missing
/// permissions need somebody who has none. Returns 0, or −1 where the caller is not root.
int thread_become(unsigned user);

#endif
