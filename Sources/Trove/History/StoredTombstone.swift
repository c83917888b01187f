// The stored part of a deleted record.
//
//     tombstone = version(UInt32) form(UInt8) content
//     content   = field*                             form 0: all fields of the record
//               | count(UInt8) ordinal(UInt8)* field*
//                                                    form 1: the ordinals of some fields in the layout of the version,
//                                                    ascending, then these fields

import LMDB
import TroveCoding

/// The stored part of a deleted record.
struct StoredTombstone: Sendable {
    private static let (whole, some): (UInt8, UInt8) = (0, 1)
    private static let headSize = 5

    /// The stored bytes.
    let bytes: [UInt8]
    /// The layout of the record; nil if it is unknown, or cannot be read.
    let layout: RecordLayout?

    /// The version of the layout of the record.
    var version: UInt32 { ByteView.with(bytes) { $0.integer(at: 0, as: UInt32.self) } }

    /// The bytes of all fields; nil if some are kept.
    var allFields: ArraySlice<UInt8>? { bytes[4] == Self.whole ? bytes.dropFirst(Self.headSize) : nil }

    /// The kept fields by name; nil if the bytes are damaged, or the layout cannot be read.
    var fields: StoredFields? {
        guard let layout else { return nil }
        if let allFields { return Self.read(allFields, layout) }
        guard let count = bytes.dropFirst(Self.headSize).first.map(Int.init) else { return nil }
        let ordinals = bytes.dropFirst(Self.headSize + 1).prefix(count).map(Int.init)
        guard ordinals.count == count, ordinals.allSatisfy(layout.fields.indices.contains) else { return nil }
        let kept = RecordLayout(key: [], fields: ordinals.map { layout.fields[$0] })
        return Self.read(bytes.dropFirst(Self.headSize + 1 + count), kept)
    }

    /// Returns the name that a property had in the layout of the record.
    func name(of field: FieldProperty) -> String {
        let names = Set(layout?.fields.map(\.name) ?? [])
        if names.contains(field.name) { return field.name }
        return field.rule.oldNames.last(where: names.contains) ?? field.name
    }

    private static func read(_ bytes: ArraySlice<UInt8>, _ layout: RecordLayout) -> StoredFields? {
        do throws(CodingError) {
            return try Array(bytes).withRawSpan { (bytes) throws(CodingError) in try layout.readFields(bytes) }
        } catch {
            return nil
        }
    }

    /// Reads a tombstone; nil if there is none, or if the bytes are damaged.
    ///
    /// - Parameter layout: Returns the layout of a version; nil if it cannot be read.
    init?(_ bytes: [UInt8]?, layout: (UInt32) -> RecordLayout?) {
        guard let bytes, bytes.count >= Self.headSize, bytes[4] <= Self.some else { return nil }
        self.bytes = bytes
        self.layout = layout(ByteView.with(bytes) { $0.integer(at: 0, as: UInt32.self) })
    }
}

extension StoredTombstone {
    /// Returns the part of a record; nil for nothing.
    ///
    /// - Parameters:
    ///   - value: The stored value of the record, which is intact.
    ///   - names: The names of the fields to keep; none for all.
    ///   - layout: Returns the layout of a version; nil if it cannot be read. Then only all fields can be kept.
    static func bytes(of value: RawSpan, keeping names: [String], _ layout: (UInt32) -> RecordLayout?) -> [UInt8]? {
        let version = StoredValue.version(of: value) ?? 0
        let fields = value.extracting(droppingFirst: StoredValue.headerSize)
        let head = (0..<4).map { UInt8(truncatingIfNeeded: version >> (8 * UInt32($0))) }
        if names.isEmpty { return head + [whole] + copiedBytes(fields) }
        guard let layout = layout(version) else { return nil }
        let ordinals = layout.fields.indices.filter { names.contains(layout.fields[$0].name) }
        // The form has a byte for an ordinal.
        guard let last = ordinals.last, last < 256 else { return nil }
        do throws(CodingError) {
            let stored = try layout.readFields(fields)
            let kept = try RecordLayout(key: [], fields: ordinals.map { layout.fields[$0] })
                .writeFields(StoredFields(ordinals.map { stored.fields[$0] }))
            return head + [some, UInt8(ordinals.count)] + ordinals.map(UInt8.init) + kept
        } catch {
            // Only the program can read the value: without its code, the chosen fields are not known.
            return nil
        }
    }
}
