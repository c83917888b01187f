// The databases of a transaction: opened, created, or looked up in the main table.

import CTroveLMDB

extension TransactionCore {
    func openHandle(_ name: String, create: Bool) throws(LMDBError) -> Database {
        guard let environment, let pointer = unsafe pointer else { throw refused(.transactionEnded, in: "open") }
        guard (1...Calls.maximumKeySize).contains(name.utf8.count), !name.utf8.contains(0) else {
            throw LMDBError(.badDatabaseName, in: "open", path: environment.path, database: name)
        }
        var handle: Handle = 0
        let code = unsafe Calls.openDatabase(pointer, name, create: create, &handle)
        switch LMDBError.Code(code) {
        case _ where code == 0: break
        case .keyNotFound, .incompatible:
            let reason = code == MDB_NOTFOUND ? LMDBError.Code.databaseNotFound : .incompatible
            throw LMDBError(reason, in: "mdb_dbi_open", path: environment.path, database: name)
        case .tooManyDatabases:
            throw LMDBError(
                .tooManyDatabases, in: "mdb_dbi_open", path: environment.path, database: name,
                limit: environment.options.maximumDatabases)
        default: throw failed(code, in: "mdb_dbi_open")
        }
        var flags: UInt32 = 0
        _ = unsafe Calls.flags(pointer, handle, &flags)
        guard flags & UInt32(MDB_DUPSORT | MDB_INTEGERKEY | MDB_REVERSEKEY) == 0 else {
            throw LMDBError(.incompatible, in: "mdb_dbi_open", path: environment.path, database: name)
        }
        return Database(name: name, handle: handle, environment: ObjectIdentifier(environment), creator: serial)
    }

    /// Creates a database, or returns the existing database. A new handle is usable elsewhere only after the commit.
    package func createDatabase(_ name: String) throws(LMDBError) -> Database {
        if let known = try database(named: name) { return known }
        let database = try openHandle(name, create: true)
        created.append(database)
        changes += 1
        return database
    }

    /// Returns the database with a name in this transaction; nil if it does not exist.
    package func database(named name: String) throws(LMDBError) -> Database? {
        if let own = createdDatabase(named: name) { return own }
        if let known = environment?.database(named: name), known.isPublished(by: knownPublications) { return known }
        guard try hasDatabase(named: name) else { return nil }
        guard !isReadOnly else {
            throw LMDBError(.databaseNotUsable, in: "database", path: path, database: name)
        }
        let database = try openHandle(name, create: false)
        created.append(database)
        return database
    }

    private func createdDatabase(named name: String) -> Database? {
        created[name] ?? parent?.createdDatabase(named: name)
    }
}

// MARK: The main table, which names the databases and is never handed out

extension TransactionCore {
    private static var mainHandle: Handle { 1 }

    /// Returns whether this snapshot contains a database: a lookup in the main table, without a handle of the database.
    package func hasDatabase(named name: String) throws(LMDBError) -> Bool {
        guard let pointer = unsafe pointer else { throw refused(.transactionEnded, in: "database") }
        guard !name.utf8.contains(0) else {
            throw LMDBError(.badDatabaseName, in: "open", path: path, database: name)
        }
        var name = PageLayout.loaded.hasTerminatedNames ? name + "\0" : name
        var value = unsafe MDB_val()
        let code = name.withUTF8 { bytes in
            var key = unsafe MDB_val(UnsafeRawBufferPointer(bytes))
            return unsafe Calls.get(pointer, Self.mainHandle, &key, &value)
        }
        if code == MDB_NOTFOUND || code == MDB_BAD_VALSIZE { return false }
        guard code == 0 else { throw failed(code, in: "mdb_get") }
        return true
    }

    /// Returns the names of all databases in this snapshot, in byte order.
    package func databaseNames() throws(LMDBError) -> [String] {
        guard let pointer = unsafe pointer else { throw refused(.transactionEnded, in: "databaseNames") }
        var made: CursorPointer?
        var code = unsafe Calls.openCursor(pointer, Self.mainHandle, &made)
        guard code == 0, let cursor = unsafe made else { throw failed(code, in: "mdb_cursor_open") }
        defer { unsafe Calls.close(cursor: cursor) }
        var names: [String] = []
        var key = unsafe MDB_val()
        var value = unsafe MDB_val()
        code = unsafe Calls.get(cursor, &key, &value, MDB_FIRST)
        while code == 0 {
            let bytes = unsafe PageLayout.loaded.hasTerminatedNames ? key.bytes.dropLast() : key.bytes[...]
            unsafe names.append(String(decoding: bytes, as: UTF8.self))
            code = unsafe Calls.get(cursor, &key, &value, MDB_NEXT)
        }
        guard code == MDB_NOTFOUND else { throw failed(code, in: "mdb_cursor_get") }
        return names
    }
}
