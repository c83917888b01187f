// A file that has a temporary name until it is whole.

/// A new file in the making, which is gone unless it is published.
package struct UnfinishedFile: ~Copyable {
    /// Where the file is made: beside its own name.
    package let path: String
    private let destination: String

    /// Chooses a temporary name.
    ///
    /// - Throws: `fileExists` where there is something under the file's own name.
    package init(for destination: String) throws(LMDBError) {
        let destination = try FileCalls.canonicalPath(of: destination)
        guard try FileCalls.status(of: destination) == nil else {
            throw LMDBError(.fileExists, in: "create", path: destination)
        }
        self.destination = destination
        path = destination + ".new-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    }

    deinit { FileCalls.remove(path) }

    /// Flushes the file and gives it its own name, unless that was taken meanwhile.
    package func publish() throws(LMDBError) {
        try FileCalls.synchronize(path)
        try FileCalls.linkUnlessTaken(path, as: destination)
        guard try FileCalls.status(of: destination)?.identity == FileCalls.status(of: path)?.identity else {
            throw LMDBError(.fileExists, in: "link", path: destination)
        }
        try FileCalls.synchronize(FileCalls.split(destination).directory)
    }
}
