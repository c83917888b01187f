// A set of keys on the disk, which finds equal keys.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A set of distinct keys in a temporary file without a name, so that the number of keys is limited only by the disk.
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

    /// - Throws: ``StoreError/keysCollide(type:key:records:)``.
    func insert(_ pairs: [Pair], of type: String) throws {
        try environment.write { transaction in
            for pair in pairs.sorted(by: { $0.new.lexicographicallyPrecedes($1.new) })
            where try !transaction.putIfAbsent(pair.old, for: pair.new, in: table) {
                let first = try transaction.get(pair.new, from: table) ?? []
                throw StoreError.keysCollide(type: type, key: pair.new, records: [first, pair.old])
            }
        }
    }
}
