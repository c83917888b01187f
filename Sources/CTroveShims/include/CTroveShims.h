// System calls hidden from Swift, and CPU instructions for prefetching and CRC32C.

#ifndef TROVE_SHIMS_H
#define TROVE_SHIMS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// Identifies the file at a path, as stat does; returns 0 or an errno. Unlike stat, it does not read the file's times:
// after such a read, the next write must give the file a new time, and flushing it costs a commit a fifth of its time.
static inline int trove_identify(
    const char *_Nonnull path, uint64_t *_Nonnull device, uint64_t *_Nonnull inode) {
    struct statx status;
    if (syscall(SYS_statx, AT_FDCWD, path, 0, STATX_INO, &status) != 0) { return errno; }
    *device = makedev(status.stx_dev_major, status.stx_dev_minor);
    *inode = status.stx_ino;
    return 0;
}

// Allocates the first bytes of a file on disk; returns 0 or an errno. Not posix_fallocate: on a file system without the
// call, posix_fallocate writes into the file, while other processes may have it mapped.
static inline int trove_allocate(int descriptor, long long size) {
#if defined(__LP64__)
    return syscall(SYS_fallocate, descriptor, 0, 0LL, size) == 0 ? 0 : errno;
#else
    (void)descriptor;
    (void)size;
    return EOPNOTSUPP; // on 32-bit systems the call takes its numbers in halves
#endif
}
#endif

// Copies the extended attributes of an open file to another one, as far as this user may.
#if defined(__linux__)
#include <sys/xattr.h>

static inline void trove_copy_attributes(int source, int target) {
    char names[4096];
    char value[65536];
    ssize_t size = flistxattr(source, names, sizeof(names));
    for (ssize_t at = 0; at < size; at += (ssize_t)strlen(names + at) + 1) {
        ssize_t length = fgetxattr(source, names + at, value, sizeof(value));
        if (length >= 0) { (void)fsetxattr(target, names + at, value, (size_t)length, 0); }
    }
}
#elif defined(__APPLE__)
#include <copyfile.h>

static inline void trove_copy_attributes(int source, int target) {
    (void)fcopyfile(source, target, NULL, COPYFILE_ACL | COPYFILE_XATTR);
}
#else
static inline void trove_copy_attributes(int source, int target) {
    (void)source;
    (void)target;
}
#endif

// Starts to load memory into the CPU's cache, for a read soon after. The address need not be valid.
static inline void trove_prefetch(const void *_Nonnull address) {
    __builtin_prefetch(address);
    __builtin_prefetch((const char *)address + 64); // most likely the next cache line
}

// CRC32C (Castagnoli polynomial, reflected 0x82F63B78; RFC 3720 appendix B.4). The functions below update a raw
// register: the caller inverts it at the start and at the end. They may be called only if `trove_crc32c_is_available()`
// returns 1; all other machines use a table in Swift.

// The compiler's builtins rather than <nmmintrin.h>: functions of that header are not emitted for Swift.

#if defined(__x86_64__)

#if !defined(__APPLE__)
#include <cpuid.h>
#endif

static inline int trove_crc32c_is_available(void) {
#if defined(__APPLE__)
    return 1; // every Mac with a supported system has SSE 4.2
#else
    unsigned int a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2) != 0;
#endif
}

__attribute__((target("sse4.2")))
static inline uint32_t trove_crc32c_update(uint32_t crc, const void *_Nullable bytes, size_t count) {
    const unsigned char *p = (const unsigned char *)bytes;
    uint64_t wide = crc;
    while (count >= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        wide = __builtin_ia32_crc32di(wide, word);
        p += 8;
        count -= 8;
    }
    crc = (uint32_t)wide;
    if (count >= 4) {
        uint32_t word;
        memcpy(&word, p, 4);
        crc = __builtin_ia32_crc32si(crc, word);
        p += 4;
        count -= 4;
    }
    while (count > 0) {
        crc = __builtin_ia32_crc32qi(crc, *p++);
        count -= 1;
    }
    return crc;
}

#elif defined(__aarch64__)

#include <arm_acle.h>

#if defined(__linux__)
#include <sys/auxv.h>
#endif

static inline int trove_crc32c_is_available(void) {
#if defined(__APPLE__)
    return 1; // part of ARMv8.1, which every Apple arm64 Mac and phone of a supported system has
#elif defined(__linux__)
    return (getauxval(AT_HWCAP) & (1UL << 7)) != 0; // HWCAP_CRC32
#else
    return 0;
#endif
}

#if defined(__APPLE__)
#define TROVE_CRC_TARGET __attribute__((target("crc")))
#else
#define TROVE_CRC_TARGET __attribute__((target("+crc")))
#endif

TROVE_CRC_TARGET
static inline uint32_t trove_crc32c_update(uint32_t crc, const void *_Nullable bytes, size_t count) {
    const unsigned char *p = (const unsigned char *)bytes;
    while (count >= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        crc = __builtin_arm_crc32cd(crc, word);
        p += 8;
        count -= 8;
    }
    while (count > 0) {
        crc = __builtin_arm_crc32cb(crc, *p++);
        count -= 1;
    }
    return crc;
}

#else

static inline int trove_crc32c_is_available(void) { return 0; }

static inline uint32_t trove_crc32c_update(uint32_t crc, const void *_Nullable bytes, size_t count) {
    (void)bytes;
    (void)count;
    return crc;
}

#endif

#endif
