// Random damage to the tables of a store: flipped bits and lost bytes of keys and values.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

extension Store {
    /// Damages a random entry of a random table.
    ///
    /// Half of the damaged records pass their checksum, as records changed by hand would.
    ///
    /// - Parameter isIncluded: Whether the records and the indexes of a type may be damaged.
    /// - Returns: The table and the key of the entry.
    func damageEntry(of isIncluded: (StoredType) -> Bool, using random: inout SeededGenerator) throws -> String {
        var tables: [(name: String, table: Database, seed: CRC32C?)] = []
        for type in try read({ try $0.storedTypes() }) where isIncluded(type) {
            tables.append((type.name, type.records, type.checksumSeed))
            tables += type.indexes.map { ("\(type.name), \($0.name)", $0.database, nil) }
        }
        let (name, table, seed) = try #require(tables.randomElement(using: &random))
        // Earlier damage may have removed the last entry.
        guard var entry = try entries(in: table).randomElement(using: &random) else { return "\(name) is empty" }
        let description = "\(name), \(entry.key)"
        try write { context in
            try context.keyspace.delete(table, entry.key)
            context.noteChange()
        }
        entry.damage(using: &random)
        if let seed, Bool.random(using: &random), entry.value.count >= StoredValue.headerSize,
            let version = entry.value.withRawSpan({ StoredValue.version(of: $0) })
        {
            StoredValue.seal(&entry.value, version, key: entry.key, seed: seed)
        }
        try put(entry, into: table)
        return description
    }
}

extension RawEntry {
    /// Flips a bit of the key or of the value, or removes bytes at the end of either.
    fileprivate mutating func damage(using random: inout SeededGenerator) {
        func flip(_ bytes: inout [UInt8]) {
            guard let place = bytes.indices.randomElement(using: &random) else { return }
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: flip(&key)
        case 1: flip(&value)
        case 2: value = Array(value.prefix(Int.random(in: 0...value.count, using: &random)))
        default: key = Array(key.prefix(Int.random(in: 1...key.count, using: &random)))
        }
    }
}
