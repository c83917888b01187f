// CRC32C against the published vectors, and the CPU's instruction against the table.

import LMDB
import Testing
import TroveTestSupport

@Suite struct ChecksumTests {
    private func checksum(_ bytes: [UInt8]) -> UInt32 {
        var checksum = CRC32C()
        unsafe checksum.update(bytes.span.bytes)
        return checksum.value
    }

    private func checksumByTable(_ bytes: [UInt8]) -> UInt32 {
        var checksum = CRC32C()
        unsafe bytes.withUnsafeBytes { unsafe checksum.updateByTable($0) }
        return checksum.value
    }

    /// RFC 3720, appendix B.4, and the check value of the CRC catalogs.
    @Test(
        arguments: [
            ([], 0),
            ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
            ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
            (Array(0..<32), 0x46DD_794E),
            (Array((0..<32).reversed()), 0x113F_DB5C),
            (Array("123456789".utf8), 0xE306_9283),
        ] as [([UInt8], UInt32)])
    func knownBytes_haveTheirKnownChecksum(bytes: [UInt8], expected: UInt32) {
        #expect(checksum(bytes) == expected)
        #expect(checksumByTable(bytes) == expected)
    }

    @Test func everyLengthAndSplit_givesOneChecksum() {
        var generator = SeededGenerator(seed: 7)
        let bytes = (0..<67).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for length in 0...bytes.count {
            let part = Array(bytes.prefix(length))
            #expect(checksum(part) == checksumByTable(part))
            var split = CRC32C()
            let (head, tail) = (Array(part[..<(length / 3)]), Array(part[(length / 3)...]))
            unsafe split.update(head.span.bytes)
            unsafe split.update(tail.span.bytes)
            #expect(split.value == checksum(part))
        }
    }
}
