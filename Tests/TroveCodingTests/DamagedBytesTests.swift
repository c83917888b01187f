// Tests of damaged bytes: any bytes at all give a value or an error with its offset. 1,100,000 random and mutated
// inputs over all types. A value that is read without an error is written as exactly the same bytes: no value has two
// forms.

import Foundation
import Testing
import TroveCoding
import TroveCodingSamples
import TroveTestSupport

/// A generator of nearly correct bytes.
struct Damage {
    var generator: SeededGenerator

    /// Returns random bytes; small bytes and 0xFF are frequent.
    mutating func bytes() -> [UInt8] {
        let count = Int(generator.next() & 31)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            var word = generator.next()
            for _ in 0..<4 where bytes.count < count {
                let byte = UInt8(truncatingIfNeeded: word)
                switch word >> 8 & 7 {
                case 0...3: bytes.append(byte & 3)
                case 4: bytes.append(0xFF)
                default: bytes.append(byte)
                }
                word >>= 16
            }
        }
        return bytes
    }

    /// Returns the bytes with a few of them changed, removed, inserted or cut off.
    mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0...generator.next() & 1 {
            let word = generator.next()
            let byte = word >> 8 & 1 == 0 ? UInt8(word >> 16 & 3) : UInt8(truncatingIfNeeded: word >> 16)
            let index = bytes.isEmpty ? 0 : Int((word >> 24 & 0xFFFF) % UInt64(bytes.count))
            switch word & 7 {
            case 0: bytes.insert(byte, at: index)
            case 1 where !bytes.isEmpty: bytes.remove(at: index)
            case 2: bytes.removeSubrange(index...)
            case 3 where !bytes.isEmpty: bytes[index] ^= 1 << (word >> 40 & 7)
            case 4: bytes += [byte, byte]
            default: if !bytes.isEmpty { bytes[index] = byte }
            }
        }
        return bytes
    }
}

struct DamagedBytesTests {
    @Test(arguments: FieldType.all)
    func fields_ofAnyBytes_areAValueOrAnError(_ field: FieldType) throws {
        func check<Value: Sampled>(_ type: Value.Type) throws {
            var (generator, seed) = SeededGenerator.fromEnvironment()
            let originals = try type.samples(60, using: &generator).map { value throws(CodingError) in
                try ValueWriter.bytes(of: value)
            }.filter { $0.count < 300 }
            var damage = Damage(generator: generator)
            for index in 0..<9_000 {
                let bytes =
                    index % 3 == 0 ? damage.bytes() : damage.mutated(originals[index % originals.count])
                do throws(CodingError) {
                    let value = try ValueReader.decode(type, from: bytes)
                    let again = try ValueWriter.bytes(of: value)
                    if again != bytes { Issue.record("\(hex(bytes)) is \(value), seed \(seed)") }
                } catch {
                    if !(0...bytes.count).contains(error.offset) {
                        Issue.record("\(hex(bytes)): \(error), seed \(seed)")
                    }
                }
                if index % 8 == 0 { skip(type, bytes) }
            }
        }
        func skip<Value: Sampled>(_ type: Value.Type, _ bytes: [UInt8]) {
            let skipped = Result { () throws(CodingError) in
                try ValueReader.read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in
                    try type.skip(in: &reader)
                }
            }
            let decoded = Result { () throws(CodingError) in try ValueReader.decode(type, from: bytes) }
            if case .success = decoded, case .failure(let error) = skipped { Issue.record("\(hex(bytes)): \(error)") }
        }
        try check(field.type)
    }

    @Test(arguments: KeyType.all)
    func keys_ofAnyBytes_areAValueOrAnError(_ key: KeyType) {
        func check<Key: SampledKey>(_ type: Key.Type) {
            var (generator, seed) = SeededGenerator.fromEnvironment()
            let originals = type.samples(60, using: &generator).map { KeyWriter.bytes(of: $0) }
                .filter { $0.count < 300 }
            var damage = Damage(generator: generator)
            for index in 0..<9_000 {
                let bytes =
                    index % 3 == 0 ? damage.bytes() : damage.mutated(originals[index % originals.count])
                do throws(CodingError) {
                    let value = try KeyReader.decode(type, from: bytes)
                    let again = KeyWriter.bytes(of: value)
                    if again != bytes { Issue.record("\(hex(bytes)) is \(value), seed \(seed)") }
                    if index % 8 == 0 {
                        try KeyReader.read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in
                            try type.skipKey(in: &reader)
                        }
                    }
                } catch {
                    if !(0...bytes.count).contains(error.offset) {
                        Issue.record("\(hex(bytes)): \(error), seed \(seed)")
                    }
                }
            }
        }
        check(key.type)
    }

    @Test func json_ofAnyBytes_isAValueOrAnError() throws {
        var (generator, _) = SeededGenerator.fromEnvironment()
        let date = Date(timeIntervalSinceReferenceDate: 0.1)
        let reading = Reading(at: date, value: .infinity, notes: ["a": nil, "b": "c"])
        let original = try JSONField.bytes(of: reading)
        var damage = Damage(generator: SeededGenerator(seed: generator.next()))
        for _ in 0..<3_000 {
            let bytes = damage.mutated(original)
            do throws(CodingError) { _ = try JSONField<Reading>.value(from: bytes) } catch {
                #expect((0...bytes.count).contains(error.offset))
            }
        }
    }

    @Test func hugeCounts_takeNoMemory() {
        let length = [UInt8](repeating: 0xFF, count: 8) + [0x7F]
        func check<Value: RecordValue>(_ type: Value.Type) {
            for count in [length, [0xFF, 0xFF, 0xFF, 0x7F]] {
                for tail in [[], [UInt8](repeating: 0, count: 100)] {
                    #expect(throws: CodingError.self) { try ValueReader.decode(type, from: count + tail) }
                    #expect(throws: CodingError.self) {
                        try ValueReader.read(unsafe (count + tail).span.bytes) { (reader) throws(CodingError) in
                            try type.skip(in: &reader)
                        }
                    }
                }
            }
        }
        check([UInt8].self)
        check([Int128].self)
        check([String].self)
        check([[[String]]].self)
        check(Set<Int>.self)
        check([Int128: Int128].self)
        check([String: [String]].self)
        check(String.self)
        check(Data.self)
        check(Decimal.self)
        check(URL.self)
        check([Tuple<Int128, Int128>].self)
    }
}
