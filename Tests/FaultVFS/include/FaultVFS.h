#ifndef RECORDSTACK_FAULT_VFS_H
#define RECORDSTACK_FAULT_VFS_H

// What SQLite asks of a disk.
enum {
    FAULT_READ = 0,
    // All but the last of a transaction.
    FAULT_WRITE,
    // The one that ends a transaction in the log.
    FAULT_LAST_WRITE,
    FAULT_SYNC,
    FAULT_TRUNCATE,
    FAULT_FILE_SIZE,
    FAULT_SHM_MAP,
    FAULT_SHM_LOCK,
    FAULT_OPEN,
    FAULT_DELETE,
    FAULT_ACCESS,
    // What SQLite tells a disk after a commit, when every other connection can see it already.
    FAULT_COMMITTED,
    FAULT_KINDS,
};

// A disk of its own name over the machine's own, whose calls can be made to fail.
typedef struct fault_disk fault_disk;

// Made and ended while no store on it is open.
//
// syncs: whether a sync waits for the machine's disk, which nothing but the end of the machine's power tells.
fault_disk *fault_disk_make(int syncs);
void fault_disk_end(fault_disk *disk);

// What a connection is opened with to be on the disk.
const char *fault_disk_name(const fault_disk *disk);

// How many calls of a kind there were since the last count was begun.
void fault_disk_begin_count(fault_disk *disk);
int fault_disk_calls(fault_disk *disk, int kind);

// From now on the n-th call of a kind fails, counted from 1.
//
// number: what the system says, EIO or ENOSPC.
// lasts: every later call of the kinds in the mask fails as well, until the disk is mended.
// part: how many quarters of a write are done before it fails.
void fault_disk_break(
    fault_disk *disk, int kind, int n, int number, unsigned lasts, int part);
void fault_disk_mend(fault_disk *disk);

// How many calls have failed since the disk was broken.
int fault_disk_failures(fault_disk *disk);

// From now on a connection that has committed stands still for so long while all others can see the commit already.
void fault_disk_pause_after_commits(fault_disk *disk, unsigned microseconds);

// Leaves the index of the log that was opened last as a process leaves it that is killed while it
// writes it: the next reader makes it anew from the log.
void fault_disk_spoil_index(fault_disk *disk);

#endif
