// A library between a program and the system (LD_PRELOAD, Linux). It makes a chosen call fail, counts calls, and logs
// the operations on files, so that a test can build the files that a power cut would leave.
//
// It counts only calls on files in a directory, and liblmdb's own allocations: the Swift runtime does not survive a
// failed allocation.
//
//     FAULT_DIRECTORY   the directory
//     FAULT_CALL        the failing function: the name of a file function, or malloc for all kinds of allocation, or
//                       meta for the calls of pwrite that store a meta page
//     FAULT_NUMBER      the number of the failing call, from 1
//     FAULT_LASTS       when set, all later calls fail as well
//     FAULT_ERROR       the errno of the failure; 0 for a partial write that reports its size
//     FAULT_DONE        when set, the first failing call succeeds, but reports a failure
//     FAULT_KILLS       when set, the failing call does not return: the process is killed before it
//     FAULT_HELD        when set, each call that has stored a meta page prints the line "held", and returns after a
//                       line of standard input
//     FAULT_COUNTS      a file for the numbers of calls of each function, and of failed calls
//     FAULT_LOG         a file for the operations on files, and the text written to standard output
//
// The log is a sequence of entries; numbers are little-endian:
//
//     entry = kind 4 · flags 4 · offset 8 · size of name 8 · size of data 8 · name · data

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum call { PWRITE, META, WRITE, WRITEV, LSEEK, FDATASYNC, FSYNC, FTRUNCATE, FALLOCATE, MSYNC, MMAP, MALLOC, LINK, RENAME, CALLS };

static const char *const names[CALLS] = {
    "pwrite", "meta", "write", "writev", "lseek", "fdatasync", "fsync",
    "ftruncate", "fallocate", "msync", "mmap", "malloc", "link", "rename",
};

static const char *directory;
static size_t directory_size;
static int failing = -1;
static long failing_number;
static int failing_lasts;
static int failing_error;
static int failing_done;
static int failing_kills;
static int is_held;
static const char *counts_path;
static int log_descriptor = -1;
static atomic_long counts[CALLS];
static atomic_long failures;
static uintptr_t lmdb_start, lmdb_end;

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

// MARK: Calls

static int find_lmdb(struct dl_phdr_info *info, size_t size, void *unused) {
    if (!strstr(info->dlpi_name, "liblmdb")) return 0;
    lmdb_start = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        uintptr_t end = start + info->dlpi_phdr[i].p_memsz;
        if (start < lmdb_start) lmdb_start = start;
        if (end > lmdb_end) lmdb_end = end;
    }
    return 1;
}

__attribute__((constructor)) static void begin(void) {
    directory = getenv("FAULT_DIRECTORY");
    if (!directory) return;
    directory_size = strlen(directory);
    dl_iterate_phdr(find_lmdb, NULL);
    is_held = getenv("FAULT_HELD") != NULL;
    counts_path = getenv("FAULT_COUNTS");
    const char *log = getenv("FAULT_LOG");
    if (log) log_descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const char *call = getenv("FAULT_CALL");
    if (!call) return;
    failing_number = atol(getenv("FAULT_NUMBER"));
    failing_lasts = getenv("FAULT_LASTS") != NULL;
    failing_error = atoi(getenv("FAULT_ERROR"));
    failing_done = getenv("FAULT_DONE") != NULL;
    failing_kills = getenv("FAULT_KILLS") != NULL;
    for (int i = 0; i < CALLS; i++) {
        if (strcmp(call, names[i]) == 0) failing = i;
    }
}

__attribute__((destructor)) static void end(void) {
    if (!directory || !counts_path) return;
    FILE *file = fopen(counts_path, "w");
    if (!file) return;
    for (int i = 0; i < CALLS; i++) fprintf(file, "%s %ld\n", names[i], counts[i]);
    fprintf(file, "failed %ld\n", failures);
    fclose(file);
}

// Returns the path of an open file if it is the directory or is in the directory; otherwise NULL.
static const char *path_of(int descriptor, char path[4096]) {
    if (!directory || descriptor < 0) return NULL;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t size = readlink(link, path, 4095);
    if (size < 0) return NULL;
    path[size] = 0;
    return strncmp(path, directory, directory_size) == 0 ? path : NULL;
}

enum failure { SUCCEEDS, FAILS, FAILS_AFTERWARDS };

// Counts a call. Returns whether and how it must fail.
static enum failure must_fail(enum call call) {
    long number = atomic_fetch_add(&counts[call], 1) + 1;
    if ((int)call != failing) return SUCCEEDS;
    if (number != failing_number && !(failing_lasts && number > failing_number)) return SUCCEEDS;
    if (failing_kills) kill(getpid(), SIGKILL);
    atomic_fetch_add(&failures, 1);
    errno = failing_error;
    return failing_done && number == failing_number ? FAILS_AFTERWARDS : FAILS;
}

static ssize_t failed(void) {
    errno = failing_error;
    return -1;
}

static int is_from_lmdb(void *address) {
    return (uintptr_t)address >= lmdb_start && (uintptr_t)address < lmdb_end;
}

