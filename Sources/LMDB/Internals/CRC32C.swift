// CRC32C, the checksum of all data stored by Trove: the CPU's instruction if available, otherwise a table.

import CTroveShims

/// A running CRC32C (Castagnoli) checksum: polynomial 0x1EDC6F41, reflected; RFC 3720 appendix B.4.
///
/// A value of this type can be kept as the common prefix of many checksums.
package struct CRC32C: Hashable, Sendable {
    /// The register, not yet inverted.
    private var register: UInt32 = .max

    package init() {}

    /// The checksum of all bytes so far.
    package var value: UInt32 { ~register }

    /// Adds bytes to the checksum.
    ///
    /// - Complexity: O(*n*) in the number of bytes; 8 bytes for each step of the CPU's instruction.
    @inline(__always)
    package mutating func update(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { bytes in
            if Self.isInHardware {
                register = unsafe trove_crc32c_update(register, bytes.baseAddress, bytes.count)
            } else {
                unsafe updateByTable(bytes)
            }
        }
    }

    /// Adds bytes to the checksum.
    package mutating func update(_ bytes: [UInt8]) { bytes.withRawSpan { update($0) } }

    /// Adds three parts in order, in a single call: each call from another module has a cost.
    package mutating func update(_ first: RawSpan, _ second: RawSpan, _ third: RawSpan) {
        update(first)
        update(second)
        update(third)
    }

    package mutating func updateByTable(_ bytes: UnsafeRawBufferPointer) {
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            register = Self.table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] ^ (register >> 8)
        }
    }

    private static let isInHardware = trove_crc32c_is_available() != 0

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { register, _ in
            register & 1 == 1 ? (register >> 1) ^ 0x82F6_3B78 : register >> 1
        }
    }
}
