#ifndef RECORDSTACK_CSQLITE_H
#define RECORDSTACK_CSQLITE_H

#include <sqlite3.h>

// Swift does not import functions with variable arguments.
static inline int recordstack_config_int(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}

// Reads bytes of a database's file as they stand in it, past caches and log.
static inline int recordstack_read_file(sqlite3 *db, void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (file == 0 || file->pMethods == 0) return SQLITE_ERROR;
    return file->pMethods->xRead(file, bytes, count, offset);
}

#endif
