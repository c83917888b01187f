// The properties of the bytes of keys.
//
//     input = type · where to split · bytes of one key · bytes of another

import TroveCoding
import TroveCodingSamples

enum KeyProperties {
    static func check(_ input: [UInt8]) throws {
        guard input.count >= 2 else { return }
        let (first, second) = Array(input[2...]).split(at: input[1])
        let type = KeyType.all[Int(input[0]) % KeyType.all.count].type
        try check(type, first, second)
    }

    private static func check<Key: SampledKey>(
        _ type: Key.Type, _ first: [UInt8], _ second: [UInt8]
    ) throws {
        guard let one = try decode(type, first), let other = try decode(type, second) else { return }
        try require(
            type.sortsBefore(one, other) == first.lexicographicallyPrecedes(second)
                && type.sortsBefore(other, one) == second.lexicographicallyPrecedes(first),
            "\(type): \(one) [\(first.hex)] and \(other) [\(second.hex)] sort otherwise than their bytes")
        try require(
            first == second || !(first.starts(with: second) || second.starts(with: first)),
            "\(type): one of [\(first.hex)] and [\(second.hex)] is the beginning of the other")
    }

    /// Returns the value; nil if the bytes are not a key.
    private static func decode<Key: KeyComponent>(_ type: Key.Type, _ bytes: [UInt8]) throws -> Key? {
        let value: Key
        do throws(CodingError) {
            value = try KeyReader.decode(type, from: bytes)
        } catch {
            try require((0...bytes.count).contains(error.offset), "\(type): [\(bytes.hex)]: \(error)")
            return nil
        }
        try require(!bytes.isEmpty, "\(type): no bytes are \(value)")
        let again = KeyWriter.bytes(of: value)
        try require(again == bytes, "\(type): [\(bytes.hex)] is \(value), which is [\(again.hex)]")
        let descending = KeyWriter.bytes(of: Descending(value))
        try require(
            descending == bytes.map { ~$0 }, "\(type): [\(bytes.hex)] is [\(descending.hex)] when it is descending")
        do {
            try KeyReader.read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in
                try type.skipKey(in: &reader)
            }
            let back = try KeyReader.decode(Descending<Key>.self, from: descending).value
            try require(KeyWriter.bytes(of: back) == bytes, "\(type): [\(descending.hex)] is \(back)")
        } catch let error as CodingError {
            throw Violation("\(type): [\(bytes.hex)] is \(value), but: \(error)")
        }
        return value
    }
}
