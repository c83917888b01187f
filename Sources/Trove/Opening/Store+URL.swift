// Files of stores, given as URLs.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Store {
    /// Opens the store at a file URL, and creates it if there is none.
    ///
    /// ```swift
    /// let store = try Store(url: .applicationSupportDirectory.appending(path: "people.trove"))
    /// ```
    ///
    /// - Parameters:
    ///   - url: The file URL of the store's file, or of a directory for its files.
    ///   - records: The program's record types in this store.
    ///   - migrations: The time at which records of older layouts are rewritten; see ``MigrationPolicy``.
    ///   - options: The options of the store; see ``StoreOptions``.
    ///   - progress: Receives the progress of a migration.
    /// - Throws: ``StoreError/FileError/notAFileURL(url:)``; the errors of opening the store by its path.
    @available(*, noasync, message: "await the call")
    public convenience init(
        url: URL, records: [any IndexKeyRecord.Type] = [], migrations: MigrationPolicy = .onOpen,
        options: StoreOptions = StoreOptions(), progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) throws {
        try self.init(
            path: url.storePath, records: records, migrations: migrations, options: options, progress: progress)
    }
}

extension URL {
    /// The path of a file URL.
    var storePath: String {
        get throws(StoreError) {
            guard isFileURL else { throw .file(.notAFileURL(url: absoluteString)) }
            return path(percentEncoded: false)
        }
    }
}
