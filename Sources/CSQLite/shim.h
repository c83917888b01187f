// The C interface for Swift: SQLite as the system installs it, and its macros and variadic functions as functions.

#ifndef TROVE_CSQLITE_SHIM_H
#define TROVE_CSQLITE_SHIM_H

#include <sqlite3.h>
#include <stddef.h>
#include <sys/stat.h>

/// The result code of a damaged record.
static const int TROVE_CORRUPT_VTAB = SQLITE_CORRUPT_VTAB;

/// The result codes of constraints.
static const int TROVE_CONSTRAINT_PRIMARYKEY = SQLITE_CONSTRAINT_PRIMARYKEY;
static const int TROVE_CONSTRAINT_UNIQUE = SQLITE_CONSTRAINT_UNIQUE;
static const int TROVE_CONSTRAINT_NOTNULL = SQLITE_CONSTRAINT_NOTNULL;
static const int TROVE_CONSTRAINT_FOREIGNKEY = SQLITE_CONSTRAINT_FOREIGNKEY;
static const int TROVE_CONSTRAINT_DATATYPE = SQLITE_CONSTRAINT_DATATYPE;

/// Returns a text that SQLite copies.
static inline void trove_result_text_copy(sqlite3_context *context, const void *bytes, size_t count) {
    sqlite3_result_text64(context, count ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Returns a text that lies in memory until the transaction ends.
static inline void trove_result_text_lasting(sqlite3_context *context, const void *bytes, size_t count) {
    sqlite3_result_text64(context, count ? (const char *)bytes : "", count, SQLITE_STATIC, SQLITE_UTF8);
}

/// Returns bytes that SQLite copies.
static inline void trove_result_blob_copy(sqlite3_context *context, const void *bytes, size_t count) {
    sqlite3_result_blob64(context, count ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Returns bytes that lie in memory until the transaction ends.
static inline void trove_result_blob_lasting(sqlite3_context *context, const void *bytes, size_t count) {
    sqlite3_result_blob64(context, count ? bytes : "", count, SQLITE_STATIC);
}

/// Returns the object of a found row, which only functions see: for a statement the value is NULL.
static inline void trove_result_found_row(sqlite3_context *context, void *row, void (*destroy)(void *)) {
    sqlite3_result_pointer(context, row, "trove-found-row", destroy);
}

/// Returns the object of a found row in an argument, or a null pointer.
static inline void *trove_found_row(sqlite3_value *value) { return sqlite3_value_pointer(value, "trove-found-row"); }

/// Binds a text that SQLite copies.
static inline int trove_bind_text(sqlite3_stmt *statement, int index, const void *bytes, size_t count) {
    return sqlite3_bind_text64(statement, index, count ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds bytes that SQLite copies.
static inline int trove_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, size_t count) {
    return sqlite3_bind_blob64(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Sets a switch of a connection.
static inline int trove_db_config(sqlite3 *connection, int option, int value) {
    return sqlite3_db_config(connection, option, value, (int *)0);
}

/// Refuses the table in views and triggers.
static inline int trove_vtab_direct_only(sqlite3 *connection) {
    return sqlite3_vtab_config(connection, SQLITE_VTAB_DIRECTONLY);
}

/// Leaves the treatment of conflicts to the table.
static inline int trove_vtab_handles_conflicts(sqlite3 *connection) {
    return sqlite3_vtab_config(connection, SQLITE_VTAB_CONSTRAINT_SUPPORT, 1);
}

/// Returns a copy of a text that SQLite frees.
static inline char *trove_copied_text(const char *text) { return sqlite3_mprintf("%s", text); }

/// Returns 1 for the path of a file, 0 for one of a directory or a device, and -1 if there is nothing.
static inline int trove_is_file(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return -1;
    return S_ISREG(status.st_mode) ? 1 : 0;
}

#endif
