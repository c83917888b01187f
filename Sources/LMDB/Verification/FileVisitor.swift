// A visitor of the entries of a file's tables during verification.

/// Receives the tables of a file while their pages are verified.
public protocol FileVisitor: AnyObject {
    /// The error that ends the verification; `Never` if there is none.
    associatedtype Failure: Error = Never

    /// Called at the beginning of a verification. If another process changes the file, the verification begins again,
    /// and all earlier entries are void.
    func begin()
    /// Reports progress: the number of pages done, and their total. An error ends the verification.
    func advance(to pages: UInt64, of total: UInt64) throws(Failure)
    /// Called before the entries of a table.
    func beginTable(_ name: String) throws(Failure)
    /// Called with an entry, whose bytes are unverified.
    ///
    /// - Returns: A finding about the entry, if it is damaged.
    func visit(_ entry: FileEntry) throws(Failure) -> FileFinding?
    /// Called after all reachable entries.
    ///
    /// - Returns: Findings about the file as a whole.
    func end() throws(Failure) -> [FileFinding]
}

extension FileVisitor {
    /// Does nothing.
    public func begin() {}
    /// Does nothing.
    public func advance(to pages: UInt64, of total: UInt64) throws(Failure) {}
    /// Does nothing.
    public func beginTable(_ name: String) throws(Failure) {}
    /// Returns no findings.
    public func end() throws(Failure) -> [FileFinding] { [] }
}
