// Properties of many records at once, as they stand in entries: what the making of a table reads, rather than whole
// records.

import LMDB
import TroveCoding

/// The key bytes of some properties of the records of a run: those of the first property, one behind the other, then
/// those of the next.
@usableFromInline
struct PropertyColumns {
    /// Reads a property of each record of a run, as the next column.
    @usableFromInline
    typealias Read = @Sendable (inout RecordRun, inout PropertyColumns) throws(CodingError) -> Void

    private var bytes: [UInt8] = []
    /// Where each property ends.
    private var ends: [Int] = []

    @usableFromInline
    init() {}

    mutating func removeAll() { ends.removeAll(keepingCapacity: true) }

    /// Appends a property of each record of a run.
    ///
    /// - Parameter encode: Writes the property of one of the records.
    @usableFromInline
    mutating func append(_ count: Int, _ encode: (_ index: Int, inout KeyWriter) -> Void) {
        var ends: [Int] = []
        swap(&ends, &self.ends)
        let (column, start) = (ends.count, ends.last ?? 0)
        _ = KeyWriter.write(into: &bytes, at: start) { writer in
            ends.removeLast(ends.count - column)
            for index in 0..<count {
                encode(index, &writer)
                ends.append(start + writer.offset)
            }
        }
        swap(&ends, &self.ends)
    }

    /// How many bytes all of them take.
    var size: Int { ends.last ?? 0 }

    /// Writes the properties of a record, one behind the other.
    ///
    /// - Parameters:
    ///   - index: Which of the run's records it is.
    ///   - count: How many these are.
    ///   - nilBytes: By column, the first byte of nil, where a record with it has no entry.
    /// - Returns: How many bytes were written; nil where the record has no entry.
    @unsafe func write(
        _ index: Int, of count: Int, to memory: UnsafeMutableRawBufferPointer, excluding nilBytes: [UInt8?]
    ) -> Int? {
        unsafe bytes.withUnsafeBytes { bytes in
            var size = 0
            for (column, place) in stride(from: index, to: ends.count, by: count).enumerated() {
                let start = place == 0 ? 0 : ends[place - 1]
                let property = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<ends[place]])
                if !nilBytes.isEmpty, let nilByte = nilBytes[column], unsafe property.first == nilByte { return nil }
                unsafe UnsafeMutableRawBufferPointer(rebasing: memory[size...]).copyMemory(from: property)
                size += property.count
            }
            return size
        }
    }

    /// How the stored property at a path is read; nil where none is there.
    ///
    /// - Parameter encode: Writes its value as it stands in entries.
    @inlinable
    static func read<Record: IndexKeyRecord, Value: Sendable>(
        _ path: KeyPath<Record, Value>, _ encode: @escaping @Sendable (Value, inout KeyWriter) -> Void
    ) -> Read? {
        do throws(StoreError) {
            let reader = try Record.reader(of: path)
            return { (run, columns) throws(CodingError) in
                let values = try reader.column(&run)
                columns.append(values.count) { encode(values[$0], &$1) }
            }
        } catch {
            return nil
        }
    }
}
