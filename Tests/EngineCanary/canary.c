/* The encryption of liblmdb 1.0: programs that give wrong results in release 1.0.2.
 *
 *   canary DIRECTORY      an empty directory on a disk with 3 GB to spare
 *
 * Each program runs twice: plain, where it must pass, and with `mdb_env_set_encrypt`. The cipher is an XOR with a byte
 * stream: it is invertible, and needs no other library.
 *
 * Exit codes: 0 an encrypted program still fails, 1 all of them pass, 2 a plain program fails, or the canary itself.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lmdb.h"

enum { RECORDS = 4000, ROUNDS = 60, UPDATES = 100, READERS = 3, LARGE = 300000, LARGE_VALUE = 1900 };

/* Ends the canary: the program could not run, so its result means nothing. */
static void broken(const char *what, int code) {
    fprintf(stderr, "canary: %s: %s\n", what, mdb_strerror(code));
    exit(2);
}

static void check(const char *what, int code) {
    if (code != 0) broken(what, code);
}

static uint64_t mixed(uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

/* The cipher: the same bytes for encryption and for decryption. key[0] is the key, key[1] the initialization vector. */
static int cipher(const MDB_val *source, MDB_val *target, const MDB_val *key, int encrypts) {
    const unsigned char *input = source->mv_data;
    unsigned char *output = target->mv_data;
    uint64_t seed = 0x9e3779b97f4a7c15u;
    (void)encrypts;
    for (int part = 0; part < 2; part++)
        for (size_t offset = 0; offset < key[part].mv_size; offset++)
            seed = mixed(seed ^ ((const unsigned char *)key[part].mv_data)[offset]);
    for (size_t offset = 0; offset < source->mv_size; offset++) {
        if (offset % 8 == 0) seed = mixed(seed + 0x9e3779b97f4a7c15u);
        output[offset] = input[offset] ^ (unsigned char)(seed >> (offset % 8 * 8));
    }
    return 0;
}

static MDB_env *opened(const char *directory, const char *name, int is_encrypted, size_t map) {
    char path[4096];
    MDB_env *env;
    snprintf(path, sizeof path, "%s/%s-%s", directory, name, is_encrypted ? "encrypted" : "plain");
    if (mkdir(path, 0700) != 0) broken(path, errno);
    check("mdb_env_create", mdb_env_create(&env));
    check("mdb_env_set_mapsize", mdb_env_set_mapsize(env, map));
    if (is_encrypted) {
        char bytes[32] = "a key of the canary: 32 bytes..";
        MDB_val key = {sizeof bytes, bytes};
        check("mdb_env_set_encrypt", mdb_env_set_encrypt(env, cipher, &key, 0));
    }
    /* No flush: the machine does not lose power. Readers of one thread overlap. */
    check("mdb_env_open", mdb_env_open(env, path, MDB_NOSYNC | MDB_NOTLS, 0600));
    return env;
}

/* The first failure of a program in words; empty if it passes. */
static char failure[256];

static void fails(const char *what, int code) {
    if (failure[0] == 0) snprintf(failure, sizeof failure, "%s: %s", what, mdb_strerror(code));
}

/* Adds the results of lookups to the failure, if any lookup failed. */
static void report_lookups(unsigned long count, unsigned long wrong, unsigned long missing) {
    if (wrong + missing == 0) return;
    size_t used = strlen(failure);
    snprintf(failure + used, sizeof failure - used, "%sof %lu lookups %lu are wrong and %lu find nothing",
             used > 0 ? "; " : "", count, wrong, missing);
}

/* Readers overlap, while a writer changes records. Each reader has to see the values of its snapshot. */
static void overlapping_readers(MDB_env *env) {
    static uint32_t now[RECORDS], seen[READERS][RECORDS];
    MDB_txn *readers[READERS] = {0}, *txn;
    MDB_dbi dbi;
    unsigned long wrong = 0, missing = 0, lookups = 0;
    uint64_t random = 7;
    char text[100];

    check("mdb_txn_begin", mdb_txn_begin(env, NULL, 0, &txn));
    check("mdb_dbi_open", mdb_dbi_open(txn, NULL, 0, &dbi));
    check("mdb_txn_commit", mdb_txn_commit(txn));
    memset(now, 0, sizeof now);
    for (int round = 0; round <= ROUNDS; round++) {
        int result = mdb_txn_begin(env, NULL, 0, &txn);
        if (result != 0) return fails("a write does not begin", result);
        for (int update = 0; update < (round == 0 ? RECORDS : UPDATES); update++) {
            uint32_t number = round == 0 ? (uint32_t)update : (uint32_t)((random = mixed(random + 1)) % RECORDS);
            MDB_val key = {sizeof number, &number}, value = {sizeof text, text};
            uint32_t version = (uint32_t)round + 1;
            memset(text, 0, sizeof text);
            memcpy(text, &version, sizeof version);
            memcpy(text + 4, &number, sizeof number);
            result = mdb_put(txn, dbi, &key, &value, 0);
            if (result != 0) {
                mdb_txn_abort(txn);
                fails("a put in the writer", result);
                goto end;
            }
            now[number] = version;
        }
        result = mdb_txn_commit(txn);
        if (result != 0) {
            fails("a commit", result);
            goto end;
        }
        int slot = round % READERS;
        if (readers[slot] != NULL) mdb_txn_abort(readers[slot]);
        result = mdb_txn_begin(env, NULL, MDB_RDONLY, &readers[slot]);
        if (result != 0) {
            readers[slot] = NULL;
            fails("a read does not begin", result);
            goto end;
        }
        memcpy(seen[slot], now, sizeof now);
        for (int reader = 0; reader < READERS; reader++) {
            if (readers[reader] == NULL) continue;
            for (uint32_t number = 0; number < RECORDS; number++) {
                MDB_val key = {sizeof number, &number}, value;
                lookups++;
                result = mdb_get(readers[reader], dbi, &key, &value);
                if (result != 0)
                    missing++;
                else if (value.mv_size != sizeof text || memcmp(value.mv_data, &seen[reader][number], 4) != 0 ||
                         memcmp((char *)value.mv_data + 4, &number, 4) != 0)
                    wrong++;
            }
        }
    }
end:
    for (int reader = 0; reader < READERS; reader++)
        if (readers[reader] != NULL) mdb_txn_abort(readers[reader]);
    report_lookups(lookups, wrong, missing);
}

/* Puts as many records as make more changed pages than liblmdb keeps in memory: it writes some of them early. */
static int put_many(MDB_txn *txn, MDB_dbi dbi) {
    static char text[LARGE_VALUE];
    for (uint32_t number = 0; number < LARGE; number++) {
        MDB_val key = {sizeof number, &number}, value = {sizeof text, text};
        memcpy(text, &number, sizeof number);
        int result = mdb_put(txn, dbi, &key, &value, 0);
        if (result != 0) return result;
    }
    return 0;
}

/* A large transaction is aborted. The next large transaction has to work, and its records have to be found. */
static void large_abort(MDB_env *env) {
    MDB_txn *txn;
    MDB_dbi dbi;
    unsigned long wrong = 0, missing = 0;
    int result;

    check("mdb_txn_begin", mdb_txn_begin(env, NULL, 0, &txn));
    check("mdb_dbi_open", mdb_dbi_open(txn, NULL, 0, &dbi));
    check("mdb_txn_commit", mdb_txn_commit(txn));
    for (int keeps = 0; keeps < 2; keeps++) {
        result = mdb_txn_begin(env, NULL, 0, &txn);
        if (result != 0) return fails("a large write does not begin", result);
        result = put_many(txn, dbi);
        if (result != 0) {
            mdb_txn_abort(txn);
            return fails(keeps ? "a put after the abort" : "a put before the abort", result);
        }
        if (!keeps)
            mdb_txn_abort(txn);
        else if ((result = mdb_txn_commit(txn)) != 0)
            return fails("the commit after the abort", result);
    }
    result = mdb_txn_begin(env, NULL, MDB_RDONLY, &txn);
    if (result != 0) return fails("a read after the abort does not begin", result);
    for (uint32_t number = 0; number < LARGE; number++) {
        MDB_val key = {sizeof number, &number}, value;
        if (mdb_get(txn, dbi, &key, &value) != 0)
            missing++;
        else if (value.mv_size != LARGE_VALUE || memcmp(value.mv_data, &number, sizeof number) != 0)
            wrong++;
    }
    mdb_txn_abort(txn);
    report_lookups(LARGE, wrong, missing);
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(MDB_env *);
        size_t map;
    } programs[] = {
        {"overlapping readers", overlapping_readers, (size_t)64 << 20},
        {"large transactions, the first aborted", large_abort, (size_t)4 << 30},
    };
    int still_failing = 0;

    if (count != 2) {
        fprintf(stderr, "usage: canary DIRECTORY\n");
        return 2;
    }
    printf("canary: %s\n", mdb_version(NULL, NULL, NULL));
    for (size_t index = 0; index < sizeof programs / sizeof *programs; index++) {
        for (int is_encrypted = 0; is_encrypted < 2; is_encrypted++) {
            char name[32];
            snprintf(name, sizeof name, "%zu", index);
            MDB_env *env = opened(arguments[1], name, is_encrypted, programs[index].map);
            failure[0] = 0;
            programs[index].run(env);
            mdb_env_close(env);
            printf("canary: %s, %s: %s\n", programs[index].name, is_encrypted ? "encrypted" : "plain",
                   failure[0] ? failure : "passes");
            fflush(stdout);
            if (failure[0] && !is_encrypted) return 2;
            if (failure[0]) still_failing = 1;
        }
    }
    return still_failing ? 0 : 1;
}
