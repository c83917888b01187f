// Properties of many stored records at once, as the columns of index entries. A build reads them instead of whole
// records.

import LMDB
import TroveCoding

/// The key bytes of some properties of the records of a run: the values of the first property, then the values of the
/// next.
@usableFromInline
struct PropertyColumns {
    /// Reads a property of each record of a run, and appends it as the next column.
    @usableFromInline
    typealias Read = @Sendable (inout RecordRun, inout PropertyColumns) throws(CodingError) -> Void

    private var bytes: [UInt8] = []
    /// The end of each property of each record.
    private var ends: [Int] = []

    @usableFromInline
    init() {}

    mutating func removeAll() { ends.removeAll(keepingCapacity: true) }

    /// Appends a property of each record of a run.
    ///
    /// - Parameter encode: Writes the property of a record, by the record's index.
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

    /// Calls a closure with a function to write the property of a record at a place: the index of the column times the
    /// number of records, plus the index of the record.
    func withBytes<R>(_ body: ((_ place: Int, inout KeyWriter) -> Void) throws -> R) rethrows -> R {
        try ByteView.with(bytes) { bytes in
            try body { place, writer in
                let start = place == 0 ? 0 : ends[place - 1]
                bytes[start..<ends[place]].withSpan { writer.writeBytes($0) }
            }
        }
    }

    /// Returns the reader of the stored property at a path; nil if the property is not stored.
    ///
    /// - Parameter encode: Writes a value in the form of the column.
    @inlinable
    static func reader<Record: IndexKeyRecord, Value: Sendable>(
        of path: KeyPath<Record, Value>, _ encode: @escaping @Sendable (Value, inout KeyWriter) -> Void
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
