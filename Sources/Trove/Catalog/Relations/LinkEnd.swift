// An end of a relation, as the catalog stores it.

import TroveCoding

/// The entities at an end of a relation, and their property with the links.
struct LinkEnd: Hashable, Sendable {
    /// The prefix of the entity type.
    var keyPrefix: UInt32
    /// The stored name of the entities' property; nil for the target of a one-way relation.
    var property: String?
    /// Whether an entity has at most one link, since its property is a relation to one.
    var isExclusive: Bool
    /// The names of the property before it was renamed.
    var formerNames: [String] = []
}

extension LinkEnd {
    init(decoding reader: inout ValueReader) throws(CodingError) {
        keyPrefix = try UInt32(decoding: &reader)
        let name = try String(decoding: &reader)
        property = name.isEmpty ? nil : name
        isExclusive = try Bool(decoding: &reader)
        formerNames = try [String](decoding: &reader)
    }
}
