// Reads of a store's file by its name, which can lead to another file meanwhile.

import LMDB

extension Store {
    /// Whether the file was moved, removed or replaced since it was opened. Reads are of the file that was opened.
    package var isFileReplaced: Bool { environment.shared.isFileReplaced }

    /// Calls a closure that reads the file by its name.
    ///
    /// - Throws: ``StoreError/FileError/fileReplaced(path:)`` if the name leads to another file before the closure or
    ///   after it; the closure's error.
    package func readingNamedFile<R>(_ body: () throws -> R) throws -> R {
        try checkIsOpen()
        return try translatingErrors { try environment.shared.readingNamedFile(body) }
    }

    /// The async form of `readingNamedFile`.
    package func readingNamedFile<R: Sendable>(_ body: () async throws -> R) async throws -> R {
        try translatingErrors { try environment.shared.checkFileName() }
        let result = try await body()
        try translatingErrors { try environment.shared.checkFileName() }
        return result
    }

    /// Returns the number of free pages of the last commit; nil if there was a commit meanwhile.
    ///
    /// - Throws: ``StoreError``: ``StoreError/FileError/fileReplaced(path:)`` if another file has the store's name now.
    /// - Complexity: O(*n*) in the size of the freelists.
    package func freePageCount() throws -> Int? {
        try readingNamedFile { try FileWalk.freePageCount(of: path) }
    }
}
