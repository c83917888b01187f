// The values that are put together in memory of the cursor.

import CSQLite
import LMDB
import TroveCoding

extension RowCursor {
    mutating func wide(_ number: UInt128, width: Int) -> Cell {
        if number <= UInt128(Int64.max) { return Cell(Int64(number)) }
        let digits = "\(number)"
        return Cell(
            .text, copied(Array((String(repeating: "0", count: max(0, width - digits.count)) + digits).utf8)),
            isLasting: false)
    }

    mutating func wide(_ number: Int128) -> Cell {
        if let small = Int64(exactly: number) { return Cell(small) }
        let digits = "\(number.magnitude)"
        let zeros = String(repeating: "0", count: max(0, 39 - digits.count))
        return Cell(.text, copied(Array(((number < 0 ? "-" : "") + zeros + digits).utf8)), isLasting: false)
    }

    mutating func date(_ seconds: Double) -> Cell {
        Cell(.text, copied(Array(DateText.text(seconds).utf8)), isLasting: false)
    }

    mutating func decimal(_ digits: ByteView) -> Cell {
        decimalCell(String(decoding: digits.copy(), as: UTF8.self))
    }

    mutating func decimalCell(_ digits: String) -> Cell {
        switch DecimalText.value(digits) {
        case .integer(let number): Cell(number)
        case .real(let number): Cell(number)
        case .text(let text): Cell(.text, copied(Array(text.utf8)), isLasting: false)
        case .null, .blob: Cell(.null)
        }
    }

    mutating func uuid(_ bytes: ByteView, mask: UInt8) -> Cell {
        // The bytes can be those of the scratch memory, which the digits overwrite.
        var halves: (UInt64, UInt64) = (0, 0)
        for index in 0..<8 {
            halves.0 = halves.0 << 8 | UInt64(unsafe bytes.pointer[index] ^ mask)
            halves.1 = halves.1 << 8 | UInt64(unsafe bytes.pointer[index + 8] ^ mask)
        }
        reserve(36)
        var offset = 0
        for index in 0..<16 {
            if index == 4 || index == 6 || index == 8 || index == 10 {
                unsafe scratch.storeBytes(of: UInt8(ascii: "-"), toByteOffset: offset, as: UInt8.self)
                offset += 1
            }
            let half = index < 8 ? halves.0 : halves.1
            let byte = UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * (index % 8)))
            for digit in [byte >> 4, byte & 15] {
                let character = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
                unsafe scratch.storeBytes(of: character, toByteOffset: offset, as: UInt8.self)
                offset += 1
            }
        }
        return Cell(.text, unsafe ByteView(UnsafeRawBufferPointer(start: scratch, count: 36)), isLasting: false)
    }

    mutating func reserve(_ size: Int) {
        guard size > scratchSize else { return }
        unsafe scratch.deallocate()
        scratchSize = size * 2
        unsafe scratch = .allocate(byteCount: scratchSize, alignment: 8)
    }

    mutating func copied(_ bytes: [UInt8]) -> ByteView {
        reserve(bytes.count)
        unsafe bytes.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { unsafe scratch.copyMemory(from: start, byteCount: bytes.count) }
        }
        return unsafe ByteView(UnsafeRawBufferPointer(start: scratch, count: bytes.count))
    }
}
