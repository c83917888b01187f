// The creation of a data file. It appears under its own name only when complete.
//
//     temporary name → empty environment, initial table, flush → link to its own name → unlink the temporary one
//     → flush the directory
//
// After a crash or power cut at any moment, either the file's own name does not exist, or the file is complete. A
// temporary name that remains is removed by the next process that opens or creates the file.

import CTroveLMDB

enum NewFile {
    /// Creates a data file, unless another process or thread creates it first: then the existing file is used.
    static func create(_ dataFile: String, _ options: EnvironmentOptions) throws(LMDBError) {
        removeRemainders(of: dataFile)
        for attempt in 1... {
            do throws(LMDBError) {
                return try createOnce(dataFile, options)
            } catch  where error.code == .noSuchFile && attempt < 8 {
                // Removed as a leftover, in the moment before it was claimed; or the directory does not exist.
            }
        }
    }

    private static func createOnce(_ dataFile: String, _ options: EnvironmentOptions) throws(LMDBError) {
        let file = try UnfinishedFile(
            beside: dataFile, mode: options.fileMode, protection: options.fileProtection)
        try fill(file.path, options, dataFile)
        try file.publishUnlessTaken(flushing: !options.isTemporary)
    }

    /// Turns an empty file into an environment with its initial table.
    static func fill(_ path: String, _ options: EnvironmentOptions, _ dataFile: String) throws(LMDBError) {
        var made: OpaquePointer?
        let code = unsafe Calls.create(&made)
        guard code == 0, let environment = unsafe made else {
            throw LMDBError(.init(code), in: "mdb_env_create", path: dataFile)
        }
        defer { unsafe Calls.close(environment) }
        try run("mdb_env_set_maxdbs", dataFile) { unsafe Calls.setMaximumDatabases(environment, 1) }
        try run("mdb_env_open", dataFile) {
            let flags = MDB_NOSUBDIR | MDB_NOLOCK | (options.isTemporary ? MDB_NOSYNC : 0)
            return unsafe Calls.open(environment, path: path, flags: flags, mode: options.fileMode)
        }
        guard let table = options.initialTable else { return }
        var begun: TransactionPointer?
        try run("mdb_txn_begin", dataFile) {
            unsafe Calls.begin(environment, parent: nil, readOnly: false, &begun)
        }
        guard let transaction = unsafe begun else { return }
        do throws(LMDBError) {
            try unsafe put(table, transaction, dataFile)
        } catch {
            unsafe Calls.abort(transaction)
            throw error
        }
        try run("mdb_txn_commit", dataFile) { unsafe Calls.commit(transaction) }
    }

    private static func put(
        _ table: InitialTable, _ transaction: TransactionPointer, _ dataFile: String
    ) throws(LMDBError) {
        var handle: Handle = 0
        try run("mdb_dbi_open", dataFile) {
            unsafe Calls.openDatabase(transaction, table.name, create: true, &handle)
        }
        for entry in table.entries {
            try run("mdb_put", dataFile) {
                unsafe entry.key.withUnsafeBytes { key in
                    unsafe entry.value.withUnsafeBytes { value in
                        var (key, value) = unsafe (MDB_val(key), MDB_val(value))
                        return unsafe Calls.put(transaction, handle, &key, &value, 0)
                    }
                }
            }
        }
    }

    private static func run(_ operation: String, _ dataFile: String, _ call: () -> Int32) throws(LMDBError) {
        let code = call()
        guard code != 0 else { return }
        throw LMDBError(
            .init(writing: code, availableBytes: FileCalls.availableBytes(beside: dataFile)), in: operation,
            path: dataFile)
    }

    // MARK: Remainders

    private static let mark = ".creating-"
    private static let digits = 16

    static func temporaryName(for dataFile: String) -> String {
        let (directory, name) = FileCalls.split(dataFile)
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        return directory + "/" + stem(of: name) + String(repeating: "0", count: digits - number.count) + number
    }

    /// Returns the prefix of a file's temporary names: the file's name, shortened if necessary to leave room for the
    /// rest.
    private static func stem(of name: String) -> String {
        var stem = name
        while stem.utf8.count > 200 { stem.removeLast() }
        return stem + mark
    }

    /// Removes the leftovers of unfinished creations of a file.
    ///
    /// A creation in progress is left alone: it holds its claim. A file that cannot be inspected is left alone too.
    static func removeRemainders(of dataFile: String) {
        for path in temporaryPaths(of: dataFile) where FileClaim.isUnclaimed(path) { FileCalls.remove(path) }
    }

    /// Returns the number of temporary names of a file.
    static func temporaryNames(of dataFile: String, _ identity: FileIdentity) throws(LMDBError) -> Int {
        var count = 0
        for path in temporaryPaths(of: dataFile) where try FileCalls.status(of: path)?.identity == identity {
            count += 1
        }
        return count
    }

    private static func temporaryPaths(of dataFile: String) -> [String] {
        let (directory, name) = FileCalls.split(dataFile)
        let prefix = stem(of: name)
        let names = FileCalls.names(in: directory, withPrefix: prefix).filter { name in
            let number = name.dropFirst(prefix.count)
            return number.count == digits && number.allSatisfy { $0.isHexDigit && !$0.isUppercase }
        }
        return names.map { directory + "/" + $0 }
    }
}
