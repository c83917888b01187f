// The check of gathered texts: the texts of now, beside the texts as they were gathered last.

import LMDB
import TroveCoding

/// The records of an index of gathered text, a batch at a time, to be compared with the texts of now.
struct StaleTexts {
    /// A record, and its rows in the index.
    struct Record: Sendable {
        let key: [UInt8]
        /// The row of its words; nil if it is not in the index.
        let document: [UInt8]?
    }

    let schema: RecordSchema
    /// The position of the index among the indexes of the type.
    let place: Int

    /// Returns the next records that do not wait for their text, and the key of the last record looked at; nil at the
    /// end. An index that is not built has no records to compare.
    ///
    /// - Parameter key: The key before the first record; empty to begin with the first.
    func records(after key: [UInt8], in context: ReadContext) throws -> (records: [Record], last: [UInt8])? {
        guard let table = try context.table(for: schema), place < table.indexes.count, table.indexes[place].isReady,
            let text = table.indexes[place].text
        else { return nil }
        var keys: [[UInt8]] = []
        try context.keyspace.scan(table.database, ScanRange(after: key)) { key, _ in
            keys.append(copiedBytes(key))
            return keys.count < TextGathering.batchSize ? .continue : .stop
        }
        guard let last = keys.last else { return nil }
        let records = try keys.compactMap { key in try record(key, text, context) }
        return (records, last)
    }

    /// Returns a record; nil if it waits for its text.
    private func record(_ key: [UInt8], _ text: OpenText, _ context: ReadContext) throws -> Record? {
        if let waiting = text.parts.waiting, try WaitingRecords(waiting, context.keyspace).note(of: key) != nil {
            return nil
        }
        guard let id = try RecordNumbers(text.numbers, context.keyspace).number(of: key) else {
            return Record(key: key, document: nil)
        }
        return Record(key: key, document: try text.parts.documents.content(TextCheck.key(id), context.keyspace)?.copy())
    }

    /// Returns the records whose text of now is not in the index.
    ///
    /// - Parameters:
    ///   - records: Records as they were before their texts were gathered. Records that were saved or deleted since
    ///     are left out.
    ///   - texts: The text of each record; nil for a record without text.
    func differences(
        of records: [Record], _ texts: [String?], in context: ReadContext
    ) throws -> [IndexDifference] {
        guard let table = try context.table(for: schema), place < table.indexes.count,
            let text = table.indexes[place].text, let rule = schema.indexes[place].rule
        else { return [] }
        let checked = CheckedText(text, rule.analyzer, context.keyspace)
        return try zip(records, texts).compactMap { old, now in
            // A record that is not in the index, and a deleted record, both have no document.
            guard try context.keyspace.withEntry(table.database, old.key, { _, _ in }),
                let current = try record(old.key, text, context), current.document == old.document,
                try isStale(old, now, checked)
            else { return nil }
            return IndexDifference(
                type: schema.name, index: schema.indexes[place].text, kind: .stale, key: table.storedKey(old.key))
        }
    }

    private func isStale(_ record: Record, _ text: String?, _ checked: CheckedText) throws -> Bool {
        guard let text else { return record.document != nil }
        let columns = KeyWriter.bytes { TextColumn.encode(text, into: &$0) }
        return try ByteView.with(columns) { try checked.state(of: record.key, $0) } != .sound
    }
}

extension ReadContext {
    /// Compares the texts that are gathered in transactions with the texts of now.
    func staleTexts(of schema: RecordSchema) throws -> [IndexDifference] {
        var differences: [IndexDifference] = []
        for (place, index, gathering) in schema.gatherings {
            guard case .inTransaction(let gather) = gathering.source else { continue }
            let texts = StaleTexts(schema: schema, place: place)
            var last: [UInt8] = []
            while differences.count < IndexDifference.limit,
                let (records, end) = try texts.records(after: last, in: self)
            {
                let found: [String?]
                do {
                    found = records.isEmpty ? [] : try gather(records.map(\.key), self)
                } catch {
                    throw StoreError.gathering(error, for: index, of: schema)
                }
                differences += try texts.differences(of: records, found, in: self)
                last = end
            }
        }
        return differences
    }
}

extension Store {
    /// Compares the texts that are gathered outside of transactions with the texts of now.
    func staleTexts(of schema: RecordSchema) async throws -> [IndexDifference] {
        var differences: [IndexDifference] = []
        for (place, index, gathering) in schema.gatherings {
            guard case .inTask(let gather) = gathering.source else { continue }
            let texts = StaleTexts(schema: schema, place: place)
            var last: [UInt8] = []
            while differences.count < IndexDifference.limit {
                let start = last
                guard let (records, end) = try await read({ try texts.records(after: start, in: $0) }) else { break }
                let found: [String?]
                do {
                    found = records.isEmpty ? [] : try await gather(records.map(\.key), self)
                } catch {
                    throw StoreError.gathering(error, for: index, of: schema)
                }
                differences += try await read { try texts.differences(of: records, found, in: $0) }
                last = end
            }
        }
        return differences
    }
}
