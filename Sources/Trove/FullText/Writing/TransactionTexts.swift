// The full-text indexes of a write transaction: their writers, from the first change to the commit.

import LMDB
import TroveCoding
import TroveText

/// The writers of a transaction and of its nested transactions.
///
/// Depth 0 is the transaction itself. A writer that a nested transaction has opened ends with it, unless it commits.
final class TransactionTexts: TransactionPart {
    private struct Opened<Writer> {
        var writer: Writer
        /// The depth at which the writer was opened.
        var depth: Int
    }

    /// An index of gathered text whose records may wait.
    struct Gathered {
        let schema: RecordSchema
        /// The position of the index among the indexes of the type.
        let place: Int
        /// Whether its closure is running.
        var isRunning = false
    }

    private let knownWords: KnownWords
    /// The indexes with records that this transaction has noted (Gathering/).
    var gathered: [TableName: Gathered] = [:]
    /// The same at the begins of the enclosing nested transactions.
    private var enclosing: [[TableName: Gathered]] = []
    private var writers: [TableName: Opened<TextWriter>] = [:]
    private var numbers: [UInt32: Opened<RecordNumbers>] = [:]
    /// The writers whose indexes nested transactions have emptied, to be used again if these do not commit.
    private var closed: [(name: TableName, opened: Opened<TextWriter>, depth: Int)] = []

    init(in context: TransactionContext) { knownWords = context.catalog.knownWords }

    // MARK: Changes

    /// Stores the words of a record.
    ///
    /// - Parameters:
    ///   - columns: The texts of the record (TextColumn.swift).
    ///   - name: The name of the index's first table.
    func save(
        _ columns: ByteView, of key: [UInt8], by rule: TextRule, in text: OpenText, named name: TableName,
        keyspace: Keyspace, depth: Int
    ) throws {
        // A function of the application runs while no part of the transaction is in use.
        let tokens = try rule.analyzer.isCustom ? CollectedTokens(columns, rule, keyspace) : nil
        let id = try recordNumbers(text.numbers, name.keyPrefix, keyspace, depth: depth).assign(key)
        var offset = 0
        try writer(text, name, keyspace, depth: depth).write(id) { field, add in
            if let tokens { return try tokens.forEach(in: field, add) }
            try TextColumn.forEachWord(columns, from: &offset, rule.analyzer, add)
        }
    }

    /// Removes the words of a record.
    func remove(_ key: [UInt8], from text: OpenText, named name: TableName, keyspace: Keyspace, depth: Int) throws {
        guard let id = try recordNumbers(text.numbers, name.keyPrefix, keyspace, depth: depth).number(of: key)
        else { return }
        try writer(text, name, keyspace, depth: depth).remove(id)
    }

    /// Removes the number of a record that is in no full-text index any more.
    func removeNumber(
        of key: [UInt8], from text: OpenText, named name: TableName, keyspace: Keyspace, depth: Int
    ) throws {
        try recordNumbers(text.numbers, name.keyPrefix, keyspace, depth: depth).remove(key)
    }

    /// Removes the numbers of all records of a type.
    func removeNumbers(_ parts: RecordNumberParts, _ keyPrefix: UInt32, _ keyspace: Keyspace, depth: Int) throws {
        try recordNumbers(parts, keyPrefix, keyspace, depth: depth).removeAll()
    }

    private func writer(_ text: OpenText, _ name: TableName, _ keyspace: Keyspace, depth: Int) throws -> TextWriter {
        if let known = writers[name] { return known.writer }
        let words = knownWords.take(name, for: keyspace.core.identifier) ?? WordTable()
        let writer = try TextWriter(text.parts, keyspace, words)
        writers[name] = Opened(writer: writer, depth: depth)
        return writer
    }

    func recordNumbers(
        _ parts: RecordNumberParts, _ keyPrefix: UInt32, _ keyspace: Keyspace, depth: Int
    ) -> RecordNumbers {
        if let known = numbers[keyPrefix] { return known.writer }
        let opened = RecordNumbers(parts, keyspace)
        numbers[keyPrefix] = Opened(writer: opened, depth: depth)
        return opened
    }

    // MARK: Flushing

    /// Gathers the texts that a closure of the program has left.
    func finish(in context: TransactionContext) throws { try context.gatherTexts() }

    static var callsProgram: Bool { true }

    /// Gathers texts, and writes all changes into the indexes.
    func flush(in context: TransactionContext) throws {
        try context.gatherTexts()
        for opened in writers.values { try opened.writer.flush() }
        for opened in numbers.values { try opened.writer.flush() }
    }

    /// Writes the changes of the indexes of a type, and its next record number.
    func flush(_ keyPrefix: UInt32) throws {
        for (name, opened) in writers where name.keyPrefix == keyPrefix { try opened.writer.flush() }
        try flushNumbers(keyPrefix)
    }

    /// Writes the next record number of a type.
    func flushNumbers(_ keyPrefix: UInt32) throws { try numbers[keyPrefix]?.writer.flush() }

    /// Keeps the words of each index for the next transaction.
    func noteCommitted(_ transaction: Int, hasChangedTypes: Bool) {
        if hasChangedTypes { return }
        knownWords.keep(writers.mapValues { $0.writer.takeWords() ?? WordTable() }, after: transaction)
    }

    /// Forgets the writer of an index that is emptied.
    func close(_ name: TableName, depth: Int) {
        guard let opened = writers.removeValue(forKey: name), opened.depth < depth else { return }
        closed.append((name, opened, depth))
    }

