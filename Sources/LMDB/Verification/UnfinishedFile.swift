// A file with a temporary name until it is complete.

/// A new file, removed unless it is published.
///
/// It is claimed while it is written. If the process dies in between, the next creator of a file of the same name
/// removes the leftover.
package struct UnfinishedFile: ~Copyable {
    /// The temporary path, next to the final name. The file exists, and is empty at first.
    package let path: String
    /// The final name of the complete file.
    package let destination: String
    private let claim: FileClaim
    /// Whether the temporary name remains. It signals to openers that the directory may not have been flushed; see
    /// `EnvironmentPlace.refuseHardLinks`.
    private var needsTemporary = false

    /// Creates an unfinished file.
    ///
    /// - Parameters:
    ///   - destination: The final name.
    ///   - mode: The mode of the file, as for `chmod`.
    ///   - protection: The protection of the file, on systems that have it.
    /// - Throws: `fileExists` if a file has the final name already; `invalid` if it is the name of another
    ///   environment's lock file.
    package init(
        for destination: String, mode: UInt16 = 0o600,
        protection: FileProtection = .completeUntilFirstUserAuthentication
    ) throws(LMDBError) {
        guard !destination.utf8.contains(0) else {
            throw LMDBError(.invalidArgument, in: "create", path: destination)
        }
        // The given name is checked too: a link can have the name of a lock file.
        try FileCalls.refuseLockFile(destination)
        let canonical = try FileCalls.canonicalPath(of: destination)
        try FileCalls.refuseLockFile(canonical)
        guard try FileCalls.status(of: canonical) == nil else {
            throw LMDBError(.fileExists, in: "create", path: canonical)
        }
        NewFile.removeRemainders(of: canonical)
        try self.init(beside: canonical, mode: mode, protection: protection)
    }

    /// Creates an unfinished file, even if a file has the final name. `destination` is a canonical path.
    init(
        beside destination: String, mode: UInt16, protection: FileProtection = .completeUntilFirstUserAuthentication
    ) throws(LMDBError) {
        self.destination = destination
        path = NewFile.temporaryName(for: destination)
        claim = try FileClaim(creating: path, mode: mode, protection: protection)
    }

    deinit {
        if !needsTemporary { FileCalls.remove(path) }
    }

    /// Turns the file into an environment with its initial table.
    package func createEnvironment(_ options: EnvironmentOptions) throws(LMDBError) {
        try NewFile.fill(path, options, destination)
    }

    /// Flushes the file and gives it its final name.
    ///
    /// - Throws: `fileExists` if the name was taken in the meantime.
    package consuming func publish() throws(LMDBError) {
        try link()
        guard try FileCalls.status(of: destination)?.identity == FileCalls.status(of: path)?.identity else {
            throw LMDBError(.fileExists, in: "link", path: destination)
        }
        do throws(LMDBError) {
            try flushName()
        } catch {
            // No process has opened the file, so nothing is lost.
            FileCalls.remove(destination)
            needsTemporary = false
            throw error
        }
    }

    /// Flushes the file and gives it its final name, unless the name was taken in the meantime.
    ///
    /// - Parameter flushes: False if the file need not outlive this process.
    consuming func publishUnlessTaken(flushing flushes: Bool) throws(LMDBError) {
        guard flushes else { return try FileCalls.linkUnlessTaken(path, as: destination) }
        try link()
        try flushName()
    }

    /// Flushes the file, and puts it in the place of the file with the final name.
    consuming func replace() throws(LMDBError) {
        try FileCalls.synchronize(path)
        try FileCalls.rename(path, to: destination)
        // The temporary name is gone.
        needsTemporary = true
        try FileCalls.synchronize(FileCalls.split(destination).directory)
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
