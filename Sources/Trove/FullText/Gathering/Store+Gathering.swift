// The texts that are gathered outside of transactions.

import LMDB
import TroveCoding

extension Store {
    /// Gathers the texts of the records of a type that wait, for all its indexes that are gathered outside of
    /// transactions. The store does so by itself, unless ``StoreOptions/gathersTexts`` is false.
    ///
    /// The closures get at most 1,000 keys at a time. The texts of each call are stored in a transaction of their own.
    /// A record that is saved while its text is gathered waits on. Several tasks and processes may gather at the same
    /// time: then some texts are gathered twice, and each is stored once.
    ///
    /// If a closure throws for several keys, it is called again for each half of them, and so on. So only the records
    /// whose text cannot be gathered wait on, and not their neighbors. This ends after 20 calls in a row that throw:
    /// the rest of the batch waits on. Later batches are then divided only after a call that does not throw. A batch
    /// whose closure throws `CancellationError` is not divided.
    ///
    /// - Parameter type: The type.
    /// - Returns: The number of records that no longer wait, with and without a text.
    /// - Throws: ``StoreError/TextError/noGatheredText(type:)`` for a type without an index of gathered text;
    ///   ``StoreError/TextError/gatheringFailed(type:index:reason:)`` if a closure throws: all other batches and
    ///   indexes are gathered first. Of several errors, the first is thrown. `CancellationError`.
    /// - Complexity: O(*w*) calls and transactions in the number of waiting records, divided by 1,000. Each record
    ///   whose text cannot be gathered adds at most some 20 of them.
    @discardableResult
    public func gatherTexts<Record: IndexKeyRecord>(of type: Record.Type) async throws -> Int {
        try await gatherTexts(of: type.schema)
    }

    func gatherTexts(of schema: RecordSchema) async throws -> Int {
        guard !schema.gatherings.isEmpty else { throw StoreError.text(.noGatheredText(type: schema.name)) }
        var count = 0
        var failure: (any Error)?
        for (place, index, gathering) in schema.gatherings {
            guard case .inTask(let gather) = gathering.source else { continue }
            var last: [UInt8] = []
            var parts = GatheringParts()
            while true {
                try Task.checkCancellation()
                let (start, size) = (last, TextGathering.batchSize)
                let records = try await read { context in
                    try context.waiting(schema, place)?.records(after: start, atMost: size) ?? []
                }
                guard let end = records.last else { break }
                last = end.key
                parts.begin(records)
                while let part = parts.next() {
                    let texts: [String?]
                    do {
                        texts = try await gather(part.map(\.key), self)
                    } catch {
                        try Task.checkCancellation()
                        // Some records do not keep the others waiting.
                        parts.noteFailure(of: part, isCancelled: error is CancellationError)
                        failure = failure ?? StoreError.gathering(error, for: index, of: schema)
                        continue
                    }
                    parts.noteSuccess()
                    count += try await write { try $0.storeGathered(texts, of: part, schema, place) }
                }
            }
        }
        if let failure { throw failure }
        return count
    }

    /// Returns the number of records of a type whose text is to be gathered, in all its indexes of gathered text. They
    /// are not found by these indexes.
    ///
    /// - Parameter type: The type.
    /// - Throws: ``StoreError/TextError/noGatheredText(type:)`` for a type without an index of gathered text.
    /// - Complexity: O(1).
    @available(*, noasync, message: "await the call")
    public func waitingTexts<Record: IndexKeyRecord>(of type: Record.Type) throws -> Int {
        try read { try $0.waitingTexts(of: type.schema) }
    }

    /// The async form of `waitingTexts(of:)`.
    public func waitingTexts<Record: IndexKeyRecord>(of type: Record.Type) async throws -> Int {
        try await read { try $0.waitingTexts(of: type.schema) }
    }
}

extension ReadContext {
    /// Returns the number of records whose text is to be gathered.
    ///
    /// - Parameter isAsync: Whether only the indexes that are gathered outside of transactions count.
    func waitingTexts(of schema: RecordSchema, isAsync: Bool = false) throws -> Int {
        guard !schema.gatherings.isEmpty else { throw StoreError.text(.noGatheredText(type: schema.name)) }
        return try translatingErrors {
            try schema.gatherings.filter { !isAsync || $0.gathering.isAsync }.reduce(0) { count, index in
                try count + (waiting(schema, index.place)?.count() ?? 0)
            }
        }
    }

    /// Returns the waiting records of an index; nil without such a table.
    func waiting(_ schema: RecordSchema, _ place: Int) throws -> WaitingRecords? {
        // Without all of the declared indexes, the table knows none of them.
        guard let table = try table(for: schema), place < table.indexes.count else { return nil }
        return table.indexes[place].text?.parts.waiting.map { WaitingRecords($0, keyspace) }
    }
}
