// liblmdb, compiled from the sources of the package swift-lmdb with the settings of Trove. That package compiles them,
// too, with settings that are of no use to Trove: its symbols are others, and Trove calls none of them.
//
// The sources are beside the folder of the package's header, which is on the path of this file's compiler.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 // before the first header of the system, as mdb.c has it
#endif

#if defined(__APPLE__)
#include <TargetConditionals.h>
#define TROVE_IS_APPLE 1
#else
// A test on another system defines it, to run with the settings for Apple's systems.
#ifndef TROVE_IS_APPLE
#define TROVE_IS_APPLE 0
#endif
#endif

// The locks of readers and writers are in the lock file. The System V semaphores that liblmdb would choose end an app
// on iOS, and are refused in a sandbox. No system of Apple has robust mutexes.
#define MDB_USE_POSIX_MUTEX 1
#if TROVE_IS_APPLE
#define MDB_USE_ROBUST 0
#endif

// The longest key of 0.9, so that every file can be opened by every liblmdb of its format.
#define MDB_MAXKEYSIZE 511

// The number of pages that a transaction changes in memory before it writes some of them to the file: 2 to the power of
// 14. An app on iOS is ended for memory that a Mac has; with pages of 16 KiB, these are 256 MiB.
#if TROVE_IS_APPLE && !(defined(TARGET_OS_OSX) && TARGET_OS_OSX)
#define MDB_IDL_LOGN 13
#endif

// The package's header under the names of the package, and then everything under the names of Trove.
#include "CTroveLMDB.h"
#include "names.h"

// On Apple's systems, fsync leaves the data in the cache of the disk.
#if TROVE_IS_APPLE
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
static inline int trove_flush(int descriptor) {
#if defined(F_FULLFSYNC)
    if (fcntl(descriptor, F_FULLFSYNC) == 0) { return 0; }
    if (errno == EIO || errno == ENOSPC) { return -1; }
#endif
    return fsync(descriptor); // some file systems, such as those of a network, have no other flush
}
#define fsync(descriptor) trove_flush(descriptor)
// The commit of mdb.c gets a name of its own; see below.
#undef mdb_txn_commit
#define mdb_txn_commit trove_mdb_txn_commit_unflushed
extern __typeof__(trove_mdb_txn_commit) trove_mdb_txn_commit_unflushed;
#endif

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#include <../midl.c>
#include <../mdb.c>
#pragma clang diagnostic pop

#if TROVE_IS_APPLE
// Commits, and flushes the page that the commit ended with. liblmdb 0.9.70 leaves this to the flag O_DSYNC of the file,
// which does not reach beyond the cache of the disk.
int trove_mdb_txn_commit(MDB_txn *transaction) {
    if (transaction == NULL) { return EINVAL; }
    MDB_env *environment = transaction->mt_env;
    int writes = transaction->mt_parent == NULL && (transaction->mt_flags & MDB_TXN_RDONLY) == 0;
    int flushes = ((environment->me_flags | transaction->mt_flags) & (MDB_NOSYNC | MDB_NOMETASYNC)) == 0;
    txnid_t number = transaction->mt_txnid;
    int code = trove_mdb_txn_commit_unflushed(transaction);
    if (code != 0 || !writes || !flushes) { return code; }
    MDB_meta *newest = environment->me_metas[number & 1];
    if (newest->mm_txnid < number) { return 0; } // there was nothing to write
    code = trove_mdb_env_sync(environment, 1);
    // The commit is in the file, and may not survive a power cut: as after a meta page that could not be written.
    if (code != 0) { environment->me_flags |= MDB_FATAL_ERROR; }
    return code;
}
#endif
