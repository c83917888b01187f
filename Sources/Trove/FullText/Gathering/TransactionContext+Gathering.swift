// Gathered text in a write transaction.
//
//     save            note the key as waiting · gathered later: remove the old text
//     search, commit  call the closures of the transaction with the waiting keys, store the texts, remove the notes
//     regather        as a save
//
// The notes are rows of a table of the index, so a nested transaction that is undone takes its notes along.

import LMDB
import TroveCoding

extension TransactionContext {
    // MARK: Notes

    /// Notes a saved record for an index of gathered text; does nothing for an index of the records' own text. If it
    /// throws, the transaction cannot commit.
    ///
    /// - Parameter place: The position of the index among the indexes of the type.
    func noteForGathering(_ key: RawSpan, _ place: Int, _ table: RecordTable) throws {
        guard let gathering = table.schema.indexes[place].rule?.gathering else { return }
        try wait(for: gathering, of: key, place, table)
    }

    /// Notes a record whose text is to be gathered. If it throws, the transaction cannot commit.
    ///
    /// - Parameter place: The position of the index among the indexes of the type.
    private func wait(for gathering: TextGathering, of key: RawSpan, _ place: Int, _ table: RecordTable) throws {
        // The record is not found by a text that may be wrong.
        if gathering.isAsync { try removeText(of: key, place, table) }
        guard let text = table.indexes[place].text, let waiting = text.parts.waiting else { return }
        try poisoningIfDamaged(text) {
            let commit = try catalogStorage().number(.commitSequence) + 1
            try WaitingRecords(waiting, keyspace).add(copiedBytes(key), note: commit)
            texts.noteGathering(table.schema, place, table.textName(place))
        }
        noteChange()
        changedKeys.note(table.schema.keyPrefix, key)
    }

    /// Notes records for an index that is being built, unless they have a text or wait: a save, or an interrupted
    /// build, has noted them. Texts that the transaction gathers are gathered at once.
    ///
    /// - Parameters:
    ///   - keys: The keys of stored records.
    ///   - place: The position of the index among the indexes of the type.
    func gatherForBuild(_ keys: some Sequence<ArraySlice<UInt8>>, _ place: Int, _ table: RecordTable) throws {
        guard let gathering = table.schema.indexes[place].rule?.gathering, let text = table.indexes[place].text,
            let waiting = text.parts.waiting
        else { return }
        let name = table.textName(place)
        for key in keys.lazy.map(Array.init) {
            if try WaitingRecords(waiting, keyspace).note(of: key) != nil { continue }
            if try texts.hasWords(of: key, in: text, named: name, keyspace: keyspace, depth: depth) { continue }
            try key.withRawSpan { try wait(for: gathering, of: $0, place, table) }
        }
        try gatherTexts(name)
    }

    // MARK: Gathering

    /// Gathers the texts of the records that this transaction has noted, for the indexes that are gathered in
    /// transactions. Closures that are running see the texts that their index has so far.
    func gatherTexts() throws {
        for name in texts.gatheringNames { try gatherTexts(name) }
    }

    private func gatherTexts(_ name: TableName) throws {
        guard let (schema, place) = texts.beginGathering(name) else { return }
        defer { texts.endGathering(name) }
        guard case .inTransaction(let gather)? = schema.indexes[place].rule?.gathering?.source,
            let table = try table(for: schema), table.indexes.indices.contains(place),
            let waiting = table.indexes[place].text?.parts.waiting
        else { return }
        while true {
            let records = try WaitingRecords(waiting, keyspace).records(after: [], atMost: TextGathering.batchSize)
            if records.isEmpty { return }
            let found: [String?]
            do {
                found = try nested { context in try gather(records.map(\.key), GatheringContext(context)) }
            } catch {
                throw StoreError.gathering(error, for: schema.indexes[place], of: schema)
            }
            for (record, text) in zip(records, found) { try store(text, of: record.key, place, table) }
        }
    }

    /// Stores the gathered text of a record, which then no longer waits. If it throws, the transaction cannot commit.
    ///
    /// - Parameter text: The text; nil to remove the record from the index.
    private func store(_ text: String?, of key: [UInt8], _ place: Int, _ table: RecordTable) throws {
        try key.withRawSpan { key in
            guard let text else { return try removeText(of: key, place, table) }
            let columns = KeyWriter.bytes { TextColumn.encode(text, into: &$0) }
            try saveText(columns[...], of: key, place, table)
        }
    }

    /// Stores texts that were gathered outside of this transaction. Records that were noted since then wait on.
    ///
    /// - Parameters:
    ///   - records: The records as they were before their texts were gathered.
    ///   - texts: The text of each record; nil for a record without text.
    ///   - place: The position of the index among the indexes of the type.
    /// - Returns: The number of records that no longer wait.
    func storeGathered(
        _ texts: [String?], of records: [WaitingRecords.Record], _ schema: RecordSchema, _ place: Int
    ) throws -> Int {
        let table = try tableForWriting(schema).table
        guard place < table.indexes.count, let waiting = table.indexes[place].text?.parts.waiting else { return 0 }
        var count = 0
        for (record, text) in zip(records, texts)
        where try WaitingRecords(waiting, keyspace).note(of: record.key) == record.note {
            try store(text, of: record.key, place, table)
            noteChange()
            record.key.withRawSpan { changedKeys.note(schema.keyPrefix, $0) }
            count += 1
        }
        return count
    }
}

extension RecordTable {
    /// Returns the name of the first table of a full-text index.
    func textName(_ place: Int) -> TableName {
        TableName(keyPrefix: schema.keyPrefix, table: TableNumber(rawValue: indexes[place].number))
    }
}

extension TransactionTexts {
    /// Notes that records of an index wait in this transaction.
    func noteGathering(_ schema: RecordSchema, _ place: Int, _ name: TableName) {
        gathered[name] = Gathered(schema: schema, place: place, isRunning: gathered[name]?.isRunning ?? false)
    }

    /// The indexes with records that may wait, in a fixed order.
    var gatheringNames: [TableName] { gathered.keys.sorted { $0.text < $1.text } }

    /// Returns the type and the position of an index, whose closure is called next; nil if its closure is running.
    func beginGathering(_ name: TableName) -> (RecordSchema, Int)? {
        guard let index = gathered[name], !index.isRunning else { return nil }
        gathered[name]?.isRunning = true
        return (index.schema, index.place)
    }

    func endGathering(_ name: TableName) { gathered[name]?.isRunning = false }

    /// Returns whether a record is in the index.
    func hasWords(
        of key: [UInt8], in text: OpenText, named name: TableName, keyspace: Keyspace, depth: Int
    ) throws -> Bool {
        guard let id = try recordNumbers(text.numbers, name.keyPrefix, keyspace, depth: depth).number(of: key)
        else { return false }
        return try TextReader(text.parts, keyspace).hasDocument(id)
    }
}
