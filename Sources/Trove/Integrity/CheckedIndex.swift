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
}
