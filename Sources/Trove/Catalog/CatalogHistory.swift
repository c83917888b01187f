// The history of a store in the catalog: how long commits are kept, and of which types.
//
//     history    = age(UInt64) commits(UInt64) bytes(UInt64) excluded([UInt32]) types([UInt32]) properties([[String]])
//     age        = the age in milliseconds from which a commit is removed; 0 for no limit
//     commits    = the number of commits that are kept; 0 for no limit
//     bytes      = the size of the rows from which the oldest are removed; 0 for no limit
//     excluded   = the key prefixes of types whose changes are not kept, ascending
//     types      = the key prefixes of types that keep parts of deleted records, ascending
//     properties = for each of these types, the stored names of the properties, also their former ones, ascending; none
//                  for the whole record

import TroveCoding

/// The rules of a store's history, as the catalog has them.
struct CatalogHistory: Hashable, Sendable {
    var age: UInt64 = 0
    var commits: UInt64 = 0
    var bytes: UInt64 = 0
    var excluded: Set<UInt32> = []
    /// The properties kept of a deleted record, by the key prefix of its type; none for the whole record.
    var tombstones: [UInt32: [String]] = [:]
}

extension CatalogHistory {
    init(decoding reader: inout ValueReader) throws(CodingError) {
        age = try UInt64(decoding: &reader)
        commits = try UInt64(decoding: &reader)
        bytes = try UInt64(decoding: &reader)
        excluded = Set(try [UInt32](decoding: &reader))
        let types = try [UInt32](decoding: &reader)
        let properties = try [[String]](decoding: &reader)
        guard types.count == properties.count, Set(types).count == types.count else {
            throw reader.malformed("the properties of each type with tombstones")
        }
        tombstones = Dictionary(uniqueKeysWithValues: zip(types, properties))
    }
}
