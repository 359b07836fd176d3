// A layer between SQLite and the machine's disk that counts calls and makes them fail.
//
// It returns the codes that SQLite's layer for Unix returns for the same system error: a full disk
// is SQLITE_FULL for a write, and an I/O error for a sync. sqlite3_system_errno returns the
// system's error number.
#include "FaultVFS.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fault_disk {
    sqlite3_vfs vfs;
    sqlite3_vfs *real;
    char name[32];
    pthread_mutex_t lock;
    int calls[FAULT_KINDS];
    // The call that fails. The kind is FAULT_KINDS while the disk works.
    int kind, n, number, part;
    unsigned lasts;
    int hasBroken, failures;
    // True if a sync that does not fail does nothing.
    int skipsSyncs;
    volatile void *index;
    // The time that a commit lasts after it is visible, in microseconds.
    atomic_uint pause;
};

typedef struct File {
    sqlite3_file base;
    fault_disk *disk;
    // The machine's file, which lies behind this struct in memory.
    sqlite3_file *real;
    int isLog;
    // True if the next page that is written to the log ends a transaction.
    int isEnding;
} File;

// Returns the code of SQLite's layer for Unix.
static int answer(int kind, int number) {
    switch (kind) {
        case FAULT_READ: return SQLITE_IOERR_READ;
        case FAULT_WRITE:
        case FAULT_LAST_WRITE: return number == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE;
        case FAULT_SYNC: return SQLITE_IOERR_FSYNC;
        case FAULT_TRUNCATE: return SQLITE_IOERR_TRUNCATE;
        case FAULT_FILE_SIZE: return SQLITE_IOERR_FSTAT;
        case FAULT_SHM_MAP: return number == ENOSPC ? SQLITE_IOERR_SHMSIZE : SQLITE_IOERR_SHMMAP;
        case FAULT_SHM_LOCK: return SQLITE_IOERR_SHMLOCK;
        case FAULT_OPEN: return SQLITE_CANTOPEN;
        case FAULT_DELETE: return SQLITE_IOERR_DELETE;
        case FAULT_ACCESS: return SQLITE_IOERR_ACCESS;
        default: return SQLITE_IOERR;
    }
}

// Counts a call, and returns the code of an injected failure, or SQLITE_OK to make the real call.
static int meet(fault_disk *disk, int kind, int *part) {
    int code = SQLITE_OK;
    pthread_mutex_lock(&disk->lock);
    disk->calls[kind]++;
    if (disk->hasBroken && (disk->lasts & (1u << kind))) {
        code = answer(kind, disk->number);
    } else if (disk->kind == kind && !disk->hasBroken && --disk->n == 0) {
        disk->hasBroken = 1;
        code = answer(kind, disk->number);
    }
    if (code != SQLITE_OK) disk->failures++;
    if (part) *part = disk->part;
    pthread_mutex_unlock(&disk->lock);
    return code;
}

static int fileClose(sqlite3_file *file) {
    File *own = (File *)file;
    return own->real->pMethods->xClose(own->real);
}

static int fileRead(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    File *own = (File *)file;
    const int code = meet(own->disk, FAULT_READ, NULL);
    return code ? code : own->real->pMethods->xRead(own->real, bytes, count, offset);
}

// A page in the log follows a header of 24 bytes. For the last page of a transaction, the second
// number of the header is the size of the database. SQLite writes both together, perhaps after
// other frames, or each alone. The pages have 4,096 bytes.
static int endsTransaction(const unsigned char *header) {
    return (header[4] | header[5] | header[6] | header[7]) != 0;
}

static int kindOfWrite(File *own, const unsigned char *bytes, int count) {
    if (!own->isLog) return FAULT_WRITE;
    const int frame = 24 + 4096;
    if (count >= frame && count % frame == 0) {
        return endsTransaction(bytes + count - frame) ? FAULT_LAST_WRITE : FAULT_WRITE;
    }
    const int kind = own->isEnding && count > 24 ? FAULT_LAST_WRITE : FAULT_WRITE;
    own->isEnding = count == 24 && endsTransaction(bytes);
    return kind;
}

static int fileWrite(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    File *own = (File *)file;
    int part = 0;
    const int code = meet(own->disk, kindOfWrite(own, bytes, count), &part);
    if (!code) return own->real->pMethods->xWrite(own->real, bytes, count, offset);
    const int done = (int)((long long)count * part / 4);
    if (done > 0) own->real->pMethods->xWrite(own->real, bytes, done, offset);
    return code;
}

