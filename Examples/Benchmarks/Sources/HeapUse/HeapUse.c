#include "HeapUse.h"

#include <malloc.h>

unsigned long heap_bytes_in_use(void) {
    const struct mallinfo2 info = mallinfo2();
    // What lies in the arenas, and what was large enough for a mapping of its own.
    return info.uordblks + info.hblkhd;
}
