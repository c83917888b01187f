// The reading of every record before any is rewritten: a migration that fails leaves the store as it was.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TypeMigration {
    /// Converts every record, and keeps none of them.
    ///
    /// - Throws: ``StoreError`` with the first record that does not convert, or whose new key another record has.
    func validate(in store: @autoclosure () throws -> Store, _ progress: (MigrationProgress) -> Void) throws {
        let keys = canCollide ? try translatingErrors { try DistinctKeys() } : nil
        var step = MigrationProgress(type: typeName, phase: .validating, done: 0, total: count)
        var new = EncodedRecord()
        var last = LastMethod()
        var newKeys: [DistinctKeys.Pair] = []
        progress(step)
        try Self.walk(source, in: store()) { key, value in
            step.done += 1
            if try rewrite(key, value, &last, into: &new), keys != nil {
                newKeys.append(DistinctKeys.Pair(old: copiedBytes(key), new: new.key))
            }
            return .continue
        } afterEachRead: {
            try translatingErrors { try keys?.insert(newKeys, of: type.schema.name) }
            newKeys.removeAll(keepingCapacity: true)
            progress(step)
        }
    }

    /// Makes the present bytes of a stored record, which the type itself has read where that can fail; false for one that
    /// has them.
    func rewrite(
        _ key: RawSpan, _ value: RawSpan, _ last: inout LastMethod, into new: inout EncodedRecord
    ) throws -> Bool {
        let version = try source.version(of: key, value)
        guard version != source.fieldsVersion || changesKeys else { return false }
        try source.verify(key, value)
        let fields = value.extracting(droppingFirst: StoredValue.headerSize)
        let method: MigrationMethod
        if let known = last.method, last.version == version {
            method = known
        } else {
            method = try type.findMethod(key, fields, version, source)
            last = LastMethod(version: version, method: method)
        }
        try type.rewrite(key, fields, version, method, source, &new)
        return true
    }

    /// How the last record was read: most likely the next one is read so too.
    struct LastMethod {
        var version: UInt32 = 0
        var method: MigrationMethod?
    }

    /// Walks over all records in several reads, each of them short: a longer one would keep pages from being used again.
    ///
    /// - Parameters:
    ///   - body: Receives each key and its value, and says whether to go on.
    ///   - afterEachRead: Runs between two reads, and after the last.
    static func walk(
        _ table: RecordTable, in store: @autoclosure () throws -> Store,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanControl, afterEachRead: () throws -> Void = {}
    ) throws {
        var position: [UInt8]? = []
        while let start = position {
            position = try store().read { context in
                let deadline = ContinuousClock.now + .milliseconds(50)
                var (walked, last): (Int, [UInt8]?) = (0, nil)
                try translatingErrors {
                    try context.keyspace.scan(table.database, range(after: start)) { key, value in
                        guard try body(key, value) == .continue else { return .stop }
                        walked += 1
                        guard walked % 64 == 0, ContinuousClock.now > deadline else { return .continue }
                        last = copiedBytes(key)
                        return .stop
                    }
                }
                return last
            }
            try afterEachRead()
        }
    }

    /// The keys beyond one.
    static func range(after position: [UInt8]) -> ScanRange {
        position.isEmpty ? ScanRange() : ScanRange(from: KeyRange.all.after(position).lower)
    }
}

/// Keys of which no two may be the same: as many as a disk holds, in a file without a name.
struct DistinctKeys {
    /// The key that a record has, and the one that it is to get.
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
