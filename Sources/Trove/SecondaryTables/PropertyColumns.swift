// A property of many records at once, as it stands in entries: what the making of a table reads, rather than whole records.

import LMDB
import TroveCoding

/// The key bytes of a property of the records of a run, one behind the other.
@usableFromInline
struct PropertyColumn {
    /// Reads the property of each record of a run.
    @usableFromInline
    typealias Read = @Sendable (inout RecordRun, inout PropertyColumn) throws(CodingError) -> Void

    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    @usableFromInline
    init() {}

    mutating func removeAll() { ends.removeAll(keepingCapacity: true) }

    /// Appends the property of the next record.
    @usableFromInline
    mutating func append(_ encode: (inout KeyWriter) -> Void) {
        ends.append(KeyWriter.write(into: &bytes, at: ends.last ?? 0, encode))
    }

    private func range(of index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

    /// The first byte of a record's property.
    func firstByte(of index: Int) -> UInt8? { bytes[range(of: index).lowerBound] }

    /// Writes the property of a record.
    func write(_ index: Int, to writer: inout KeyWriter) {
        writer.writeBytes(unsafe bytes.span.bytes.extracting(range(of: index)))
    }

    /// How the stored property at a path is read; nil where none is there.
    @inlinable
    static func read<Record: IndexKeyRecord, Value: KeyComponent>(_ path: KeyPath<Record, Value>) -> Read? {
        do throws(StoreError) {
            let reader = try Record.reader(of: path)
            return { (run, column) throws(CodingError) in
                for value in try reader.column(&run) { column.append { value.encodeKey(into: &$0) } }
            }
        } catch {
            return nil
        }
    }
}
