// Tests of texts inside values (strings, URLs, decimals, JSON): they are read only in the form in which they are
// written.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

struct DamagedTextTests {
    @Test func url_ofAnyText_isAURLOrAnError() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let alphabet = [
            "http", ":", "/", "/", "?", "#", "[", "]", "@", "%", "%2F", ".", "..", "a", "é", "日", " ", "1", "\0",
        ]
        func text() -> String {
            (0..<generator.next() % 9).map { _ in alphabet[Int(generator.next() % UInt64(alphabet.count))] }.joined()
        }
        for _ in 0..<20_000 {
            let bytes =
                try ValueWriter.bytes(of: text()) + ValueWriter.bytes(of: generator.next() & 1 == 0 ? nil : text())
            do throws(CodingError) {
                let url = try ValueReader.decode(URL.self, from: bytes)
                #expect(try ValueWriter.bytes(of: url) == bytes, "seed \(seed)")
            } catch {
                #expect(error.reason == .malformed(expected: "a URL"), "\(hex(bytes)), seed \(seed)")
            }
        }
    }

    @Test func string_ofAnyBytes_isExactlyThemOrAnError() throws {
        // Compared with the standard library's validation, over nearly valid UTF-8.
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let pieces = [
            "a", "é", "日", "👍", "\u{FFFD}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10FFFF}", "long ascii text",
        ]
        for _ in 0..<20_000 {
            var text: [UInt8] = []
            for _ in 0...generator.next() % 4 { text += pieces[Int(generator.next() % UInt64(pieces.count))].utf8 }
            let index = Int(generator.next() % UInt64(text.count))
            switch generator.next() % 5 {
            case 0: text.remove(at: index)
            case 1: text[index] = UInt8(truncatingIfNeeded: generator.next())
            case 2: text[index] ^= 1 << (generator.next() & 7)
            case 3: text.insert([0x80, 0xBF, 0xC0, 0xE0, 0xED, 0xF0, 0xF4, 0xFF][index & 7], at: index)
            default: break
            }
            let expected = String(validating: text, as: UTF8.self)
            let field = try? ValueReader.decode(String.self, from: ValueWriter.bytes(of: text))
            let key = try? KeyReader.decode(String.self, from: KeyWriter.bytes(of: text))
            if field.map({ Array($0.utf8) }) != expected.map({ Array($0.utf8) }) || field != key {
                Issue.record("\(hex(text)) is \(String(describing: field)), seed \(seed)")
            }
        }
    }

    @Test func decimal_thatIsNotTheShortest_isAnError() throws {
        for text in [
            "", "1.", ".5", "+1", "-0", "01", "1.0", "1e5", "1E5", " 1", "1 ", "1x", "--1", "1-", "nan", "-", ".",
        ] {
            #expect(throws: CodingError.self, "\(text)") {
                try ValueReader.decode(Decimal.self, from: ValueWriter.bytes(of: text))
            }
        }
        let long = String(repeating: "9", count: 1_000_000)
        #expect(throws: CodingError.self) {
            try ValueReader.decode(Decimal.self, from: ValueWriter.bytes(of: long))
        }
    }

    @Test func deepJSON_isAnErrorOnBothSides() throws {
        final class Chain: Codable, Sendable {
            let next: Chain?
            init(next: Chain?) { self.next = next }
        }
        func chain(levels: Int) -> Chain { (1..<levels).reduce(Chain(next: nil)) { next, _ in Chain(next: next) } }
        let deepest = try JSONField.bytes(of: chain(levels: 128))
        _ = try JSONField<Chain>.value(from: deepest)
        let written = try #require(throws: CodingError.self) { try JSONField.bytes(of: chain(levels: 129)) }
        #expect(written.reason == .tooDeep(limit: 128))
        let text = String(repeating: #"{"next":"#, count: 400) + "{}" + String(repeating: "}", count: 400)
        let read = try #require(throws: CodingError.self) {
            try JSONField<Chain>.value(from: ValueWriter.bytes(of: text))
        }
        #expect(read == CodingError(.tooDeep(limit: 128), at: 0))
        let quoted = #"{"next":null,"text":"\"\\{{{\u007b"}"#
        _ = try JSONField<Chain>.value(from: ValueWriter.bytes(of: quoted))
        for foreign in [Array("\u{FEFF}{}".utf8), [0xFF, 0xFE, 0x7B, 0, 0x7D, 0], [0x7B, 0, 0x7D, 0]] {
            #expect(throws: CodingError.self) { try JSONField<Chain>.value(from: ValueWriter.bytes(of: foreign)) }
        }
    }
}
