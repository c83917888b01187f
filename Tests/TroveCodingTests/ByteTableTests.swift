// Tests of the bytes of every type against a table, which is also the table in Docs/Format.md.

import Foundation
import Testing
import TroveCoding

struct ByteTableTests {
    @Test(arguments: ByteSample.all)
    func value_hasTheBytesOfTheTable(_ sample: ByteSample) throws {
        #expect(try sample.encodedKey() == sample.key)
        #expect(try sample.encodedField() == sample.field)
        #expect(try sample.decodedField() == sample.field)
    }

    @Test func formatDocument_hasThisTable() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let document = try String(contentsOf: root.appending(path: "Docs/Format.md"), encoding: .utf8)
        let start = try #require(document.range(of: "| type | value | key bytes | field bytes |"))
        let rows = document[start.upperBound...].split(separator: "\n").dropFirst().prefix { $0.hasPrefix("|") }
        let expected = ByteSample.all.map { sample in
            "| `\(sample.type)` | \(sample.value) | \(sample.key.map { "`\($0)`" } ?? "–") | `\(sample.field)` |"
        }
        #expect(rows.map(String.init) == expected)
    }

    @Test func length_isLEB128() throws {
        let table: [(Int, String)] = [
            (0, "00"), (127, "7F"), (128, "80 01"), (300, "AC 02"), (16_383, "FF 7F"), (16_384, "80 80 01"),
            (.max, "FF FF FF FF FF FF FF FF 7F"),
        ]
        for (length, expected) in table {
            let size = ValueWriter.size(ofLength: length)
            let written = try ValueWriter.bytes(count: size) { $0.writeLength(length) }
            #expect(hex(written) == expected)
            let read = try ValueReader.read(unsafe written.span.bytes) { (reader) throws(CodingError) in
                try reader.readLength()
            }
            #expect(read == length)
        }
    }

    @Test(arguments: ["80 00", "FF 00", "FF FF FF FF FF FF FF FF FF 01", "80 80 80 80 80 80 80 80 80 00"])
    func length_hasOneForm(_ text: String) {
        #expect(throws: CodingError(.malformed(expected: "a length in its shortest form"))) {
            try ValueReader.decode([UInt8].self, from: bytes(text))
        }
    }

    @Test func sdbm_isTheKnownHash() {
        #expect(SDBM.hash32("") == 0)
        #expect(SDBM.hash32("a") == 97)
        // 98 + (97 << 6) + (97 << 16) - 97
        #expect(SDBM.hash32("ab") == 6_363_201)
        #expect(SDBM.hash64("ab") == 6_363_201)
        #expect(SDBM.hash32("Outer.Person") == UInt32(truncatingIfNeeded: SDBM.hash64("Outer.Person")))
    }
}
