// Watches every connection that the suite's process opens, from the outside: SQLite itself reports
// each statement, independently of the library under test. A broken rule is printed at once, and
// the process ends with an error.
//
// The rules: SQL text contains no values. No checkpoint is PASSIVE. A connection sets
// wal_autocheckpoint=0 before its first work. A transaction ends on the thread that began it,
// before that thread begins another one, unless it belongs to a burst of reads.
#define _GNU_SOURCE
#include "SuiteTrace.h"

#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Connection {
    sqlite3 *db;
    // True once the connection has turned automatic checkpoints off.
    int isTold;
    // The statements that have begun and not been reset. Each reads one state of the store.
    void *runs[16];
    int running;
    // The statement that keeps the transaction of a burst open between operations and across
    // threads.
    void *standing;
    // The thread that began the transaction or the statement.
    pthread_t beganOn;
    // Whether the connection is in the busy list, and the next connection in that list.
    int isBusy;
    struct Connection *nextBusy;
} Connection;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// The connections that were last seen in an operation. Some may have ended their operation since. A
// run opens thousands of connections, and few of them are busy.
static Connection *busy;
// Hashes of texts that keep the rules. A text that finds no slot is checked each time.
static uint64_t seen[1 << 20];
static const size_t mostTries = 8;
static int connectionCount, statementCount, violationCount;
// True if this thread is opening a connection in the way of the stores under test.
static __thread int isOpening;

// The caller holds the lock.
static void violation(const char *rule, const char *detail) {
    violationCount++;
    fprintf(stderr, "SUITE TRACE: %s: %s\n", rule, detail ? detail : "");
}

