// The errors of a schema lock: what differs, and what to do.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An error of a ``SchemaLock``.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum SchemaLockError: Error, Hashable, Sendable {
    /// The file did not exist. It has been written, and must be committed.
    case written(path: String)
    /// The layouts differ from the file's layouts.
    case changed(path: String, changes: [SchemaChange])
    /// The file is not a valid schema lock.
    case damaged(path: String, reason: String)
    /// The file cannot be read or written.
    case inaccessible(path: String, reason: String)
    /// Two types have the same prefix.
    case prefixTaken(prefix: UInt32, type: String, by: String)
}

extension SchemaLockError: CustomStringConvertible {
    /// The error in words: what happened, and what to do.
    public var description: String {
        switch self {
        case .written(let path):
            "\(path) did not exist, and has been written. Review it, commit it, and run the test again."
        case .changed(let path, let changes):
            Self.text(of: changes, path)
        case .damaged(let path, let reason):
            "\(path) is not a valid schema lock: \(reason) Restore it, or delete it and run the test again."
        case .inaccessible(let path, let reason):
            "\(path) cannot be read or written: \(reason)"
        case .prefixTaken(_, let type, let other) where type == other:
            "\(type) is listed twice. List each type once; give two types with the same name different keyPrefixes."
        case .prefixTaken(let prefix, let type, let other):
            "\(type) and \(other) have the same keyPrefix \(prefix). Give one of them another keyPrefix."
        }
    }

    /// Returns the changes, grouped under the names of their types, and how to accept them.
    private static func text(of changes: [SchemaChange], _ path: String) -> String {
        var lines = ["The layouts differ from \(path):"]
        var type: String?
        for change in changes {
            if change.type != type { lines.append("  \(change.type)") }
            type = change.type
            lines.append("    \(change.kind)")
        }
        lines.append(
            changes.contains(where: \.isMistake)
                ? "Stores would refuse these types. Correct the mistake first."
                : "If these changes are intended, accept them: delete the file and run the test again, or call "
                    + "SchemaLock.write(_:at:). Then commit the file.")
        return lines.joined(separator: "\n")
    }
}

extension SchemaLockError: LocalizedError {
    /// The description, for the error's `localizedDescription`.
    public var errorDescription: String? { description }
}
