// The descriptions of errors about a path where there is no store.

import LMDB

extension StoreError.FileError {
    /// Describes a path without a store.
    static func missingText(_ path: String, _ reason: LMDBError) -> String {
        if path.isEmpty { return "The path of the store is empty. Give the path of a file." }
        switch reason.operation {
        case "verify": return "There is no store \(place(path)). Check the path."
        case "open":
            return "There is no store \(place(path)). Check the path, or open it without isReadOnly to create a store."
        default:
            let directory = directory(of: path)
            return reason.code == .notADirectory
                ? "There can be no store at \(path): \(directory) is not a directory. Check the path."
                : "There can be no store at \(path): the directory \(directory) does not exist. Create the directory first."
        }
    }

    /// Describes a path with something other than a store.
    static func notAStoreText(_ path: String, _ reason: LMDBError?) -> String {
        switch reason?.code {
        case nil: "\(path) is not a store: it is an LMDB file of another program. Choose another path."
        case .emptyFile?:
            "\(path) is an empty file. Remove it, and a new store is created in its place; if it was a store, restore it from a copy."
        case .isADirectory?:
            "\(path) is a directory without a store. Give the path of a file in it, such as \(path)/app.trove."
        case .notAFile?:
            "\(path) is not a store: it is a directory or a device. Choose the path of a file."
        case .invalid?:
            "\(path) is not a store: it is a file of another kind. Choose another path; if it was a store, restore it from a copy."
        default: "\(path) is not a store: " + (reason.map { "\($0)" } ?? "")
        }
    }

    /// The data file of a directory is named by its directory.
    private static func place(_ path: String) -> String {
        path.hasSuffix("/data.mdb") ? "in the directory \(directory(of: path))" : "at \(path)"
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
