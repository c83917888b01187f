// A query for a single record, bound to a context.

import TroveCoding

/// A ``RecordQuery`` together with a context or a store.
public struct BoundRecordQuery<Record: IndexKeyRecord, Source: RecordReadable> {
    /// The key.
    public let key: Record.IndexKey
    /// The context.
    public let source: Source

    @usableFromInline
    init(key: Record.IndexKey, in source: Source) {
        self.key = key
        self.source = source
    }

    /// Returns the record; nil if no record has the key.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func resolve() throws -> Record? { try source.get(Record.self, key: key) }
}
