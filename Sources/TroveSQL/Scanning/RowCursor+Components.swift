// The components of keys and of index entries, for the cursor.

import CSQLite
import LMDB
import TroveCoding

extension RowCursor {
    @inline(__always)
    mutating func keyCell(_ component: Int) -> Cell {
        let bytes = row.key
        if knownComponents == 0 {
            unsafe keyOffsets[0] = 0
            knownComponents = 1
        }
        while knownComponents <= component {
            let index = knownComponents - 1
            let end = skipComponent(unsafe key[index], bytes, at: unsafe keyOffsets[index], index, ofEntry: false)
            if end < 0 { return Cell(.failed) }
            unsafe keyOffsets[knownComponents] = end
            knownComponents += 1
        }
        return readComponent(
            unsafe key[component], bytes, at: unsafe keyOffsets[component], component, ofEntry: false)
    }

    mutating func entryCell(_ column: Int) -> Cell {
        // Scores are not in entries.
        guard column <= keyCount + fieldCount else { return Cell(.null) }
        let ordinal = Int(unsafe ordinals[column])
        guard ordinal >= 0 else { return Cell(.null) }
        let bytes = row.entry
        guard let start = entryOffset(ordinal, bytes) else { return Cell(.failed) }
        if column == keyCount + fieldCount { return Cell(.blob, bytes.dropFirst(start), isLasting: isLasting) }
        return readComponent(unsafe entry[ordinal], bytes, at: start, ordinal, ofEntry: true)
    }

    /// Returns the offset of a component of an entry; nil after an error.
    mutating func entryOffset(_ ordinal: Int, _ bytes: ByteView) -> Int? {
        if knownEntry == 0 {
            unsafe entryOffsets[0] = 0
            knownEntry = 1
        }
        while knownEntry <= ordinal {
            let index = knownEntry - 1
            let end = skipComponent(unsafe entry[index], bytes, at: unsafe entryOffsets[index], index, ofEntry: true)
            if end < 0 { return nil }
            unsafe entryOffsets[knownEntry] = end
            knownEntry += 1
        }
        return unsafe entryOffsets[ordinal]
    }

    /// Returns the offset after a component; negative after an error.
    @inline(__always)
    mutating func skipComponent(
        _ step: ValueStep, _ bytes: ByteView, at start: Int, _ ordinal: Int, ofEntry: Bool
    ) -> Int {
        var offset = start
        if step.isOptional {
            guard offset < bytes.count else { return malformed(bytes, offset) }
            let tag = unsafe bytes.pointer[offset] ^ step.mask
            offset += 1
            if tag == 0 { return offset }
        }
        if let size = step.kind.fixedSize {
            guard bytes.count - offset >= size else { return malformed(bytes, offset) }
            return offset + size
        }
        switch step.kind {
        case .string, .data, .opaque:
            while offset < bytes.count {
                let isEnd = unsafe bytes.pointer[offset] == step.mask
                offset += 1
                if isEnd { return offset }
            }
            return malformed(bytes, offset)
        default:
            do throws(CodingError) {
                return try unsafe scan.takeUnretainedValue().component(
                    ordinal, ofEntry: ofEntry, from: start, in: bytes
                ).end
            } catch {
                _ = failed(error)
                return -1
            }
        }
    }

    @inline(__always)
    mutating func readComponent(
        _ step: ValueStep, _ bytes: ByteView, at start: Int, _ ordinal: Int, ofEntry: Bool
    ) -> Cell {
        var offset = start
        if step.isOptional {
            guard offset < bytes.count else { return failedCell(bytes, offset) }
            let tag = unsafe bytes.pointer[offset] ^ step.mask
            offset += 1
            if tag == 0 { return Cell(.null) }
        }
        if let size = step.kind.fixedSize, bytes.count - offset < size { return failedCell(bytes, offset) }
        switch step.kind {
        case .string, .data:
            return escaped(step, bytes, at: offset, isLasting: ofEntry ? isLasting : keyIsLasting)
        case .decimal, .url, .complex, .opaque, .unreadable:
            return complexComponent(bytes, at: start, ordinal, ofEntry: ofEntry)
        default: return fixedCell(step.kind, bytes, offset, ComponentForm(mask: step.mask))
        }
    }

    /// Reads escaped bytes: as they lie there if no byte was escaped.
    mutating func escaped(_ step: ValueStep, _ bytes: ByteView, at start: Int, isLasting: Bool) -> Cell {
        let kind: Cell.Kind = step.kind == .string ? .text : .blob
        var end = start
        var isPlain = step.mask == 0
        while end < bytes.count {
            let byte = unsafe bytes.pointer[end] ^ step.mask
            if byte == 0 { break }
            if byte == 1 {
                isPlain = false
                end += 1
            }
            end += 1
        }
        guard end < bytes.count else { return failedCell(bytes, start) }
        if isPlain { return Cell(kind, bytes[start..<end], isLasting: isLasting) }
        reserve(end - start)
        var (offset, count) = (start, 0)
        while offset < end {
            var byte = unsafe bytes.pointer[offset] ^ step.mask
            offset += 1
            if byte == 1, offset < end {
                byte = unsafe (bytes.pointer[offset] ^ step.mask) &- 1
                offset += 1
            }
            unsafe scratch.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count += 1
        }
        return Cell(
            kind, unsafe ByteView(UnsafeRawBufferPointer(start: scratch, count: count)), isLasting: false)
    }

    mutating func complexComponent(
        _ bytes: ByteView, at start: Int, _ ordinal: Int, ofEntry: Bool
    ) -> Cell {
        do throws(CodingError) {
            let value = try unsafe scan.takeUnretainedValue().component(
                ordinal, ofEntry: ofEntry, from: start, in: bytes
            ).value
            if case .decimal(let number) = value { return decimalCell("\(number)") }
            return cell(of: ComplexText(value, as: nil))
        } catch {
            return failed(error)
        }
    }
}
