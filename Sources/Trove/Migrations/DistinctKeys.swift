// A set of keys on the disk, to find equal keys.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A set of distinct keys in a temporary file without a name: only the disk limits the number of keys.
struct DistinctKeys {
    /// A record's current key and its new key.
    struct Pair {
        var old: [UInt8]
        var new: [UInt8]
    }

    private let environment: Environment
    private let table: Database

    init() throws {
        var options = EnvironmentOptions(durability: .noSync)
        options.isTemporary = true
        let name = "trove-keys-" + UUID().uuidString
        environment = try Environment(
            path: FileManager.default.temporaryDirectory.appendingPathComponent(name).path, options: options)
        table = try environment.createDatabase("keys")
    }

    /// - Parameter source: The table of the records with their current keys.
    /// - Throws: ``StoreError/SchemaError/keysCollide(type:key:records:)``.
    func insert(_ pairs: [Pair], from source: RecordTable) throws {
        try environment.write { transaction in
            for pair in pairs.sorted(by: { $0.new.lexicographicallyPrecedes($1.new) })
            where try !transaction.putIfAbsent(pair.old, for: pair.new, in: table) {
                let first = try transaction.get(pair.new, from: table) ?? []
                throw StoreError.schema(
                    .keysCollide(
                        type: source.schema.name, key: source.schema.storedKey(pair.new),
                        records: [first, pair.old].map(source.storedKey)))
            }
        }
    }
}
