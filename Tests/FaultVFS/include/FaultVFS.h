#ifndef RECORDSTACK_FAULT_VFS_H
#define RECORDSTACK_FAULT_VFS_H

// A call that SQLite makes on a disk.
enum {
    FAULT_READ = 0,
    // A write that does not end a transaction.
    FAULT_WRITE,
    // The write that ends a transaction in the log.
    FAULT_LAST_WRITE,
    FAULT_SYNC,
    FAULT_TRUNCATE,
    FAULT_FILE_SIZE,
    FAULT_SHM_MAP,
    FAULT_SHM_LOCK,
    FAULT_OPEN,
    FAULT_DELETE,
    FAULT_ACCESS,
    // The notification that SQLite sends after a commit, when every other connection can see it.
    FAULT_COMMITTED,
    FAULT_KINDS,
};

// A named SQLite VFS over the machine's disk, whose calls can be made to fail.
typedef struct fault_disk fault_disk;

// Creates or ends a disk, while no store on it is open.
//
// syncs: whether a sync waits for the machine's disk. Only a power failure shows the difference.
fault_disk *fault_disk_make(int syncs);
void fault_disk_end(fault_disk *disk);

// The name of the VFS, with which a connection is opened on the disk.
const char *fault_disk_name(const fault_disk *disk);

// Begins a count, and returns the number of calls of a kind since then.
void fault_disk_begin_count(fault_disk *disk);
int fault_disk_calls(fault_disk *disk, int kind);

// Makes the n-th call of a kind fail from now on, counted from 1.
//
// number: the system's error number, EIO or ENOSPC.
//
// lasts: a mask of kinds whose later calls fail as well, until the disk is repaired.
//
// part: the number of quarters of a write that are done before it fails.
void fault_disk_break(
    fault_disk *disk, int kind, int n, int number, unsigned lasts, int part);
void fault_disk_mend(fault_disk *disk);

// Returns the number of calls that have failed since the last fault_disk_break.
int fault_disk_failures(fault_disk *disk);

// Pauses each later commit of a connection while all other connections can see it already.
void fault_disk_pause_after_commits(fault_disk *disk, unsigned microseconds);

// Leaves the index of the log that was opened last as a process does that is killed while it writes
// the index. The next reader rebuilds the index from the log.
void fault_disk_spoil_index(fault_disk *disk);

#endif
