#ifndef RECORDSTACK_CSQLITE_H
#define RECORDSTACK_CSQLITE_H

#include <sqlite3.h>

// Swift does not import variadic C functions.
static inline int recordstack_config_int(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}

// Reads bytes of a database file from the disk, past SQLite's caches and the WAL.
static inline int recordstack_read_file(sqlite3 *db, void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (file == 0 || file->pMethods == 0) return SQLITE_ERROR;
    return file->pMethods->xRead(file, bytes, count, offset);
}

// Returns the first page of the WAL index, which all connections of the database map; null if it is
// not mapped. Call this only in a read transaction: outside of one, the call would create an index.
static inline const void *recordstack_log_index(sqlite3 *db) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK || file == 0 || file->pMethods == 0) return 0;
    if (file->pMethods->iVersion < 2 || file->pMethods->xShmMap == 0) return 0;
    void volatile *page = 0;
    if (file->pMethods->xShmMap(file, 0, 32768, 0, &page) != SQLITE_OK) return 0;
    return (const void *)page;
}

// The header of the WAL index, which every commit of every process changes. Its layout is part of
// the documented format.
typedef struct {
    unsigned long long words[6];
} recordstack_log_header;

static inline recordstack_log_header recordstack_read_log_header(const void *index) {
    const volatile unsigned long long *words = (const volatile unsigned long long *)index;
    recordstack_log_header header;
    for (int i = 0; i < 6; i++) header.words[i] = words[i];
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return header;
}

static inline int recordstack_log_header_is(const void *index, const recordstack_log_header *known) {
    const volatile unsigned long long *words = (const volatile unsigned long long *)index;
    unsigned long long difference = 0;
    for (int i = 0; i < 6; i++) difference |= words[i] ^ known->words[i];
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return difference == 0;
}

#endif
