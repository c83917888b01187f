// The digests of a file's tables.

/// Computes the digests of a file's tables during its verification.
final class DigestVisitor: FileVisitor {
    typealias Failure = LMDBError

    private(set) var digests = EntryDigests()
    private let path: String

    init(path: String) { self.path = path }

    func beginTable(_ name: String) { digests.begin(name) }

    func visit(_ entry: FileEntry) throws(LMDBError) -> FileFinding? {
        guard digests.add(entry) else { throw LMDBError(.inputOutput, in: "pread", path: path) }
        return nil
    }
}
