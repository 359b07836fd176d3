#pragma once

/// Returns the number of bytes that the allocator has handed out and that were not freed.
long heap_bytes_in_use(void);
