// Tests of the size limit of keys: a key that is too large is an error before its first use, and no writer leaves its
// memory.

import Testing
import TroveCoding

struct KeySizeTests {
    @Test(arguments: [0, 1, 509, 510])
    func key_upToTheLimit_isHandedOver(_ count: Int) throws {
        let text = String(repeating: "x", count: count)
        let size = try KeyWriter.withKey({ text.encodeKey(into: &$0) }, { $0.byteCount })
        #expect(size == count + 1)
    }

    @Test(arguments: [511, 512, 100_000])
    func key_overTheLimit_isAnErrorBeforeItIsUsed(_ count: Int) {
        let text = String(repeating: "x", count: count)
        #expect(throws: CodingError(.keyTooLarge(size: count + 1, limit: 511))) {
            try KeyWriter.withKey({ text.encodeKey(into: &$0) }, { _ in Issue.record("used") })
        }
    }

    @Test func key_hasTheSizeThatItWouldHave_whateverItIsMadeOf() {
        let parts = Tuple(
            String(repeating: "\0", count: 300), 7, Descending(String(repeating: "\u{1}b", count: 300)),
            [UInt8](repeating: 9, count: 300))
        #expect(throws: CodingError(.keyTooLarge(size: 601 + 8 + 901 + 301, limit: 511))) {
            try KeyWriter.withKey({ parts.encodeKey(into: &$0) }, { _ in Issue.record("used") })
        }
        for limit in 0..<40 {
            let key = Tuple("abc\0", Int8(1), Descending("abc\0"), UInt128.max)
            let size = KeyWriter.bytes(of: key).count
            let used = try? KeyWriter.withKey(limit: limit, { key.encodeKey(into: &$0) }, { $0.byteCount })
            #expect(used == (limit < size ? nil : size))
        }
    }

    @Test(arguments: [0, 510, 511, 5_000])
    func bounds_haveAnySize(_ count: Int) throws {
        let text = String(repeating: "y", count: count)
        let bytes = KeyWriter.bytes(of: Tuple(text, 1))
        #expect(bytes.count == count + 9)
        #expect(try KeyReader.decode(Tuple<String, Int>.self, from: bytes) == Tuple(text, 1))
    }

    @Test func key_throwsWhatItsUserThrows() {
        struct Mine: Error {}
        #expect(throws: Mine.self) { try KeyWriter.withKey({ 1.encodeKey(into: &$0) }, { _ in throw Mine() }) }
    }
}
