// A relation in the catalog: its form and its ends. Its links are the records of a type of its own.

import TroveCoding

/// A relation in the catalog.
struct CatalogRelation: Hashable, Sendable {
    var form: LinkForm
    var first: LinkEnd
    var second: LinkEnd

    /// The end of a side.
    subscript(_ side: LinkSide) -> LinkEnd {
        get { side == .first ? first : second }
        set { if side == .first { first = newValue } else { second = newValue } }
    }

    /// Whether an entity at an end has at most one link.
    func isExclusive(_ side: LinkSide) -> Bool { self[side].isExclusive }

    /// Returns whether an end has the entities of a type.
    func hasEnd(_ keyPrefix: UInt32) -> Bool { first.keyPrefix == keyPrefix || second.keyPrefix == keyPrefix }

    /// Returns whether two relations have the same form and ends, whatever the former names.
    @inline(__always)
    func isSameDeclaration(as other: CatalogRelation) -> Bool {
        form == other.form && first.isSameDeclaration(as: other.first) && second.isSameDeclaration(as: other.second)
    }

    /// The text whose hash is the prefix of the links: `PPPPPPPP.chat=QQQQQQQQ.messages`.
    var identity: String { [first, second].map(\.identity).joined(separator: "=") }
}

extension LinkEnd {
    @inline(__always)
    fileprivate func isSameDeclaration(as other: LinkEnd) -> Bool {
        keyPrefix == other.keyPrefix && isExclusive == other.isExclusive && property == other.property
    }

    fileprivate var identity: String { TableName.hexadecimal(keyPrefix) + "." + (property ?? "") }
}

extension CatalogRelation {
    init(decoding reader: inout ValueReader) throws(CodingError) {
        guard let form = LinkForm(rawValue: try UInt8(decoding: &reader)) else {
            throw CodingError(.malformed(expected: "a form of links"))
        }
        self.form = form
        first = try LinkEnd(decoding: &reader)
        second = try LinkEnd(decoding: &reader)
    }
}
