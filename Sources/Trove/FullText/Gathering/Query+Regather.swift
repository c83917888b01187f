// Gathers the texts of a query's records again.

import LMDB
import TroveCoding

extension Query {
    /// Gathers the texts of the matching records again, as a save of each of them would: for records whose texts
    /// come from other records, or from files, that have changed.
    ///
    /// ```swift
    /// try context.insert(author)
    /// try Post.filter(\.author == author.id).regather(in: context)
    /// ```
    ///
    /// Texts that are gathered in transactions are gathered before the transaction's next search of words, or at its
    /// commit. The others are removed, and their records wait: see ``Store/gatherTexts(of:)``. The records themselves
    /// are not changed.
    ///
    /// - Parameter destination: The context of a write transaction, or a store.
    /// - Returns: The number of matching records.
    /// - Throws: ``StoreError/TextError/noGatheredText(type:)`` for a type without an index of gathered text;
    ///   ``StoreError/TextError/gatheringFailed(type:index:reason:)`` from a store.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func regather(in destination: some RecordWritable) throws -> Int {
        guard !Record.schema.gatherings.isEmpty else {
            throw StoreError.text(.noGatheredText(type: Record.schema.name))
        }
        return try destination.writing { context in
            let keys = try keys(in: context)
            guard !keys.isEmpty else { return 0 }
            return try translatingErrors {
                let table = try context.tableForWriting(Record.schema).table
                for key in keys {
                    try KeyWriter.bytes(of: key).withRawSpan { try context.follow($0, isRemoved: false, in: table) }
                }
                return keys.count
            }
        }
    }
}

extension Bound where Source: RecordWritable {
    /// Gathers the texts of the matching records again, and returns their number; see `Query.regather(in:)`.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func regather<Record>() throws -> Int where Request == Query<Record> { try request.regather(in: source) }
}

extension Query {
    /// The async form of `regather(in:)`.
    @discardableResult
    public func regather(in store: Store) async throws -> Int { try await store.write { try regather(in: $0) } }
}

extension Bound where Source == Store {
    /// The async form of `regather()`.
    @discardableResult
    public func regather<Record>() async throws -> Int where Request == Query<Record> {
        try await request.regather(in: source)
    }
}
