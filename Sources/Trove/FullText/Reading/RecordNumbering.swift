// The numbers of a type's records, for a search: from an index or from a scan.

/// The numbers of a type's records.
protocol RecordNumbering {
    /// Returns the number of a record; nil if it has none.
    func number(of key: [UInt8]) throws -> UInt64?

    /// Returns the key of a record; nil if no record has the number.
    func recordKey(of number: UInt64) throws -> [UInt8]?
}

extension RecordNumbers: RecordNumbering {
    func recordKey(of number: UInt64) throws -> [UInt8]? { try key(of: number)?.copy() }
}
