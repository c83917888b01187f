// Why a schema lock is not what the program declares, and what to do.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Why the layouts of a program are not those of its ``SchemaLock``.
public enum SchemaLockError: Error, Hashable, Sendable {
    /// There was no file. It is written now, and has to be committed.
    case written(path: String)
    /// The layouts are others than those of the file.
    case changed(path: String, changes: [SchemaChange])
    /// The file is not what was written.
    case damaged(path: String, reason: String)
    /// The file cannot be read or written.
    case inaccessible(path: String, reason: String)
    /// Two of the types have one prefix.
    case prefixTaken(prefix: UInt32, type: String, by: String)
}

extension SchemaLockError: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .written(let path):
            "\(path) was not there, and is written. Look at it, commit it, and run the test again."
        case .changed(let path, let changes):
            Self.text(of: changes, path)
        case .damaged(let path, let reason):
            "\(path) is no schema lock: \(reason) Restore it, or delete it and run the test again."
        case .inaccessible(let path, let reason):
            "\(path) cannot be read or written: \(reason)"
        case .prefixTaken(_, let type, let other) where type == other:
            "\(type) is there twice. Name each type once; give two types of one name a keyPrefix each."
        case .prefixTaken(let prefix, let type, let other):
            "\(type) and \(other) have the same keyPrefix \(prefix). Give one of them another."
        }
    }

    /// The changes below the names of their types, and how to accept them.
    private static func text(of changes: [SchemaChange], _ path: String) -> String {
        var lines = ["The layouts are no longer those of \(path):"]
        var type: String?
        for change in changes {
            if change.type != type { lines.append("  \(change.type)") }
            type = change.type
            lines.append("    \(change.kind)")
        }
        lines.append(
            changes.contains(where: \.isMistake)
                ? "Stores would refuse this. Correct it first."
                : "Where this is meant, accept it: delete the file and run the test again, or call "
                    + "SchemaLock.write(_:at:), and commit the file.")
        return lines.joined(separator: "\n")
    }
}

extension SchemaLockError: LocalizedError {
    /// The same words, for those who ask for the error's `localizedDescription`.
    public var errorDescription: String? { description }
}
