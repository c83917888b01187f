// The rule of a statement for rows in conflict with stored records, and the result codes of conflicts.

import CSQLite
import Trove

/// The rule of a statement for a row in conflict with a stored record.
enum RowConflictRule {
    /// The statement fails, and changes nothing. `OR FAIL` and `OR ROLLBACK` have the same effect.
    case abort
    /// The row is left out.
    case ignore
    /// The stored record is deleted.
    case replace

    /// Creates the rule of the statement that runs on a connection.
    @unsafe init(of connection: OpaquePointer) {
        self =
            switch unsafe sqlite3_vtab_on_conflict(connection) {
            case SQLITE_IGNORE: .ignore
            case SQLITE_REPLACE: .replace
            default: .abort
            }
    }
}

/// The error of NULL for a property that is not optional: a conflict that a statement can ignore.
struct NullConflict: Error {
    let error: SQLError
}

extension Connection {
    /// Returns the result code for the error of a change, and keeps the error for the statement.
    ///
    /// By the code of a constraint, SQLite leaves the row out if the statement ignores conflicts.
    func code(of error: any Error, _ rule: RowConflictRule, in table: SQLTable) -> Int32 {
        let code = Self.constraint(of: error, in: table)
        if let code, rule == .ignore { return code }
        failure = failure ?? (error as? NullConflict)?.error ?? error
        return code ?? SQLITE_ERROR
    }

    /// Returns the code of the constraint that an error is about; nil for other errors, such as those of hooks about
    /// other types.
    private static func constraint(of error: any Error, in table: SQLTable) -> Int32? {
        let name = table.typeName
        switch error {
        case StoreError.record(.keyExists(name, _)): return TROVE_CONSTRAINT_PRIMARYKEY
        case StoreError.record(.notUnique(name, _, _, _)): return TROVE_CONSTRAINT_UNIQUE
        case StoreError.entity(.deleteDenied): return TROVE_CONSTRAINT_FOREIGNKEY
        case is NullConflict: return TROVE_CONSTRAINT_NOTNULL
        default: return nil
        }
    }
}
