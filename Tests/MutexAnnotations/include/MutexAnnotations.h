#ifndef RECORDSTACK_MUTEX_ANNOTATIONS_H
#define RECORDSTACK_MUTEX_ANNOTATIONS_H

// There is nothing to call: linking the target is enough.

#endif
