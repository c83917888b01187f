// A query for a single record.

import TroveCoding

/// A query for a single record, by its key.
public struct RecordQuery<Record: IndexKeyRecord>: Sendable {
    /// The key.
    public let key: Record.IndexKey

    /// Returns the record; nil if no record has the key.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func resolve(in source: some RecordReadable) throws -> Record? { try source.get(Record.self, key: key) }
}
