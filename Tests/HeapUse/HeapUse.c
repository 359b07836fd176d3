#include "HeapUse.h"

#include <malloc.h>

long heap_bytes_in_use(void) {
    const struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}
