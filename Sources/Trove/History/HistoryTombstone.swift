// The stored part of a deleted record.
//
//     tombstone = version(UInt32) form(UInt8) content
//     content   = field*                                  form 0: all fields of the record
//               | place(UInt8) {place(UInt8)} field*      form 1: count(UInt8), the places of some fields in the layout
//                                                         of the version, ascending, then these fields

import LMDB
import TroveCoding

/// The stored part of a deleted record.
enum HistoryTombstone {
    private static let (whole, some): (UInt8, UInt8) = (0, 1)
    private static let headSize = 5

    /// Returns the part of a record.
    ///
    /// - Parameters:
    ///   - value: The stored value of the record, which is intact.
    ///   - names: The names of the fields to keep; none for all.
    ///   - layout: Returns the layout of a version; nil if it cannot be read. Then all fields are kept.
    static func bytes(of value: RawSpan, keeping names: [String], _ layout: (UInt32) -> RecordLayout?) -> [UInt8] {
        let version = StoredValue.version(of: value) ?? 0
        let fields = value.extracting(droppingFirst: StoredValue.headerSize)
        let head = (0..<4).map { UInt8(truncatingIfNeeded: version >> (8 * UInt32($0))) }
        if !names.isEmpty, let layout = layout(version), layout.fields.count < 256 {
            let places = layout.fields.indices.filter { names.contains(layout.fields[$0].name) }
            do throws(CodingError) {
                let stored = try layout.readFields(fields)
                let kept = try RecordLayout(key: [], fields: places.map { layout.fields[$0] })
                    .writeFields(StoredFields(places.map { stored.fields[$0] }))
                return head + [some, UInt8(places.count)] + places.map(UInt8.init) + kept
            } catch {
                // A value that only its program can read: the whole record is kept.
            }
        }
        return head + [whole] + copiedBytes(fields)
    }

    /// Returns the kept fields by name, and the bytes of all fields if all are kept.
    ///
    /// - Parameter layout: Returns the layout of a version; nil if it cannot be read.
    /// - Returns: Nil if the bytes are damaged, or of an unknown layout.
    static func read(
        _ bytes: [UInt8], _ layout: (UInt32) -> RecordLayout?
    ) -> (version: UInt32, fields: StoredFields?, all: [UInt8]?)? {
        guard bytes.count >= headSize else { return nil }
        let version = ByteView.with(bytes) { $0.integer(at: 0, as: UInt32.self) }
        if bytes[4] == whole {
            let all = Array(bytes.dropFirst(headSize))
            return (version, layout(version).flatMap { read(all, $0) }, all)
        }
        guard bytes.count > headSize, let layout = layout(version) else { return nil }
        let count = Int(bytes[headSize])
        let places = bytes.dropFirst(headSize + 1).prefix(count).map(Int.init)
        guard places.count == count, places.allSatisfy(layout.fields.indices.contains) else { return nil }
        let kept = RecordLayout(key: [], fields: places.map { layout.fields[$0] })
        return read(Array(bytes.dropFirst(headSize + 1 + count)), kept).map { (version, $0, nil) }
    }

    private static func read(_ bytes: [UInt8], _ layout: RecordLayout) -> StoredFields? {
        do throws(CodingError) {
            return try bytes.withRawSpan { (bytes) throws(CodingError) in try layout.readFields(bytes) }
        } catch {
            return nil
        }
    }
}
