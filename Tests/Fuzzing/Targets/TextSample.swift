// A small store with full-text indexes, and changes of their tables.

import Foundation
import LMDB
import Trove
import TroveCoding
import TroveTestSupport

/// A store as the base of damaged words.
struct TextSample: Sendable {
    /// The undamaged store.
    static let sound = Result { try TextSample() }

    /// The number of notes: enough for two blocks of the common word.
    static let count: UInt16 = 140

    let bytes: [UInt8]
    /// The tables with rows of full text, and the seeds of their checksums.
    private let tables: [(name: String, seed: CRC32C)]

    private init() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("sample")
        do {
            let store = try Self.open(path)
            try store.insert(contentsOf: (0..<Self.count + 10).map(LetteredNote.note))
            for id in Self.count..<Self.count + 10 { try store.delete(LetteredNote.self, key: id) }
        }
        let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
        // The records are in generation 0 of table 0, the catalog has a name of its own.
        tables = try environment.databaseNames().sorted().compactMap { name -> (name: String, seed: CRC32C)? in
            let parts = name.split(separator: ".")
            guard parts.count >= 3, parts[1] != "0", let prefix = UInt32(parts[0], radix: 16) else { return nil }
            let numbers = parts.dropFirst().compactMap { UInt32($0) }
            let identity = KeyWriter.bytes { writer in
                writer.writeInteger(prefix)
                for number in numbers { writer.writeInteger(number) }
            }
            var seed = CRC32C()
            identity.withRawSpan { seed.update($0) }
            return (name, seed)
        }
        bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    }

    static func open(_ path: String) throws -> Store {
        try Store(
            path: path, records: [LetteredNote.self], options: StoreOptions(mapSize: 1 << 23, durability: .noSync))
    }

    /// Applies the edits of an input to a copy.
    func apply(_ input: [UInt8], to path: String) throws {
        let environment = try Environment(
            path: path, options: EnvironmentOptions(mapSize: 1 << 23, durability: .noSync))
        for start in stride(from: 0, to: input.count - 4, by: 5) {
            let edit = Array(input[start..<(start + 5)])
            let (name, seed) = tables[Int(edit[0]) % tables.count]
            let table = try environment.openDatabase(name)
            try environment.write { transaction in
                var rows: [(key: [UInt8], value: [UInt8])] = []
                try transaction.scan(table) { key, value in
                    rows.append((copiedBytes(key), copiedBytes(value)))
                    return .continue
                }
                // A record that waits for its text: its key, a checksum, and a note.
                if rows.isEmpty { rows.append(([0, edit[1]], [UInt8](repeating: 0, count: 12))) }
                var (key, value) = rows[Int(edit[1]) % rows.count]
                let action = edit[2] / 2 % 7
                if action < 5 { try transaction.delete(key, from: table) }
                Self.change(&key, &value, action, Int(edit[3]), edit[4])
                guard !key.isEmpty, key.count <= 511, action != 4 else { return }
                if edit[2] % 2 == 1, value.count >= 4 { Self.seal(&value, key, seed) }
                try transaction.put(value, for: key, in: table)
            }
        }
    }

    private static func change(
        _ key: inout [UInt8], _ value: inout [UInt8], _ action: UInt8, _ place: Int, _ byte: UInt8
    ) {
        switch action {
        case 0: key[place % key.count] = byte
        case 1: if !value.isEmpty { value[place % value.count] = byte }
        case 2: key = Array(key.prefix(place % (key.count + 1)))
        case 3: value = Array(value.prefix(place % (value.count + 1)))
        case 4: break
        case 5: key[place % key.count] = byte
        default: value.insert(byte, at: place % (value.count + 1))
        }
    }

    /// Writes the checksum of a changed row.
    private static func seal(_ value: inout [UInt8], _ key: [UInt8], _ seed: CRC32C) {
        var checksum = seed
        key.withRawSpan { checksum.update($0) }
        value[4...].withRawSpan { checksum.update($0) }
        for index in 0..<4 { value[index] = UInt8(truncatingIfNeeded: checksum.value >> (8 * UInt32(index))) }
    }
}
