// The codings that generated code finds for key components.

import Foundation
import Testing
import TroveCoding

private enum Level: Int16, KeyComponent, CaseIterable {
    case low = -3
    case high = 300
}

/// A type with an order in Swift, but none as a key.
private enum Kind: String { case a }

@Suite("Codings of key components") struct KeyCodingTests {
    /// Expects a value's coding to write the value's own bytes, and to read them back.
    private func expectOwnBytes<Value: KeyComponent>(_ value: Value) throws {
        let bytes = KeyWriter.bytes { keyCoding(of: Value.self).encode(value, into: &$0) }
        #expect(bytes == KeyWriter.bytes(of: value))
        let read = try KeyReader.read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in
            try keyCoding(of: Value.self).decode(from: &reader)
        }
        #expect(read == value)
    }

    @Test func aKeyComponent_isCodedAsItsOwnBytes() throws {
        for level in Level.allCases {
            try expectOwnBytes(level)
            try expectOwnBytes(Optional(level))
            try expectOwnBytes(Descending(level))
            try expectOwnBytes(Tuple(level, "a\0b", Int?.none))
        }
        try expectOwnBytes(Level?.none)
    }

    /// Generic code, such as the expectation above, has no choice. Code that knows the type has.
    @Test func theCoding_isChosenByTheType() {
        #expect(keyCoding(of: Level.self) == KeyCoding<Level>.self)
        #expect(keyCoding(of: Level?.self) == KeyCoding<Level?>.self)
        #expect(keyCoding(of: Tuple<Int, Level>.self) == KeyCoding<Tuple<Int, Level>>.self)
        #expect(keyCoding(of: Kind.self) == UnorderedKey<Kind>.self)
        #expect(keyCoding(of: Kind?.self) == UnorderedKey<Kind?>.self)
        #expect(keyCoding(of: Descending<Kind>.self) == UnorderedKey<Descending<Kind>>.self)
        #expect(keyCoding(of: Tuple<Int, Kind>.self) == UnorderedKey<Tuple<Int, Kind>>.self)
    }
}
