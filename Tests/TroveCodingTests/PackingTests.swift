// Packed numbers and LEB128 numbers: what is read is what was written, and short bytes are errors.

import Testing
import TroveTestSupport

@testable import TroveCoding

struct PackingTests {
    @Test func packed_roundTrips() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for bits in 0...BitPacking.bitLimit {
            for count in [0, 1, 2, 7, 8, 127, 128] {
                let mask = (UInt64(1) << UInt64(bits)) - 1
                let numbers = (0..<count).map { _ in generator.next() & mask }
                var bytes: [UInt8] = [9]
                BitPacking.append(count: count, bits: bits, to: &bytes) { numbers[$0] }
                bytes.removeFirst()
                #expect(bytes.count == BitPacking.size(count: count, bits: bits))
                var read = [UInt64](repeating: 7, count: count + 1)
                try unpack(bytes, bits, count, into: &read, from: 1)
                #expect(read.dropFirst() == numbers[...], "bits \(bits), seed \(seed)")
                // Bytes after the numbers change nothing.
                try unpack(bytes + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], bits, count, into: &read, from: 1)
                #expect(read == [7] + numbers, "bits \(bits), seed \(seed)")
                if !bytes.isEmpty {
                    #expect(throws: CodingError.self) { try unpack(bytes.dropLast(), bits, count, into: &read) }
                }
            }
        }
    }

    @Test func packed_stridesThroughFields() throws {
        var bytes: [UInt8] = []
        BitPacking.append(count: 5, bits: 3, to: &bytes) { UInt64($0 + 1) }
        var read = [UInt32](repeating: 0, count: 15)
        try unpack(bytes, 3, 5, into: &read, from: 1, stride: 3)
        #expect(read == [0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0])
        #expect(throws: CodingError.self) { try unpack(bytes, 3, 5, into: &read, from: 3, stride: 3) }
        #expect(throws: CodingError.self) { try unpack(bytes, 58, 1, into: &read) }
    }

    @Test(arguments: [0, 1, 127, 128, 300, 16_383, 16_384, 1 << 35, UInt64(Int64.max)])
    func number_roundTrips(_ number: UInt64) throws {
        var bytes: [UInt8] = []
        LEB128.append(number, to: &bytes)
        #expect(bytes.count == LEB128.size(of: number))
        #expect(bytes.dropLast().allSatisfy { $0 >= 0x80 })
        #expect(number == 0 || !bytes.contains(0))
        #expect(bytes.last.map { $0 < 0x80 } == true)
        #expect(try self.number(in: bytes, atMost: number) == number)
        guard number > 0 else { return }
        #expect(throws: CodingError.self) { try self.number(in: bytes, atMost: number - 1) }
    }

    private func number(in bytes: [UInt8], atMost limit: UInt64) throws(CodingError) -> UInt64 {
        try ValueReader.read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in
            try reader.readNumber(atMost: limit)
        }
    }

    private func unpack<Number: FixedWidthInteger & UnsignedInteger>(
        _ bytes: some Collection<UInt8>, _ bits: Int, _ count: Int, into numbers: inout [Number], from start: Int = 0,
        stride: Int = 1
    ) throws(CodingError) {
        try BitPacking.unpack(
            unsafe Array(bytes).span.bytes, bits: bits, count: count, into: &numbers, from: start, stride: stride)
    }
}
