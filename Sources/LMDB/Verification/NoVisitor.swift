// A visitor without findings of its own.

/// A visitor that ignores all entries.
final class NoVisitor: FileVisitor {
    typealias Failure = Never

    func visit(_ entry: FileEntry) -> FileFinding? { nil }
}