// MARK: The log

// Held during a call and its log entry, to keep the entries in the order of the calls.
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

enum kind { LOG_LINE, LOG_WRITE, LOG_SYNC, LOG_TRUNCATE, LOG_LINK, LOG_UNLINK, LOG_RENAME };

static void lock_log(void) {
    if (log_descriptor >= 0) pthread_mutex_lock(&log_lock);
}

static void unlock_log(void) {
    if (log_descriptor >= 0) pthread_mutex_unlock(&log_lock);
}

static void log_entry(enum kind kind, int flags, uint64_t offset, const char *name, const struct iovec *data, int parts) {
    if (log_descriptor < 0) return;
    int error = errno;
    uint64_t size = 0;
    for (int i = 0; i < parts; i++) size += data[i].iov_len;
    struct { uint32_t kind, flags; uint64_t offset, name, data; } head = {kind, flags, offset, strlen(name), size};
    struct iovec entry[2 + parts];
    entry[0] = (struct iovec){&head, sizeof head};
    entry[1] = (struct iovec){(void *)name, head.name};
    if (parts) memcpy(entry + 2, data, parts * sizeof *data);
    if (syscall(SYS_writev, log_descriptor, entry, 2 + parts) != (ssize_t)(sizeof head + head.name + size)) abort();
    errno = error;
}

// Whether a write through the descriptor has reached the disk when the call returns.
static int is_durable(int descriptor) { return (fcntl(descriptor, F_GETFL) & O_DSYNC) != 0; }

static void log_write(int descriptor, const char *path, uint64_t offset, ssize_t written, const struct iovec *data, int parts) {
    if (log_descriptor < 0 || written <= 0) return;
    size_t size = 0;
    for (int i = 0; i < parts; i++) size += data[i].iov_len;
    if ((size_t)written != size) abort(); // the disk of a test that looks at cuts is never full
    log_entry(LOG_WRITE, is_durable(descriptor), offset, path, data, parts);
}

// MARK: Meta pages

// Whether a call of pwrite stores a meta page: liblmdb then writes a part of one of the first two pages.
static int is_meta_page(size_t size, off_t offset) {
    off_t page = sysconf(_SC_PAGESIZE);
    return (off_t)size < page && offset < 2 * page;
}

// Waits for a line. liblmdb publishes the number of the commit after the call that has stored its meta page.
static void hold(void) {
    static const char line[] = "held\n";
    if (REAL(write)(STDOUT_FILENO, line, sizeof line - 1) < 0) abort();
    char byte;
    while (read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n') {}
}

// MARK: Writing

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
    char buffer[4096];
    const char *path = path_of(descriptor, buffer);
    if (!path) return REAL(pwrite)(descriptor, bytes, size, offset);
    enum failure failure = must_fail(PWRITE);
    if (failure == SUCCEEDS && is_meta_page(size, offset)) failure = must_fail(META);
    switch (failure) {
    case SUCCEEDS: break;
    case FAILS: return failing_error ? failed() : REAL(pwrite)(descriptor, bytes, size / 2, offset);
    case FAILS_AFTERWARDS: REAL(pwrite)(descriptor, bytes, size, offset); return failed();
    }
    lock_log();
    ssize_t written = REAL(pwrite)(descriptor, bytes, size, offset);
    log_write(descriptor, path, offset, written, &(struct iovec){(void *)bytes, size}, 1);
    unlock_log();
    if (is_held && is_meta_page(size, offset)) hold();
    return written;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off_t offset) __attribute__((alias("pwrite")));

ssize_t write(int descriptor, const void *bytes, size_t size) {
    char buffer[4096];
    struct iovec data = {(void *)bytes, size};
    if (descriptor == STDOUT_FILENO) {
        lock_log();
        ssize_t written = REAL(write)(descriptor, bytes, size);
        log_entry(LOG_LINE, 0, 0, "", &data, 1);
        unlock_log();
        return written;
    }
    const char *path = path_of(descriptor, buffer);
    if (!path) return REAL(write)(descriptor, bytes, size);
    switch (must_fail(WRITE)) {
    case SUCCEEDS: break;
    case FAILS: return failing_error ? failed() : REAL(write)(descriptor, bytes, size / 2);
    case FAILS_AFTERWARDS: REAL(write)(descriptor, bytes, size); return failed();
    }
    lock_log();
    off_t offset = REAL(lseek)(descriptor, 0, SEEK_CUR);
    ssize_t written = REAL(write)(descriptor, bytes, size);
    log_write(descriptor, path, offset, written, &data, 1);
    unlock_log();
    return written;
}

ssize_t writev(int descriptor, const struct iovec *data, int parts) {
    char buffer[4096];
    const char *path = path_of(descriptor, buffer);
    if (!path) return REAL(writev)(descriptor, data, parts);
    switch (must_fail(WRITEV)) {
    case SUCCEEDS: break;
    case FAILS: return failing_error ? failed() : REAL(write)(descriptor, data[0].iov_base, data[0].iov_len / 2);
    case FAILS_AFTERWARDS: REAL(writev)(descriptor, data, parts); return failed();
    }
    lock_log();
    off_t offset = REAL(lseek)(descriptor, 0, SEEK_CUR);
    ssize_t written = REAL(writev)(descriptor, data, parts);
    log_write(descriptor, path, offset, written, data, parts);
    unlock_log();
    return written;
}

