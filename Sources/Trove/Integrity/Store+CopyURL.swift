// Copies of a store to files that are given as URLs.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Store {
    /// Copies the last commit into a new store at a file URL, and verifies the copy.
    ///
    /// - Parameters:
    ///   - destination: The file URL of the file to create.
    ///   - compacting: Whether to leave out free pages, which takes longer and makes the copy smaller.
    /// - Returns: The contents of the copy.
    /// - Throws: ``StoreError/FileError/notAFileURL(url:)``; the errors of copying to a path.
    @available(*, noasync, message: "await the call")
    @discardableResult
    public func copy(to destination: URL, compacting: Bool = false) throws -> CopyReport {
        try copy(to: destination.storePath, compacting: compacting)
    }

    /// The async form of `copy(to:compacting:)`.
    @discardableResult
    public func copy(to destination: URL, compacting: Bool = false) async throws -> CopyReport {
        try await copy(to: destination.storePath, compacting: compacting)
    }
}
