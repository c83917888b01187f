// The code that writes the records of a table: the code of their type, or their layout alone.

import CSQLite
import Trove
import TroveCoding

/// The code that writes the records of a table.
protocol RecordStorage: AnyObject {
    /// The layout of the records.
    var layout: RecordLayout { get }

    /// Returns the fields of a stored record in the layout; nil if there is no such record.
    func fields(ofRecordWithKey key: [UInt8], in context: TransactionContext) throws -> [UInt8]?

    /// Stores a record. Returns false if a rule of the type has left it unsaved.
    ///
    /// - Parameter replaces: Whether a stored record with the key is replaced.
    func save(key: [UInt8], fields: [UInt8], replaces: Bool, in context: TransactionContext) throws -> Bool

    /// Removes a record. Returns whether it existed.
    func remove(key: [UInt8], in context: TransactionContext) throws -> Bool

    /// Returns whether records can have links, which know them by their keys.
    func canHaveLinks(in context: ReadContext) throws -> Bool
}

extension StoredRecordWriter: RecordStorage {
    func save(key: [UInt8], fields: [UInt8], replaces: Bool, in context: TransactionContext) throws -> Bool {
        try store(key: key, fields: fields, replaces: replaces, in: context)
        return true
    }

    // A type with relations has no such writer.
    func canHaveLinks(in context: ReadContext) -> Bool { false }
}

extension Connection {
    /// Returns the code that writes the records of a table in the transaction of the call that runs.
    ///
    /// - Throws: ``SQLError`` if neither the program nor the layout can write them.
    func storage(of table: SQLTable, in context: TransactionContext) throws -> any RecordStorage {
        guard table.stored.type == nil, options.writesStoredTypes else { return try table.writtenType.get() }
        if let known = storedWriters[table.stored.keyPrefix] { return known }
        do {
            let writer = try StoredRecordWriter(
                of: table.stored, StatementCall.analyzers, leavesEmptied: options.emptiesIndexes, in: context)
            storedWriters[table.stored.keyPrefix] = writer
            return writer
        } catch let obstacle as WriteObstacle {
            throw refusal(of: table, obstacle)
        }
    }

    private func refusal(of table: SQLTable, _ obstacle: WriteObstacle) -> SQLError {
        SQLError(
            code: SQLITE_READONLY, message: "\(table.name) cannot be written: \(obstacle.reason(isOfCommand: true))")
    }

    /// Returns the reason why the records of a table cannot be written; nil if they can.
    func refusal(ofWriting table: SQLTable, in context: ReadContext) throws -> SQLError? {
        guard table.stored.type == nil, options.writesStoredTypes else {
            if case .failure(let error) = table.writtenType { return error }
            return nil
        }
        let obstacle = try context.obstacle(
            toWriting: table.stored, StatementCall.analyzers, leavesEmptied: options.emptiesIndexes)
        if case .indexes? = obstacle, options.emptiesIndexes { return nil }
        return obstacle.map { refusal(of: table, $0) }
    }

    /// Empties the indexes of the tables that a statement writes, if only their programs can maintain them.
    ///
    /// - Returns: The names of the indexes, with their tables.
    /// - Throws: ``SQLError`` for a table that cannot be written, also if the statement would change no row.
    func emptyIndexes(of statement: Statement, in context: TransactionContext) throws -> [String] {
        guard options.writesStoredTypes, !statement.isExplanation else { return [] }
        return try statement.writtenTables.filter { $0.stored.type == nil }.flatMap { table -> [String] in
            if let refusal = try refusal(ofWriting: table, in: context) { throw refusal }
            guard options.emptiesIndexes else { return [] }
            return try context.emptyUnmaintainedIndexes(of: table.stored, StatementCall.analyzers).map {
                "\(table.name), \($0)"
            }
        }
    }
}

extension WriteObstacle {
    /// The reason in a sentence.
    ///
    /// - Parameter isOfCommand: Whether the sentence names options of the command.
    func reason(isOfCommand: Bool) -> String {
        switch self {
        case .follows(let type): "the store itself keeps these records of \(type)."
        case .isFollowed(let type): "the store also keeps \(type) of its entities, which only its program writes."
        case .history: "they are the history of the store, which each commit writes."
        case .relations: "only its program knows the rules of its relations."
        case .layout(let layout): "only its program can read the layout \(layout), a part of which is written by hand."
        case .olderRecords:
            "it can have records of an older layout. Open the store with its program, which migrates them."
        case .indexes(let names):
            "only its program can maintain \(names.joined(separator: ", "))."
                + (isOfCommand
                    ? " trove sql --write --empty-indexes empties them, and their program rebuilds them." : "")
        case .duplicates(let names):
            "\(names.joined(separator: ", ")) can have duplicate values, or is not built yet, so only its program can check "
                + "new values. Open the store with its program."
        }
    }
}

extension ReadContext {
    /// Returns the tables of records, with the reason why only a program can write each; nil for a table that can be
    /// written by its layout.
    package final func sqlWriteObstacles() throws -> [(table: String, reason: String?)] {
        try ConnectionPool.withConnection(of: self, StatementCall.options) { connection in
            try connection.tables.filter(\.kind.isOfRecords).map { table in
                let emptiesIndexes = StatementCall.options.emptiesIndexes
                let obstacle = try obstacle(
                    toWriting: table.stored, StatementCall.analyzers, leavesEmptied: emptiesIndexes)
                if case .indexes? = obstacle, emptiesIndexes { return (table.name, nil) }
                return (table.name, obstacle?.reason(isOfCommand: false))
            }
        }
    }
}