static int startsWith(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

int suite_trace_breaks_rules(const char *sql) {
    // Pragmas and schema statements take no parameters.
    if (startsWith(sql, "PRAGMA ") || startsWith(sql, "CREATE ")) return 0;
    for (const char *c = sql; *c; c++) {
        if (*c == '"') {
            // Skips a quoted name.
            for (c++; *c && *c != '"'; c++) {}
            if (!*c) return 1;
        } else if (*c == '\'') {
            return 1;
        } else if (*c == '?') {
            // Skips a parameter and its number.
            while (isdigit((unsigned char)c[1])) c++;
        } else if (isalpha((unsigned char)*c) || *c == '_') {
            while (isalnum((unsigned char)c[1]) || c[1] == '_') c++;
        } else if (isdigit((unsigned char)*c)) {
            // 0 and 1 mean false and true, or "one row".
            if ((*c != '0' && *c != '1') || isalnum((unsigned char)c[1]) || c[1] == '.') return 1;
        }
    }
    return 0;
}

// The caller holds the lock. Returns 1 if the text is new.
static int isNew(const char *sql) {
    // Hashes eight bytes at a time, because the suite runs millions of statements.
    uint64_t hash = 1469598103934665603u;
    const size_t length = strlen(sql);
    for (size_t place = 0; place < length; place += sizeof hash) {
        const size_t rest = length - place;
        uint64_t word = 0;
        memcpy(&word, sql + place, rest < sizeof word ? rest : sizeof word);
        hash = (hash ^ word) * 1099511628211u;
        hash ^= hash >> 32;
    }
    if (hash == 0) hash = 1;
    const size_t mask = sizeof seen / sizeof *seen - 1;
    for (size_t slot = hash & mask, tried = 0; tried < mostTries; slot = (slot + 1) & mask, tried++) {
        if (seen[slot] == hash) return 0;
        if (seen[slot] == 0) {
            seen[slot] = hash;
            return 1;
        }
    }
    return 1;
}

static int isInTransaction(const Connection *connection) {
    return sqlite3_get_autocommit(connection->db) == 0;
}

static int isInMemory(const Connection *connection) {
    const char *path = sqlite3_db_filename(connection->db, "main");
    return path == NULL || *path == 0;
}

static void leaveBusy(Connection **link) {
    (*link)->isBusy = 0;
    *link = (*link)->nextBusy;
}

// The caller holds the lock. A thread is in one operation at a time.
static void followOperation(Connection *own, const char *sql) {
    const pthread_t self = pthread_self();
    if ((own->running > 0 || isInTransaction(own)) && !pthread_equal(own->beganOn, self)) {
        violation("an operation goes on on another thread", sql);
    }
    for (Connection **link = &busy; *link;) {
        Connection *other = *link;
        if (other != own && other->running == 0 && !isInTransaction(other)) {
            leaveBusy(link);
            continue;
        }
        // An operation of two stores reads a file and an in-memory store at the same time.
        if (other != own && isInMemory(other) == isInMemory(own) && pthread_equal(other->beganOn, self)) {
            violation("a read outlives its operation", sql);
        }
        link = &other->nextBusy;
    }
    if (!own->isBusy) {
        own->isBusy = 1;
        own->nextBusy = busy;
        busy = own;
    }
    own->beganOn = self;
    if (startsWith(sql, "BEGIN") && isInTransaction(own)) {
        violation("a transaction within a transaction", sql);
    }
}

// The caller holds the lock.
static void followStatement(Connection *own, const char *sql) {
    if (strcmp(sql, "PRAGMA wal_autocheckpoint=0") == 0) own->isTold = 1;
    if (!own->isTold && !startsWith(sql, "PRAGMA ")) {
        violation("work before wal_autocheckpoint=0", sql);
    }
    if (startsWith(sql, "PRAGMA wal_checkpoint")) violation("a checkpoint by pragma", sql);
    followOperation(own, sql);
    if (!isNew(sql)) return;
    statementCount++;
    if (suite_trace_breaks_rules(sql)) violation("a value in the SQL", sql);
}

static void followClosing(Connection *own) {
    if (own->running > 0 || own->standing || isInTransaction(own)) {
        violation("a transaction at the connection's end", "");
    }
    for (Connection **link = &busy; *link; link = &(*link)->nextBusy) {
        if (*link == own) {
            leaveBusy(link);
            break;
        }
    }
    free(own);
}

// SQLite reports the effect of a foreign key on other rows as the same statement again.
static int isRunning(const Connection *own, const void *statement) {
    for (int index = 0; index < own->running; index++) {
        if (own->runs[index] == statement) return 1;
    }
    return 0;
}

static void addRun(Connection *own, void *statement) {
    if (own->running == sizeof own->runs / sizeof *own->runs) {
        violation("more statements at a time than are followed", "");
        return;
    }
    own->runs[own->running++] = statement;
}

static void removeRun(Connection *own, const void *statement) {
    for (int index = 0; index < own->running; index++) {
        if (own->runs[index] != statement) continue;
        own->runs[index] = own->runs[--own->running];
        return;
    }
}

static int told(unsigned kind, void *context, void *subject, void *detail) {
    const char *sql = kind == SQLITE_TRACE_STMT ? detail : "";
    pthread_mutex_lock(&lock);
    if (kind == SQLITE_TRACE_CLOSE) {
        followClosing(context);
    } else if (kind == SQLITE_TRACE_PROFILE) {
        if (((Connection *)context)->standing == subject) ((Connection *)context)->standing = NULL;
        removeRun(context, subject);
    } else if (strcmp(sql, "PRAGMA application_id") == 0) {
        ((Connection *)context)->standing = subject;
    } else if (!startsWith(sql, "--") && !isRunning(context, subject)) {
        // Text that begins with -- is the body of a trigger or a nested statement.
        followStatement(context, sql);
        addRun(context, subject);
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

static int didOpen(sqlite3 *db, char **message, const struct sqlite3_api_routines *routines) {
    if (!isOpening) return SQLITE_OK;
    Connection *own = calloc(1, sizeof *own);
    own->db = db;
    pthread_mutex_lock(&lock);
    connectionCount++;
    pthread_mutex_unlock(&lock);
    return sqlite3_trace_v2(db, SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | SQLITE_TRACE_CLOSE, told, own);
}

// The stores under test open with sqlite3_open_v2; tests that act as another program do not.
int sqlite3_open_v2(const char *path, sqlite3 **db, int flags, const char *vfs) {
    int (*original)(const char *, sqlite3 **, int, const char *) =
        dlsym(RTLD_NEXT, "sqlite3_open_v2");
    isOpening = 1;
    const int code = original(path, db, flags, vfs);
    isOpening = 0;
    return code;
}

int sqlite3_wal_checkpoint_v2(
    sqlite3 *db, const char *name, int mode, int *pages, int *copied) {
    int (*original)(sqlite3 *, const char *, int, int *, int *) =
        dlsym(RTLD_NEXT, "sqlite3_wal_checkpoint_v2");
    if (mode == SQLITE_CHECKPOINT_PASSIVE) {
        pthread_mutex_lock(&lock);
        violation("a PASSIVE checkpoint", name);
        pthread_mutex_unlock(&lock);
    }
    return original(db, name, mode, pages, copied);
}

int suite_trace_connections(void) {
    pthread_mutex_lock(&lock);
    const int count = connectionCount;
    pthread_mutex_unlock(&lock);
    return count;
}

int suite_trace_statements(void) {
    pthread_mutex_lock(&lock);
    const int count = statementCount;
    pthread_mutex_unlock(&lock);
    return count;
}

int suite_trace_violations(void) {
    pthread_mutex_lock(&lock);
    const int count = violationCount;
    pthread_mutex_unlock(&lock);
    return count;
}

static void judge(void) {
    if (suite_trace_violations() == 0) return;
    fprintf(stderr, "SUITE TRACE: %d rules broken; the run failed.\n", suite_trace_violations());
    fflush(stderr);
    _exit(1);
}

__attribute__((constructor)) static void begin(void) {
    sqlite3_auto_extension((void (*)(void))didOpen);
    atexit(judge);
}
