// The store's own entry in the catalog: its identifier, and the features that it uses.
//
//     entry    = format(UInt32) identifier(16 bytes) features
//     features =                                             format 1: the store uses no feature
//              | neededToRead neededToWrite mayBeIgnored     format 2: at least one feature in all
//     neededToRead, neededToWrite, mayBeIgnored = numbers([UInt32]), strictly ascending, in its group's list only

import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The identifier of a store, and the features that it uses. Unknown features are kept.
struct StoreEntry: Hashable {
    var identifier: UUID
    var features: Set<StoreFeature> = []

    /// The earliest format with these features.
    var format: UInt32 { features.isEmpty ? FormatVersion.withoutFeatures : FormatVersion.withFeatures }

    /// Returns the numbers of the features of a group, ascending.
    func numbers(in group: StoreFeature.Group) -> [UInt32] {
        features.filter { $0.group == group }.map(\.number).sorted()
    }

    /// Returns the error for a program without some of the features in a group; nil if it has all of them.
    func error(
        lacking group: StoreFeature.Group, in supported: Set<StoreFeature>, path: String
    ) -> StoreError? {
        let missing = features.subtracting(supported).filter { $0.group == group }.sorted()
        guard !missing.isEmpty else { return nil }
        return .file(
            .formatTooNew(path: path, format: Int(format), supported: Int(FormatVersion.newest), features: missing))
    }
}

extension StoreEntry {
    /// Reads the entry of a store in a supported format.
    init(decoding reader: inout ValueReader) throws(CodingError) {
        try self.init(ofFormat: try UInt32(decoding: &reader), decoding: &reader)
    }

    /// Reads the rest of an entry, after its format.
    init(ofFormat format: UInt32, decoding reader: inout ValueReader) throws(CodingError) {
        guard FormatVersion.oldest <= format, format <= FormatVersion.newest else {
            throw reader.malformed("a supported format", at: 0)
        }
        identifier = try UUID(decoding: &reader)
        if format >= FormatVersion.withFeatures {
            for group in StoreFeature.Group.allCases { try readNumbers(of: group, &reader) }
            guard !features.isEmpty else { throw reader.malformed("a feature") }
        }
        guard reader.remaining == 0 else { throw CodingError(.trailingBytes(reader.remaining), at: reader.offset) }
    }

    private mutating func readNumbers(of group: StoreFeature.Group, _ reader: inout ValueReader) throws(CodingError) {
        let start = reader.offset
        var last: UInt32 = 0
        for number in try [UInt32](decoding: &reader) {
            let feature = StoreFeature(number, group)
            guard number > last, feature.isOfItsGroup, !features.contains(where: { $0.number == number }) else {
                throw reader.malformed("ascending numbers of features of this group", at: start)
            }
            features.insert(feature)
            last = number
        }
    }
}
