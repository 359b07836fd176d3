#ifndef RECORDSTACK_MUTEX_ANNOTATIONS_H
#define RECORDSTACK_MUTEX_ANNOTATIONS_H

// Nothing to call: linking the target is enough.

#endif
