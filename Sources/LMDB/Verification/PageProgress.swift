// A visitor that only reports progress.

/// A visitor that reports progress, and ignores all entries.
package final class PageProgress: FileVisitor {
    package typealias Failure = any Error

    private let progress: (_ pages: Int, _ total: Int) throws -> Void

    /// - Parameter progress: Receives the number of pages done, and the total. An error ends the visit.
    package init(_ progress: @escaping (_ pages: Int, _ total: Int) throws -> Void) { self.progress = progress }

    package func advance(to pages: UInt64, of total: UInt64) throws { try progress(Int(pages), Int(total)) }

    package func visit(_ entry: FileEntry) -> FileFinding? { nil }
}
