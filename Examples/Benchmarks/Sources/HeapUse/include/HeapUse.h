#ifndef BENCHMARKS_HEAP_USE_H
#define BENCHMARKS_HEAP_USE_H

/// How many bytes the program has taken from the allocator and not given back.
unsigned long heap_bytes_in_use(void);

#endif
