// Tests of the laws of key components for every type: they sort under memcmp as their values do, are read back, and
// their bytes show where they end.

import Foundation
import Testing
import TroveCoding
import TroveCodingSamples
import TroveTestSupport

struct KeyOrderTests {
    @Test(arguments: KeyType.all)
    func keys_sortAsTheirValuesDo(_ key: KeyType) {
        func check<Key: SampledKey>(_ type: Key.Type) {
            var (generator, seed) = SeededGenerator.fromEnvironment()
            let values = type.samples(90, using: &generator)
            let keys = values.map { KeyWriter.bytes(of: $0) }
            for (left, leftKey) in zip(values, keys) {
                for (right, rightKey) in zip(values, keys) {
                    let precedes = leftKey.lexicographicallyPrecedes(rightKey)
                    if precedes != type.sortsBefore(left, right) {
                        Issue.record("\(left) [\(hex(leftKey))] and \(right) [\(hex(rightKey))], seed \(seed)")
                    }
                    if leftKey != rightKey, rightKey.starts(with: leftKey) {
                        Issue.record("\(left) is the beginning of \(right), seed \(seed)")
                    }
                }
            }
        }
        check(key.type)
    }

    @Test(arguments: KeyType.all)
    func keys_comeBack(_ key: KeyType) throws {
        func check<Key: SampledKey>(_ type: Key.Type) throws {
            var (generator, seed) = SeededGenerator.fromEnvironment()
            for value in type.samples(300, using: &generator) {
                let bytes = KeyWriter.bytes(of: value)
                let back = try KeyReader.decode(type, from: bytes)
                #expect(type.isSame(value, back), "seed \(seed)")
                // The bytes after a component do not change its end.
                let following = bytes + [0xFF, 0x00, 0x01]
                for skips in [false, true] {
                    let rest = try KeyReader.read(unsafe following.span.bytes) { (reader) throws(CodingError) in
                        if skips { try type.skipKey(in: &reader) } else { _ = try type.init(decodingKey: &reader) }
                        return try reader.readBytes(count: 3)
                    }
                    #expect(rest == [0xFF, 0x00, 0x01], "\(value), seed \(seed)")
                }
            }
        }
        try check(key.type)
    }

    @Test func string_prefixSortsFirst() {
        let sorted = ["", "\0", "\0\0", "\0a", "\u{1}", "a", "a\0", "a\0\u{FFFF}", "a\u{1}", "aa", "b", "é", "日"]
        let keys = sorted.map { KeyWriter.bytes(of: $0) }
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    }

    @Test func stringInTuple_endsBeforeAnyNextComponent() throws {
        // An encoding whose end depends on the next byte (00, with 00 as 00 FF) reads ("a", Int.max) as a longer
        // string.
        let ids = [UUID(uuid: (255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), UUID(uuid: noBits)]
        for text in ["a", "a\0", "", "\0", "a\u{1}"] {
            for number in [Int.min, -1, 0, .max] {
                let tuple = Tuple(text, number)
                #expect(try KeyReader.decode(Tuple<String, Int>.self, from: KeyWriter.bytes(of: tuple)) == tuple)
            }
            for id in ids {
                let tuple = Tuple(text, id)
                #expect(try KeyReader.decode(Tuple<String, UUID>.self, from: KeyWriter.bytes(of: tuple)) == tuple)
            }
        }
        #expect(
            KeyWriter.bytes(of: Tuple("a", Int.max)).lexicographicallyPrecedes(
                KeyWriter.bytes(of: Tuple("a\0", Int.min))))
    }

    @Test func string_isItsUTF8() throws {
        // They are equal in Swift, but not in a key.
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        #expect(composed == decomposed)
        #expect(KeyWriter.bytes(of: composed) != KeyWriter.bytes(of: decomposed))
        let back = try KeyReader.decode(String.self, from: KeyWriter.bytes(of: decomposed))
        #expect(Array(back.utf8) == Array(decomposed.utf8))
    }

