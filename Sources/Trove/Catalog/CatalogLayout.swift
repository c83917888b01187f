// A layout of a record type in the catalog.

import TroveCoding

/// A layout of a record type.
struct CatalogLayout: Hashable {
    /// The age of the layout: a greater ordinal is newer.
    var ordinal: UInt32
    var text: String
}

extension CatalogLayout {
    init(decoding reader: inout ValueReader) throws(CodingError) {
        ordinal = try CatalogType.ordinal(decoding: &reader)
        text = try String(decoding: &reader)
    }
}