static int fileTruncate(sqlite3_file *file, sqlite3_int64 size) {
    File *own = (File *)file;
    const int code = meet(own->disk, FAULT_TRUNCATE, NULL);
    return code ? code : own->real->pMethods->xTruncate(own->real, size);
}

static int fileSync(sqlite3_file *file, int flags) {
    File *own = (File *)file;
    const int code = meet(own->disk, FAULT_SYNC, NULL);
    if (code || own->disk->skipsSyncs) return code;
    return own->real->pMethods->xSync(own->real, flags);
}

static int fileSize(sqlite3_file *file, sqlite3_int64 *size) {
    File *own = (File *)file;
    const int code = meet(own->disk, FAULT_FILE_SIZE, NULL);
    return code ? code : own->real->pMethods->xFileSize(own->real, size);
}

static int fileLock(sqlite3_file *file, int level) {
    File *own = (File *)file;
    return own->real->pMethods->xLock(own->real, level);
}

static int fileUnlock(sqlite3_file *file, int level) {
    File *own = (File *)file;
    return own->real->pMethods->xUnlock(own->real, level);
}

static int fileCheckReservedLock(sqlite3_file *file, int *isLocked) {
    File *own = (File *)file;
    return own->real->pMethods->xCheckReservedLock(own->real, isLocked);
}

static int fileControl(sqlite3_file *file, int operation, void *argument) {
    File *own = (File *)file;
    if (operation == SQLITE_FCNTL_COMMIT_PHASETWO) {
        const unsigned pause = atomic_load(&own->disk->pause);
        if (pause) usleep(pause);
        const int code = meet(own->disk, FAULT_COMMITTED, NULL);
        if (code) return code;
    }
    return own->real->pMethods->xFileControl(own->real, operation, argument);
}

static int fileSectorSize(sqlite3_file *file) {
    File *own = (File *)file;
    return own->real->pMethods->xSectorSize(own->real);
}

static int fileCharacteristics(sqlite3_file *file) {
    File *own = (File *)file;
    return own->real->pMethods->xDeviceCharacteristics(own->real);
}

static int fileShmMap(sqlite3_file *file, int page, int size, int extends, void volatile **map) {
    File *own = (File *)file;
    const int fault = meet(own->disk, FAULT_SHM_MAP, NULL);
    if (fault) {
        *map = NULL;
        return fault;
    }
    const int code = own->real->pMethods->xShmMap(own->real, page, size, extends, map);
    if (code == SQLITE_OK && page == 0) {
        pthread_mutex_lock(&own->disk->lock);
        own->disk->index = *map;
        pthread_mutex_unlock(&own->disk->lock);
    }
    return code;
}

static int fileShmLock(sqlite3_file *file, int offset, int count, int flags) {
    File *own = (File *)file;
    // Releasing a lock does not fail, and SQLite ignores the result.
    if (flags & SQLITE_SHM_LOCK) {
        const int code = meet(own->disk, FAULT_SHM_LOCK, NULL);
        if (code) return code;
    }
    return own->real->pMethods->xShmLock(own->real, offset, count, flags);
}

static void fileShmBarrier(sqlite3_file *file) {
    File *own = (File *)file;
    own->real->pMethods->xShmBarrier(own->real);
}

