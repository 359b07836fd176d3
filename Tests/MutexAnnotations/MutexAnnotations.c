// Makes Swift's Mutex visible to the thread sanitizer.
//
// The uncontended half of Mutex is compiled into its users, where the sanitizer sees it. The other
// half is in the standard library, which the sanitizer does not instrument, so it would report
// races on everything that a contended mutex protects. These functions replace the library's
// functions, call them, and annotate them. Without the thread sanitizer, this file is empty.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define _GNU_SOURCE
#include "MutexAnnotations.h"

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdbool.h>
#include <stdint.h>

// _MutexHandle is passed by its address, which is the address of the lock word.
#define HANDLE __attribute__((swift_context)) void *handle
#define SWIFT __attribute__((swiftcall))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void mutex_lock(uint32_t thread, HANDLE) __asm__(LOCK);
SWIFT bool mutex_try_lock(HANDLE) __asm__(TRY_LOCK);
SWIFT void mutex_unlock(HANDLE) __asm__(UNLOCK);

SWIFT void mutex_lock(uint32_t thread, HANDLE) {
    SWIFT void (*original)(uint32_t, HANDLE) = dlsym(RTLD_NEXT, LOCK);
    original(thread, handle);
    __tsan_acquire(handle);
}

SWIFT bool mutex_try_lock(HANDLE) {
    SWIFT bool (*original)(HANDLE) = dlsym(RTLD_NEXT, TRY_LOCK);
    const bool isLocked = original(handle);
    if (isLocked) __tsan_acquire(handle);
    return isLocked;
}

SWIFT void mutex_unlock(HANDLE) {
    SWIFT void (*original)(HANDLE) = dlsym(RTLD_NEXT, UNLOCK);
    __tsan_release(handle);
    original(handle);
}
#endif
#endif
