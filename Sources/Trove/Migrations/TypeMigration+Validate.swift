// Validation of every record before any record is rewritten: a failed migration leaves the store unchanged.

import LMDB
import TroveCoding

extension TypeMigration {
    /// Converts every record, and discards the results.
    ///
    /// - Throws: ``StoreError`` with the first record that does not convert, or has the same new key as another record.
    func validate(in store: @autoclosure () throws -> Store, _ progress: (MigrationProgress) -> Void) throws {
        let keys = canCollide ? try translatingErrors { try DistinctKeys() } : nil
        var step = MigrationProgress(type: typeName, phase: .validating, done: 0, total: count)
        var new = EncodedRecord()
        var last = LastMethod()
        var newKeys: [DistinctKeys.Pair] = []
        progress(step)
        try Self.scan(source, in: store()) { key, value in
            step.done += 1
            if try rewrite(key, value, &last, into: &new), keys != nil {
                newKeys.append(DistinctKeys.Pair(old: copiedBytes(key), new: new.key))
            }
            return .continue
        } afterEachRead: {
            try translatingErrors { try keys?.insert(newKeys, from: source) }
            newKeys.removeAll(keepingCapacity: true)
            progress(step)
        }
    }

    /// Converts a stored record to its current bytes. The type decodes the result if decoding can fail. Returns false
    /// if the record already has the current layout.
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
            method = try type.method(for: key, fields, from: version, in: source)
            last = LastMethod(version: version, method: method)
        }
        try type.rewrite(key, fields, from: version, by: method, in: source, into: &new)
        return true
    }

    /// The method for the last record. The next record most likely has the same version.
    struct LastMethod {
        var version: UInt32 = 0
        var method: MigrationMethod?
    }

    /// Scans all records in several short read transactions: a long transaction would keep freed pages from being
    /// reused.
    ///
    /// - Parameters:
    ///   - body: Receives each key and its value, and returns whether to continue.
    ///   - afterEachRead: Runs between two reads, and after the last read.
    static func scan(
        _ table: RecordTable, in store: @autoclosure () throws -> Store,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanControl, afterEachRead: () throws -> Void = {}
    ) throws {
        var position: [UInt8]? = []
        while let start = position {
            position = try store().readToEnd { context in
                let deadline = ContinuousClock.now + .milliseconds(50)
                var (scanned, last): (Int, [UInt8]?) = (0, nil)
                try translatingErrors {
                    try context.keyspace.scan(table.database, ScanRange(after: start)) { key, value in
                        guard try body(key, value) == .continue else { return .stop }
                        scanned += 1
                        guard scanned % 64 == 0, ContinuousClock.now > deadline else { return .continue }
                        last = copiedBytes(key)
                        return .stop
                    }
                }
                return last
            }
            try afterEachRead()
        }
    }
}
