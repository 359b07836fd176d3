#ifndef RECORDSTACK_CSQLITE_H
#define RECORDSTACK_CSQLITE_H

#include <sqlite3.h>

// Swift does not import functions with variable arguments.
static inline int recordstack_config_int(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}

#endif
