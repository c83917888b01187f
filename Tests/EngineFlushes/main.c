// The flushes of a commit with the settings for Apple's systems: the data, then the page that ends the commit. The calls
// of the system are replaced by counters. `scripts/engines --source` compiles and runs this program on Linux.

#include "CTroveLMDB.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int flushes = 0;
static int plainFlushes = 0;
static int failing = 0; // the number of the flush that fails, or 0
static int hasFullFlush = 1;

int fcntl(int descriptor, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    long argument = va_arg(arguments, long);
    va_end(arguments);
    if (command != F_FULLFSYNC) { return (int)syscall(SYS_fcntl, descriptor, command, argument); }
    if (!hasFullFlush) {
        errno = ENOTTY;
        return -1;
    }
    flushes += 1;
    if (flushes != failing) { return 0; }
    errno = EIO;
    return -1;
}

int fsync(int descriptor) {
    (void)descriptor;
    plainFlushes += 1;
    return 0;
}

int fdatasync(int descriptor) { return fsync(descriptor); }

static void expect(int isTrue, const char *statement) {
    if (isTrue) { return; }
    printf("flushes: %s: not so, %d full and %d plain flushes\n", statement, flushes, plainFlushes);
    exit(1);
}

static MDB_env *openEnvironment(const char *path, unsigned int flags) {
    MDB_env *environment = NULL;
    expect(trove_mdb_env_create(&environment) == 0, "an environment is created");
    expect(trove_mdb_env_open(environment, path, MDB_NOSUBDIR | flags, 0600) == 0, "an environment is opened");
    return environment;
}

// Commits a transaction, with an entry if the byte is not 0, and counts its flushes.
static int commit(MDB_env *environment, unsigned char byte) {
    MDB_txn *transaction = NULL;
    MDB_dbi table;
    int code = trove_mdb_txn_begin(environment, NULL, 0, &transaction);
    if (code != 0) { return code; }
    expect(trove_mdb_dbi_open(transaction, NULL, 0, &table) == 0, "the main table is opened");
    MDB_val value = {1, &byte};
    if (byte != 0) { expect(trove_mdb_put(transaction, table, &value, &value, 0) == 0, "an entry is stored"); }
    flushes = 0;
    plainFlushes = 0;
    return trove_mdb_txn_commit(transaction);
}

int main(int count, char **arguments) {
    expect(count == 2, "there is a path");
    const char *path = arguments[1];
    MDB_env *environment = openEnvironment(path, 0);
    expect(commit(environment, 1) == 0 && flushes == 2 && plainFlushes == 0, "data and meta page are flushed");
    expect(commit(environment, 0) == 0 && flushes == 0 && plainFlushes == 0, "an empty commit flushes nothing");
    hasFullFlush = 0;
    expect(commit(environment, 2) == 0 && flushes == 0 && plainFlushes == 2, "a plain flush takes the place");
    hasFullFlush = 1;
    failing = 2;
    expect(commit(environment, 3) == EIO, "a failed flush of the meta page fails the commit");
    failing = 0;
    expect(commit(environment, 4) == MDB_PANIC, "the environment is of no use after it");
    trove_mdb_env_close(environment);
    environment = openEnvironment(path, MDB_NOMETASYNC);
    expect(commit(environment, 5) == 0 && flushes == 1 && plainFlushes == 0, "the option leaves the meta page out");
    trove_mdb_env_close(environment);
    environment = openEnvironment(path, MDB_NOSYNC);
    expect(commit(environment, 6) == 0 && flushes == 0 && plainFlushes == 0, "the option leaves all flushes out");
    trove_mdb_env_close(environment);
    return 0;
}
