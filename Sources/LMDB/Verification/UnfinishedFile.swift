// A file that has a temporary name until it is whole.

/// A new file in the making, which is gone unless it is published.
///
/// It is claimed while it is made. What a process leaves behind that dies meanwhile is removed by who makes or creates
/// a file of that name next.
package struct UnfinishedFile: ~Copyable {
    /// Where the file is made: beside its own name. It is there, and empty.
    package let path: String
    /// Its own name, which it gets when it is whole.
    package let destination: String
    private let claim: FileClaim
    /// Whether the temporary name stays: it tells openers that the directory may not have been flushed; see
    /// `EnvironmentPlace.refuseHardLinks`.
    private var needsTemporary = false

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - destination: Its own name.
    ///   - mode: The mode of the file, as for `chmod`.
    /// - Throws: `fileExists` where there is something under its own name; `invalid` where that is the name of another
    ///   environment's lock file.
    package init(for destination: String, mode: UInt16 = 0o600) throws(LMDBError) {
        guard !destination.utf8.contains(0) else {
            throw LMDBError(.invalidArgument, in: "create", path: destination)
        }
        // By its name as given too: a link can have the name of a lock file.
        try FileCalls.refuseLockFile(destination)
        let canonical = try FileCalls.canonicalPath(of: destination)
        try FileCalls.refuseLockFile(canonical)
        guard try FileCalls.status(of: canonical) == nil else {
            throw LMDBError(.fileExists, in: "create", path: canonical)
        }
        NewFile.removeRemainders(of: canonical)
        try self.init(beside: canonical, mode: mode)
    }

    /// Begins a file whatever is under its own name, which is a canonical path.
    init(beside destination: String, mode: UInt16) throws(LMDBError) {
        self.destination = destination
        path = NewFile.temporaryName(for: destination)
        claim = try FileClaim(creating: path, mode: mode)
    }

    deinit {
        if !needsTemporary { FileCalls.remove(path) }
    }

    /// Makes the file an environment, with its initial table.
    package func createEnvironment(_ options: EnvironmentOptions) throws(LMDBError) {
        try NewFile.fill(path, options, destination)
    }

    /// Flushes the file and gives it its own name.
    ///
    /// - Throws: `fileExists` where that was taken meanwhile.
    package consuming func publish() throws(LMDBError) {
        try link()
        guard try FileCalls.status(of: destination)?.identity == FileCalls.status(of: path)?.identity else {
            throw LMDBError(.fileExists, in: "link", path: destination)
        }
        do throws(LMDBError) {
            try flushName()
        } catch {
            // Nobody has opened it: nothing is lost with it.
            FileCalls.remove(destination)
            needsTemporary = false
            throw error
        }
    }

    /// Flushes the file and gives it its own name, unless that was taken meanwhile.
    ///
    /// - Parameter flushes: False for a file that need not outlive this process.
    consuming func publishUnlessTaken(flushing flushes: Bool) throws(LMDBError) {
        guard flushes else { return try FileCalls.linkUnlessTaken(path, as: destination) }
        try link()
        try flushName()
    }

    private func link() throws(LMDBError) {
        try FileCalls.synchronize(path)
        try FileCalls.linkUnlessTaken(path, as: destination)
    }

    private mutating func flushName() throws(LMDBError) {
        needsTemporary = true
        try FileCalls.synchronize(FileCalls.split(destination).directory)
        needsTemporary = false
    }
}