off_t lseek(int descriptor, off_t offset, int from) {
    char buffer[4096];
    if (path_of(descriptor, buffer) && must_fail(LSEEK)) return -1;
    return REAL(lseek)(descriptor, offset, from);
}

off_t lseek64(int descriptor, off_t offset, int from) __attribute__((alias("lseek")));

// MARK: Flushing

int fdatasync(int descriptor) {
    char buffer[4096];
    const char *path = path_of(descriptor, buffer);
    if (!path) return REAL(fdatasync)(descriptor);
    if (must_fail(FDATASYNC)) return -1;
    lock_log();
    int result = REAL(fdatasync)(descriptor);
    if (result == 0) log_entry(LOG_SYNC, 0, 0, path, NULL, 0);
    unlock_log();
    return result;
}

int fsync(int descriptor) {
    char buffer[4096];
    const char *path = path_of(descriptor, buffer);
    if (!path) return REAL(fsync)(descriptor);
    if (must_fail(FSYNC)) return -1;
    lock_log();
    int result = REAL(fsync)(descriptor);
    if (result == 0) log_entry(LOG_SYNC, 0, 0, path, NULL, 0);
    unlock_log();
    return result;
}

int msync(void *address, size_t size, int flags) {
    if (directory && is_from_lmdb(__builtin_return_address(0)) && must_fail(MSYNC)) return -1;
    return REAL(msync)(address, size, flags);
}

// MARK: Sizes and names

int ftruncate(int descriptor, off_t size) {
    char buffer[4096];
    const char *path = path_of(descriptor, buffer);
    if (!path) return REAL(ftruncate)(descriptor, size);
    if (must_fail(FTRUNCATE)) return -1;
    lock_log();
    int result = REAL(ftruncate)(descriptor, size);
    if (result == 0) log_entry(LOG_TRUNCATE, 0, size, path, NULL, 0);
    unlock_log();
    return result;
}

int ftruncate64(int descriptor, off_t size) __attribute__((alias("ftruncate")));

// Trove reserves a file's space by this call: glibc's own function writes zeros if the file system cannot reserve
// space.
long syscall(long number, ...) {
    static long (*real_syscall)(long, ...);
    if (!real_syscall) real_syscall = real("syscall");
    char buffer[4096];
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (number == SYS_fallocate && path_of((int)a, buffer) && must_fail(FALLOCATE)) return -1;
    return real_syscall(number, a, b, c, d, e, f);
}

static int is_below(const char *path) { return directory && strncmp(path, directory, directory_size) == 0; }

int link(const char *path, const char *other) {
    if (is_below(path) && must_fail(LINK)) return -1;
    lock_log();
    int result = REAL(link)(path, other);
    if (result == 0 && is_below(path)) log_entry(LOG_LINK, 0, 0, path, &(struct iovec){(void *)other, strlen(other)}, 1);
    unlock_log();
    return result;
}

int rename(const char *path, const char *other) {
    if (is_below(path) && must_fail(RENAME)) return -1;
    lock_log();
    int result = REAL(rename)(path, other);
    if (result == 0 && is_below(path)) log_entry(LOG_RENAME, 0, 0, path, &(struct iovec){(void *)other, strlen(other)}, 1);
    unlock_log();
    return result;
}

int unlink(const char *path) {
    lock_log();
    int result = REAL(unlink)(path);
    if (result == 0 && is_below(path)) log_entry(LOG_UNLINK, 0, 0, path, NULL, 0);
    unlock_log();
    return result;
}

// MARK: Memory

void *mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t offset) {
    char buffer[4096];
    if (path_of(descriptor, buffer) && must_fail(MMAP)) return MAP_FAILED;
    return REAL(mmap)(address, size, protection, flags, descriptor, offset);
}

void *mmap64(void *, size_t, int, int, int, off_t) __attribute__((alias("mmap")));

// glibc's own names, because a lookup of the real functions would allocate.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

#define ALLOCATION_FAILS (directory && is_from_lmdb(__builtin_return_address(0)) && must_fail(MALLOC))

void *malloc(size_t size) { return ALLOCATION_FAILS ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) { return ALLOCATION_FAILS ? NULL : __libc_calloc(count, size); }

void *realloc(void *old, size_t size) { return ALLOCATION_FAILS ? NULL : __libc_realloc(old, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (ALLOCATION_FAILS) return ENOMEM;
    void *made = __libc_memalign(alignment, size);
    if (!made) return ENOMEM;
    *result = made;
    return 0;
}

char *strdup(const char *text) {
    if (ALLOCATION_FAILS) return NULL;
    size_t size = strlen(text) + 1;
    char *made = __libc_malloc(size);
    return made ? memcpy(made, text, size) : NULL;
}