    // MARK: Nested transactions

    func beginNested(_ context: TransactionContext) {
        let keyspace = context.keyspace
        enclosing.append(gathered)
        for opened in writers.values { opened.writer.beginNested(keyspace) }
        for opened in numbers.values { opened.writer.beginNested(keyspace) }
        for (_, opened, _) in closed { opened.writer.beginNested(keyspace) }
    }

    func endNested(in context: TransactionContext, isCommitted: Bool) {
        let keyspace = context.keyspace
        let depth = context.depth + 1
        let noted = enclosing.popLast() ?? [:]
        if !isCommitted {
            gathered = noted
            writers = writers.filter { $0.value.depth < depth }
            numbers = numbers.filter { $0.value.depth < depth }
            for (name, opened, closedAt) in closed where closedAt >= depth { writers[name] = opened }
            closed.removeAll { $0.depth >= depth }
        }
        for name in Array(writers.keys) {
            if writers[name]?.depth ?? 0 < depth {
                writers[name]?.writer.endNested(keyspace, isCommitted: isCommitted)
            } else {
                writers[name]?.writer.move(to: keyspace)
                writers[name]?.depth = depth - 1
            }
        }
        for prefix in Array(numbers.keys) {
            if numbers[prefix]?.depth ?? 0 < depth {
                numbers[prefix]?.writer.endNested(keyspace, isCommitted: isCommitted)
            } else {
                numbers[prefix]?.writer.move(to: keyspace)
                numbers[prefix]?.depth = depth - 1
            }
        }
        for index in closed.indices {
            closed[index].opened.writer.endNested(keyspace, isCommitted: isCommitted)
            closed[index].depth = min(closed[index].depth, depth - 1)
        }
        closed.removeAll { $0.opened.depth >= $0.depth }
    }
}

extension TransactionContext {
    /// Removes the numbers of all records of a type, whose full-text indexes are empty. None of them is given again.
    func emptyRecordNumbers(_ keyPrefix: UInt32) throws {
        guard let parts = try recordNumberParts(keyPrefix) else { return }
        try texts.removeNumbers(parts, keyPrefix, keyspace, depth: depth)
    }

    /// Returns whether the record numbers of a type contradict each other nowhere.
    func hasSoundRecordNumbers(_ keyPrefix: UInt32) throws -> Bool {
        guard let parts = try recordNumberParts(keyPrefix) else { return true }
        do {
            try texts.flushNumbers(keyPrefix)
        } catch StoreError.record(.indexDamaged) {
            return false
        }
        return try parts.isSound(keyspace)
    }

    private func recordNumberParts(_ keyPrefix: UInt32) throws -> RecordNumberParts? {
        for name in RecordNumberParts.names(keyPrefix) where try !keyspace.hasTable(named: name.text) { return nil }
        return try RecordNumberParts(
            RecordNumberParts.name(keyPrefix), type: TableName.hexadecimal(keyPrefix),
            verifiesChecksums: verifiesChecksums, keyspace.openTable)
    }

    /// The full-text indexes that this transaction has changed.
    var texts: TransactionTexts { part(TransactionTexts.self) }

    /// Stores the words of a record in a full-text index. The record no longer waits for its text. If it throws, the
    /// transaction cannot commit.
    ///
    /// - Parameter columns: The texts of the record.
    func saveText(_ columns: ArraySlice<UInt8>, of key: RawSpan, _ index: Int, _ table: RecordTable) throws {
        guard let (rule, text, name) = text(at: index, table) else { return }
        try poisoningIfDamaged(text) {
            try ByteView.with(columns) { columns in
                try texts.save(
                    columns, of: copiedBytes(key), by: rule, in: text, named: name, keyspace: keyspace, depth: depth)
            }
            if let waiting = text.parts.waiting { try WaitingRecords(waiting, keyspace).remove(copiedBytes(key)) }
        }
    }

    /// Removes the words of a record from a full-text index. The record no longer waits for its text. If it throws, the
    /// transaction cannot commit.
    func removeText(of key: RawSpan, _ index: Int, _ table: RecordTable) throws {
        guard let (_, text, name) = text(at: index, table) else { return }
        try poisoningIfDamaged(text) {
            try texts.remove(copiedBytes(key), from: text, named: name, keyspace: keyspace, depth: depth)
            if let waiting = text.parts.waiting { try WaitingRecords(waiting, keyspace).remove(copiedBytes(key)) }
        }
    }

    /// Removes the number of a removed record. If it throws, the transaction cannot commit.
    ///
    /// - Parameter index: The position of a full-text index of the type: they share the numbers.
    func removeRecordNumber(_ key: RawSpan, _ index: Int, _ table: RecordTable) throws {
        guard let (_, text, name) = text(at: index, table) else { return }
        try poisoningIfDamaged(text) {
            try texts.removeNumber(of: copiedBytes(key), from: text, named: name, keyspace: keyspace, depth: depth)
        }
    }

    /// The record and its other entries are written already: without its words, they must not be committed.
    func poisoningIfDamaged(_ text: OpenText, _ body: () throws -> Void) throws {
        try poisoningIfDamaged(text.parts.documents.database, body)
    }

    private func text(at index: Int, _ table: RecordTable) -> (TextRule, OpenText, TableName)? {
        let target = table.indexes[index]
        guard let text = target.text, let rule = table.schema.indexes[index].rule else { return nil }
        let number = TableNumber(rawValue: target.number)
        return (rule, text, TableName(keyPrefix: table.schema.keyPrefix, table: number))
    }
}
