// The name of a table, and the checksum seed of its values.

import LMDB
import TroveCoding

/// The name of a table: the record type, the number of the table, and the generation of the table.
///
///     name = keyPrefix as 8 hexadecimal digits "." table as decimal "." generation as decimal
///            [ "." part as decimal ]
///
/// An index of full text has several tables: the part distinguishes them. The first part is 0, and not written.
struct TableName: Hashable {
    var keyPrefix: UInt32
    var table: TableNumber
    var generation: UInt32
    var part: UInt32

    init(keyPrefix: UInt32, table: TableNumber = .records, generation: UInt32 = 0, part: UInt32 = 0) {
        self.keyPrefix = keyPrefix
        self.table = table
        self.generation = generation
        self.part = part
    }

    var text: String {
        let text = Self.hexadecimal(keyPrefix) + ".\(table.rawValue).\(generation)"
        return part == 0 ? text : text + ".\(part)"
    }

    /// Returns the name of another part of the same index.
    func part(_ part: UInt32) -> TableName {
        TableName(keyPrefix: keyPrefix, table: table, generation: generation, part: part)
    }

    /// Returns a prefix as 8 hexadecimal digits.
    static func hexadecimal(_ keyPrefix: UInt32) -> String {
        let digits = String(keyPrefix, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Parses a name; nil for other text.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard 3...4 ~= parts.count, let prefix = UInt32(parts[0], radix: 16),
            let table = UInt32(parts[1]).map(TableNumber.init(rawValue:)), let generation = UInt32(parts[2]),
            let part = parts.count == 4 ? UInt32(parts[3]) : 0
        else { return nil }
        self.init(keyPrefix: prefix, table: table, generation: generation, part: part)
        // A number can be written in several ways, a name in a single way.
        guard self.text == text else { return nil }
    }

    /// The same table of the other generation: a migration that changes keys moves the records there.
    var other: TableName { TableName(keyPrefix: keyPrefix, table: table, generation: generation ^ 1) }

    /// The table with the new key of each record, while a migration changes the keys of records with links. Its values
    /// have the header of records, with the bytes of the new key as their fields.
    static func newKeys(_ keyPrefix: UInt32) -> TableName { TableName(keyPrefix: keyPrefix, generation: 2) }

    /// The checksum of the table's identity: the seed of the checksums of its values.
    var checksumSeed: CRC32C {
        var checksum = CRC32C()
        let identity = KeyWriter.bytes { writer in
            writer.writeInteger(keyPrefix)
            writer.writeInteger(table.rawValue)
            writer.writeInteger(generation)
            if part > 0 { writer.writeInteger(part) }
        }
        checksum.update(identity)
        return checksum
    }
}
