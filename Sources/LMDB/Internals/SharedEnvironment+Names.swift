// The check that the files still have the names under which other processes find them.

extension SharedEnvironment {
    /// Refuses to write if the data file or its lock file was moved, removed or replaced since they were opened.
    /// Another process that opens the path would then use another lock, and both would write at once.
    ///
    /// Called with the writer lock held, so that nothing is written without a shared lock.
    func checkNames() throws(LMDBError) {
        guard let lockIdentity else { return }
        try checkName(of: path, is: identity, in: "write")
        guard FileCalls.identity(of: lockFile) == lockIdentity else {
            throw LMDBError(.lockFileReplaced, in: "write", path: lockFile)
        }
    }

    /// Throws if the data file was moved, removed or replaced since it was opened, or if its meta pages are damaged.
    /// Called before its pages are read by its name.
    package func checkFile() throws(LMDBError) {
        try checkName(of: path, is: identity, in: "read")
        _ = try MetaPage.newest(in: ReadableFile(path))
    }

    /// Whether the data file was moved, removed or replaced since it was opened. A temporary file has no name.
    package var isFileReplaced: Bool { !options.isTemporary && FileCalls.identity(of: path) != identity }

    /// Throws if the data file was moved, removed or replaced since it was opened.
    package func checkFileName() throws(LMDBError) { try checkName(of: path, is: identity, in: "read") }

    /// Calls a closure that reads the data file by its name.
    ///
    /// - Throws: `fileReplaced` if the name leads to another file before the closure or after it; the closure's error.
    package func readingNamedFile<R>(_ body: () throws -> R) throws -> R {
        try checkFile()
        let result = try body()
        try checkFileName()
        return result
    }

    func checkName(
        of path: String, is identity: FileIdentity, in operation: String
    ) throws(LMDBError) {
        guard FileCalls.identity(of: path) == identity else {
            throw LMDBError(.fileReplaced, in: operation, path: path)
        }
    }
}
