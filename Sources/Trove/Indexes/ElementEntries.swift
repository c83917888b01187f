// The entries of an index of elements: an entry for each distinct element of a collection, with the other columns of
// the index around it.
//
//     columns  = before element… after sizes      the columns of a record, before its entries are derived
//     element  = bytes size                       the key bytes of an element, and their number
//     sizes    = size size                        the number of bytes of `before`, and of all elements
//     value    = before bytes after               the value of an entry
//
// `before` and `after` are the other columns of the index. A size is a UInt32, big-endian. Columns are not stored.

import LMDB
import TroveCoding

/// Derives the entries of an index of elements.
@usableFromInline
enum ElementEntries {
    private static let sizeSize = 4

    /// Writes a size.
    @usableFromInline
    static func writeSize(_ size: Int, to writer: inout KeyWriter) { writer.writeInteger(UInt32(size)) }

    /// Writes an element into the column of the elements.
    @inlinable
    static func write(to writer: inout KeyWriter, _ element: (inout KeyWriter) -> Void) {
        let start = writer.offset
        element(&writer)
        writeSize(writer.offset - start, to: &writer)
    }

    /// Adds the value of an entry for each element.
    static let split: EntrySplit = { columns, add in
        ByteView.with(columns) { columns in
            let end = columns.count - 2 * sizeSize
            let before = columns[0..<size(before: end + sizeSize, in: columns)]
            var place = before.count + size(before: columns.count, in: columns)
            let after = columns[place..<end]
            var value: [UInt8] = []
            while place > before.count {
                place -= sizeSize
                let size = size(before: place + sizeSize, in: columns)
                value.removeAll(keepingCapacity: true)
                before.append(to: &value)
                columns[place - size..<place].append(to: &value)
                after.append(to: &value)
                ByteView.with(value) { $0.withSpan(add) }
                place -= size
            }
        }
    }

    private static func size(before end: Int, in bytes: ByteView) -> Int {
        Int(bytes.integer(at: end - sizeSize, as: UInt32.self).byteSwapped)
    }
}