    @Test func string_ofForeignStorage_hasTheSameBytes() throws {
        let text = "a\0é\u{1} and more than fifteen bytes"
        for spelling in [String(text.dropFirst(0)), String(Substring(text)), NSString(string: text) as String] {
            #expect(KeyWriter.bytes(of: spelling) == KeyWriter.bytes(of: text))
            #expect(try ValueWriter.bytes(of: spelling) == ValueWriter.bytes(of: text))
        }
    }

    @Test func float_zeroIsOneKey_andNaNIsOneAndLast() {
        #expect(KeyWriter.bytes(of: -0.0) == KeyWriter.bytes(of: 0.0))
        #expect(KeyWriter.bytes(of: Double.nan) == KeyWriter.bytes(of: -Double.nan))
        #expect(KeyWriter.bytes(of: Double.nan) == KeyWriter.bytes(of: Double(nan: 7, signaling: true)))
        #expect(KeyWriter.bytes(of: Double.infinity).lexicographicallyPrecedes(KeyWriter.bytes(of: Double.nan)))
    }

    @Test func date_keepsFullPrecision() throws {
        let date = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
        let next = Date(timeIntervalSinceReferenceDate: (0.1 + 0.2).nextUp)
        #expect(try KeyReader.decode(Date.self, from: KeyWriter.bytes(of: date)) == date)
        #expect(KeyWriter.bytes(of: date).lexicographicallyPrecedes(KeyWriter.bytes(of: next)))
    }

    @Test func data_ofASlice_hasItsOwnBytes() throws {
        let slice = Data([9, 0, 1, 2, 9])[1..<4]
        #expect(KeyWriter.bytes(of: slice) == KeyWriter.bytes(of: [UInt8]([0, 1, 2])))
        #expect(try ValueWriter.bytes(of: slice) == [3, 0, 1, 2])
    }

    @Test func descending_comparesInReverse() {
        #expect(Descending(2) < Descending(1))
        #expect(["a", "b"].map(Descending.init).sorted().map(\.value) == ["b", "a"])
        let people = [(rank: 1, name: "Bob"), (rank: 2, name: "Zoe"), (rank: 2, name: "Ann")]
        #expect(
            people.sorted { ($0.rank.desc, $0.name) < ($1.rank.desc, $1.name) }.map(\.name) == ["Ann", "Zoe", "Bob"])
    }

    @Test func decimal_hasOneKey_howeverItIsWritten() throws {
        let hundred = ["100", "1e2", "100.00", "0.001e5"].map { Decimal(string: $0) ?? .nan }
        #expect(Set(hundred.map { KeyWriter.bytes(of: $0) }) == [[3, 0x80, 3, 11, 0]])
        // Any bytes at all are a number in its one form, or an error.
        for bytes: [UInt8] in [
            [], [0], [5], [3], [3, 0x80, 1], [3, 0x80, 1, 0], [3, 0x80, 1, 11], [3, 0x80, 1, 2, 0],
            [3, 0x80, 1, 11, 1, 0],
            [3, 0x80, 1, 101, 0], [3, 0x81, 0, 11, 0], [3, 0x7F, 0, 11, 0],
            [3, 0x80, 1] + [UInt8](repeating: 99, count: 21) + [0],
            [1, 0x80, 1, 11, 0],
        ] {
            #expect(throws: CodingError.self, "\(bytes)") { try KeyReader.decode(Decimal.self, from: bytes) }
        }
    }

    @Test func tuple_isAValue() {
        let tuple = Tuple("a", 1, Optional(true))
        #expect(tuple == Tuple("a", 1, true))
        #expect(tuple != Tuple("a", 2, true))
        #expect(Set([tuple, Tuple("a", 1, true), Tuple("b", 1, nil)]).count == 2)
        #expect(tuple.elements.0 == "a")
        #expect(Tuple("a", 1).description == #"("a", 1)"#)
    }
}

private let noBits: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
