// The bytes of keys and of values, and what is read from changed bytes.

import TroveCoding
import TroveCodingSamples
import TroveTestSupport

enum TwinCodings {
    static let topics = [
        TwinTopic(name: "key", share: 20) { generator in
            let type = KeyType.all[Int(generator.next() % UInt64(KeyType.all.count))]
            return "\(type): \(try key(type.type, using: &generator))"
        },
        TwinTopic(name: "value", share: 20) { generator in
            let type = FieldType.all[Int(generator.next() % UInt64(FieldType.all.count))]
            return "\(type): \(try value(type.type, using: &generator))"
        },
    ]

    private static func key<Key: SampledKey>(
        _ type: Key.Type, using generator: inout SeededGenerator
    ) throws -> String {
        let bytes = KeyWriter.bytes(of: Key.sample(using: &generator))
        let other = KeyWriter.bytes(of: Key.sample(using: &generator))
        let changed = changing(bytes, using: &generator)
        return """
            \(hex(bytes)) is before \(hex(other)): \(bytes.lexicographicallyPrecedes(other)); \
            \(hex(KeyWriter.bytes(of: try KeyReader.decode(type, from: bytes)))); \
            \(hex(changed)): \(reading { KeyWriter.bytes(of: try KeyReader.decode(type, from: changed)) })
            """
    }

    private static func value<Value: Sampled>(
        _ type: Value.Type, using generator: inout SeededGenerator
    ) throws -> String {
        let bytes = try ValueWriter.bytes(of: Value.sample(using: &generator))
        let changed = changing(bytes, using: &generator)
        return """
            \(hex(bytes)) is \(hex(try ValueWriter.bytes(of: try ValueReader.decode(type, from: bytes)))); \
            \(hex(changed)): \(reading { try ValueWriter.bytes(of: try ValueReader.decode(type, from: changed)) })
            """
    }

    private static func reading(_ bytes: () throws -> [UInt8]) -> String {
        do { return hex(try bytes()) } catch { return "\(error)" }
    }

    private static func changing(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        switch generator.next() % 4 {
        case 0: bytes.append(UInt8(truncatingIfNeeded: generator.next()))
        case 1: bytes = bytes.dropLast(1)
        default:
            if let place = bytes.indices.randomElement(using: &generator) {
                bytes[place] ^= 1 << UInt8(generator.next() % 8)
            }
        }
        return bytes
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
