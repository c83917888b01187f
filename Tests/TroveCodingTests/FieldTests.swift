// Tests of fields: they are read back, their size is exact, and their bytes show where they end.

import Foundation
import Testing
import TroveCoding
import TroveCodingSamples
import TroveTestSupport

struct FieldTests {
    @Test(arguments: FieldType.all)
    func fields_comeBack(_ field: FieldType) throws {
        func check<Value: Sampled>(_ type: Value.Type) throws {
            var (generator, seed) = SeededGenerator.fromEnvironment()
            for value in type.samples(150, using: &generator) {
                let bytes = try ValueWriter.bytes(of: value)
                #expect(try bytes.count == value.encodedSize && !bytes.isEmpty)
                if let fixed = type.fixedSize { #expect(fixed == bytes.count) }
                let back = try ValueReader.decode(type, from: bytes)
                let again = try ValueWriter.bytes(of: back)
                #expect(again == bytes, "\(value), seed \(seed)")
                // A NaN may be somewhere inside, and is not equal to itself.
                let twin = try ValueReader.decode(type, from: bytes)
                if back == twin { #expect(back == value, "seed \(seed)") }
                let following = bytes + [0xFF, 0x00]
                for skips in [false, true] {
                    let rest = try ValueReader.read(unsafe following.span.bytes) { (reader) throws(CodingError) in
                        if skips { try type.skip(in: &reader) } else { _ = try type.init(decoding: &reader) }
                        return try reader.readBytes(count: 2)
                    }
                    #expect(rest == [0xFF, 0x00], "\(value), seed \(seed)")
                }
            }
        }
        try check(field.type)
    }

    @Test func float_comesBackBitForBit() throws {
        for value in [-0.0, .nan, -.nan, Double(nan: 7, signaling: true), .infinity, .leastNonzeroMagnitude] {
            let back = try ValueReader.decode(Double.self, from: ValueWriter.bytes(of: value))
            #expect(back.bitPattern == value.bitPattern)
        }
    }

    @Test func value_isAsLargeAsMemory() throws {
        let megabytes = [UInt8](repeating: 7, count: 20_000_000)
        #expect(try ValueReader.decode([UInt8].self, from: ValueWriter.bytes(of: megabytes)) == megabytes)
        let text = String(repeating: "日本語", count: 1_000_000)
        #expect(try ValueReader.decode(String.self, from: ValueWriter.bytes(of: text)) == text)
    }

    @Test func setsAndDictionaries_haveTheSameBytesWhateverTheirHistory() throws {
        var grown = Set<String>()
        for number in (0..<500).reversed() { grown.insert("\(number)") }
        for number in 100..<500 { grown.remove("\(number)") }
        let made = Set((0..<100).map { "\($0)" })
        #expect(try ValueWriter.bytes(of: grown) == ValueWriter.bytes(of: made))
        let one = Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", $0) })
        let other = Dictionary(uniqueKeysWithValues: (0..<100).reversed().map { ("\($0)", $0) })
        #expect(try ValueWriter.bytes(of: one) == ValueWriter.bytes(of: other))
    }

    @Test func setOfEqualBytes_isAnError() {
        // Swift keeps two NaNs as two elements; their bytes would not be in ascending order.
        func check(_ value: some RecordValue) {
            #expect(throws: CodingError(.unencodable("two elements of a collection have the same bytes"), at: 1)) {
                try value.encodedSize
            }
        }
        check(Set([Double.nan, .nan]))
        check(Set([Float?.some(.nan), .nan, nil]))
        // Equal to itself, because both sides share the same array.
        check(Set([[Double.nan], [Double.nan]]))
        check(Dictionary(dictionaryLiteral: (Double?.some(.nan), 1), (.nan, 1)))
    }

    @Test func setOfOtherNaNs_isWritten() throws {
        #expect(try ValueWriter.bytes(of: Set([Double.nan, -.nan, 1])).count == 1 + 3 * 8)
        #expect(try ValueWriter.bytes(of: [Double.nan: 1, 1: 1]).count == 1 + 2 * 16)
        #expect(try ValueWriter.bytes(of: Dictionary(dictionaryLiteral: (Float.nan, true), (.nan, false))).count == 11)
    }

    @Test(arguments: [
        "02 02 00 01 00",  // 2, 1: not ascending
        "02 01 00 01 00",  // 1, 1: one twice
        "03 01 00 02 00",  // three announced, two there
    ])
    func setOutOfOrder_isAnError(_ text: String) {
        #expect(throws: CodingError.self) { try ValueReader.decode(Set<Int16>.self, from: bytes(text)) }
    }

    @Test func setOfStringsThatSwiftCallsEqual_isAnError() throws {
        let spellings = try ValueWriter.bytes(of: ["\u{E9}", "e\u{301}"])
        #expect(throws: CodingError.self) { try ValueReader.decode(Set<String>.self, from: spellings) }
    }

    @Test func urlThatItsTextDoesNotMean_isAnErrorNotAnotherURL() throws {
        let nested = URL(string: "d", relativeTo: URL(string: "c/", relativeTo: URL(string: "https://a.b/")))
        let url = try #require(nested)
        do throws(CodingError) {
            let back = try ValueReader.decode(URL.self, from: ValueWriter.bytes(of: url))
            #expect(back.absoluteString == url.absoluteString)
        } catch {
            guard case .unencodable = error.reason else { throw error }
        }
    }

    @Test func invalidUTF8_isAnErrorNeverRepaired() {
        for text in ["01 FF", "02 C3 28", "03 ED A0 80", "02 C0 80", "04 F8 88 80 80"] {
            #expect(throws: CodingError(.malformed(expected: "valid UTF-8"), at: 1)) {
                try ValueReader.decode(String.self, from: bytes(text))
            }
        }
        #expect(throws: CodingError(.malformed(expected: "valid UTF-8"), at: 0)) {
            try KeyReader.decode(String.self, from: bytes("C3 28 00"))
        }
    }

    @Test func unknownRawValue_isAnError() {
        #expect(throws: CodingError(.noSuchValue("\"x\"", type: "Level"), at: 0)) {
            try ValueReader.decode(Level.self, from: bytes("01 78"))
        }
        #expect(throws: CodingError.self) { try KeyReader.decode(Sign.self, from: bytes("FF")) }
    }

    @Test func error_saysWhere() {
        #expect(throws: CodingError(.truncated(needed: 8, available: 3), at: 2)) {
            try ValueReader.decode(Tuple<String, Int>.self, from: bytes("01 61 00 00 00"))
        }
        #expect(throws: CodingError(.trailingBytes(1), at: 1)) { try KeyReader.decode(Bool.self, from: [1, 1]) }
        #expect(CodingError(.trailingBytes(1), at: 7).description == "Bytes are left after the value: 1, at offset 7.")
    }
}
