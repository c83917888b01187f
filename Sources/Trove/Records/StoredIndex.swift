// What a store knows of its indexes and unique constraints, without the Swift types that declare them.

import LMDB
import TroveCoding

/// An index or a unique constraint as a store knows it.
public struct StoredIndex: Sendable {
    /// Its name, such as `index(age)`.
    public let name: String
    /// The types of its properties, and its condition where it has one.
    public let definition: String
    /// Whether it has the entries of all records, so that queries use it.
    public var isReady: Bool { table.isReady }
    /// How many records it has the entries of, where it is not ready.
    public var done: Int { Int(table.state.done) }
    /// How many rows there are.
    public let count: Int
    /// The bytes of the pages that hold them.
    public let size: Int
    let table: CatalogIndex
    let number: UInt32
    let rows: Database
    let checksumSeed: CRC32C
}

extension ReadContext {
    /// The indexes of a type, in the order in which they were made.
    func storedIndexes(of type: CatalogType, _ keyPrefix: UInt32) throws -> [StoredIndex] {
        let databases = image.indexes(keyPrefix)
        return try type.indexes.sorted { $0.key < $1.key }.compactMap { number, table in
            guard let rows = databases[number] else { return nil }
            let tree = try keyspace.statistics(of: rows)
            let name = TableName(keyPrefix: keyPrefix, table: TableNumber(rawValue: number))
            return StoredIndex(
                name: table.text, definition: table.definition, count: tree.entries, size: tree.size, table: table,
                number: number, rows: rows, checksumSeed: name.checksumSeed)
        }
    }
}

extension DatabaseStatistics {
    /// The bytes of its pages.
    var size: Int { (branchPages + leafPages + overflowPages) * pageSize }
}
