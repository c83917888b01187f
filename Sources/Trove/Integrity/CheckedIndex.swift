// An index as a check reads it.

import LMDB
import TroveCoding

/// An index to compare.
struct CheckedIndex {
    /// The name, such as `index(age)`.
    let name: String
    let database: Database
    let seed: CRC32C
    /// Whether duplicate values are forbidden.
    var forbidsDuplicates = false
    /// Whether each record must have its entry: false if the index's condition is unknown.
    var hasAllEntries = true
    /// The names and types of an entry's components; nil if they are not known.
    let entryLayout: String?
    /// Returns the number of bytes before the record key in an entry stored whole; nil if the bytes are not an entry of
    /// this index.
    let valueSize: (_ entry: RawSpan) -> Int?
    /// The documents of an index without entries; nil for an index of entries.
    var contents: (any CheckedContents)?
    /// The counts of a ranked index; nil for other kinds.
    var ranks: OpenRanks?
    /// Returns the key of the record of an entry stored whole; nil for an index whose entries end with the key.
    var restoreKey: ((_ entry: RawSpan) -> [UInt8]?)?

    /// Returns the key of the record of an entry stored whole; nil if the bytes are not an entry of this index.
    func recordKey(of entry: RawSpan) -> [UInt8]? {
        if let restoreKey { return restoreKey(entry) }
        return valueSize(entry).map { copiedBytes(entry.extracting(droppingFirst: $0)) }
    }
}
