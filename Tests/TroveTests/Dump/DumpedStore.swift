// A store as the text of a dump, and back.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

/// A record in its table: the type, the key, the version and the bytes of the fields.
struct RawRecord: Hashable {
    var type: String
    var key: [UInt8]
    var value: [UInt8]
}

extension Store {
    /// The lines of a dump of all types.
    func dump(_ limit: Int = .max) throws -> [String] {
        try read { context in
            var lines: [String] = []
            try context.forEachDumpLine(of: context.storedTypes(), limit: limit) { lines.append($0) }
            return lines
        }
    }

    /// The stored bytes of all records, without the checksums, which depend on the generation of the table.
    func rawRecords() throws -> [RawRecord] {
        try read { context in
            var records: [RawRecord] = []
            for type in try context.storedTypes() {
                try context.keyspace.scan(type.records, ScanRange()) { key, value in
                    var bytes = copiedBytes(value)
                    bytes.replaceSubrange(4..<8, with: [])
                    records.append(RawRecord(type: type.name, key: copiedBytes(key), value: bytes))
                    return .continue
                }
            }
            return records
        }
    }

    @discardableResult
    func load(
        lines: [String], _ format: LoadFormat = .json, onConflict rule: ConflictRule = .throw, type: String? = nil,
        schema: [DumpedType] = []
    ) throws -> LoadReport {
        var iterator = lines.makeIterator()
        return try load(format, onConflict: rule, type: type, schema: schema) { iterator.next() }
    }

    @discardableResult
    static func create(at path: String, lines: [String]) throws -> LoadReport {
        var iterator = lines.makeIterator()
        return try create(at: path) { iterator.next() }
    }
}

func loadError(_ body: () throws -> Void) -> LoadError? { #expect(throws: LoadError.self) { try body() } }
