#pragma once

/// How many bytes the allocator has handed out and not got back.
long heap_bytes_in_use(void);