static int fileShmUnmap(sqlite3_file *file, int deletes) {
    File *own = (File *)file;
    return own->real->pMethods->xShmUnmap(own->real, deletes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = fileClose,
    .xRead = fileRead,
    .xWrite = fileWrite,
    .xTruncate = fileTruncate,
    .xSync = fileSync,
    .xFileSize = fileSize,
    .xLock = fileLock,
    .xUnlock = fileUnlock,
    .xCheckReservedLock = fileCheckReservedLock,
    .xFileControl = fileControl,
    .xSectorSize = fileSectorSize,
    .xDeviceCharacteristics = fileCharacteristics,
    .xShmMap = fileShmMap,
    .xShmLock = fileShmLock,
    .xShmBarrier = fileShmBarrier,
    .xShmUnmap = fileShmUnmap,
};

static int diskOpen(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *outFlags) {
    fault_disk *disk = vfs->pAppData;
    File *own = (File *)file;
    own->base.pMethods = NULL;
    own->disk = disk;
    own->real = (sqlite3_file *)(own + 1);
    own->isLog = (flags & SQLITE_OPEN_WAL) != 0;
    own->isEnding = 0;
    int code = meet(disk, FAULT_OPEN, NULL);
    if (code) return code;
    code = disk->real->xOpen(disk->real, path, own->real, flags, outFlags);
    if (code == SQLITE_OK) own->base.pMethods = &methods;
    return code;
}

static int diskDelete(sqlite3_vfs *vfs, const char *path, int syncsFolder) {
    fault_disk *disk = vfs->pAppData;
    const int code = meet(disk, FAULT_DELETE, NULL);
    return code ? code
                : disk->real->xDelete(disk->real, path, syncsFolder && !disk->skipsSyncs);
}

static int diskAccess(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
    fault_disk *disk = vfs->pAppData;
    const int code = meet(disk, FAULT_ACCESS, NULL);
    return code ? code : disk->real->xAccess(disk->real, path, flags, result);
}

static int diskFullPathname(sqlite3_vfs *vfs, const char *path, int size, char *full) {
    fault_disk *disk = vfs->pAppData;
    return disk->real->xFullPathname(disk->real, path, size, full);
}

static int diskLastError(sqlite3_vfs *vfs, int size, char *text) {
    fault_disk *disk = vfs->pAppData;
    pthread_mutex_lock(&disk->lock);
    const int number = disk->failures > 0 ? disk->number : 0;
    pthread_mutex_unlock(&disk->lock);
    return number ? number : disk->real->xGetLastError(disk->real, size, text);
}

fault_disk *fault_disk_make(int syncs) {
    static int made;
    fault_disk *disk = calloc(1, sizeof *disk);
    disk->skipsSyncs = !syncs;
    disk->real = sqlite3_vfs_find(NULL);
    // Time, randomness and libraries come from the machine's layer.
    disk->vfs = *disk->real;
    disk->vfs.pNext = NULL;
    disk->vfs.szOsFile = (int)sizeof(File) + disk->real->szOsFile;
    snprintf(
        disk->name, sizeof disk->name, "faults-%d",
        __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED));
    disk->vfs.zName = disk->name;
    disk->vfs.pAppData = disk;
    disk->vfs.xOpen = diskOpen;
    disk->vfs.xDelete = diskDelete;
    disk->vfs.xAccess = diskAccess;
    disk->vfs.xFullPathname = diskFullPathname;
    disk->vfs.xGetLastError = diskLastError;
    disk->kind = FAULT_KINDS;
    pthread_mutex_init(&disk->lock, NULL);
    sqlite3_vfs_register(&disk->vfs, 0);
    return disk;
}

void fault_disk_end(fault_disk *disk) {
    sqlite3_vfs_unregister(&disk->vfs);
    pthread_mutex_destroy(&disk->lock);
    free(disk);
}

const char *fault_disk_name(const fault_disk *disk) { return disk->name; }

void fault_disk_begin_count(fault_disk *disk) {
    pthread_mutex_lock(&disk->lock);
    memset(disk->calls, 0, sizeof disk->calls);
    pthread_mutex_unlock(&disk->lock);
}

int fault_disk_calls(fault_disk *disk, int kind) {
    pthread_mutex_lock(&disk->lock);
    const int calls = disk->calls[kind];
    pthread_mutex_unlock(&disk->lock);
    return calls;
}

void fault_disk_break(
    fault_disk *disk, int kind, int n, int number, unsigned lasts, int part) {
    pthread_mutex_lock(&disk->lock);
    disk->kind = kind;
    disk->n = n;
    disk->number = number;
    disk->lasts = lasts;
    disk->part = part;
    disk->hasBroken = 0;
    disk->failures = 0;
    pthread_mutex_unlock(&disk->lock);
}

void fault_disk_mend(fault_disk *disk) {
    pthread_mutex_lock(&disk->lock);
    disk->kind = FAULT_KINDS;
    disk->lasts = 0;
    pthread_mutex_unlock(&disk->lock);
}

int fault_disk_failures(fault_disk *disk) {
    pthread_mutex_lock(&disk->lock);
    const int failures = disk->failures;
    pthread_mutex_unlock(&disk->lock);
    return failures;
}

void fault_disk_pause_after_commits(fault_disk *disk, unsigned microseconds) {
    atomic_store(&disk->pause, microseconds);
}

void fault_disk_spoil_index(fault_disk *disk) {
    pthread_mutex_lock(&disk->lock);
    // The header has two copies. A writer writes this one, the first, last.
    if (disk->index) memset((void *)disk->index, 0, 48);
    pthread_mutex_unlock(&disk->lock);
}
