// A relation as ids among the fields of a deleted entity.
//
//     to-one   = the target's id, or nil
//     to-many  = the ids of the list; empty if the entity had no links

import TroveCoding

extension RelationAccessor {
    /// The field.
    var idField: FieldProperty {
        let name = "$" + description.name
        let oldNames = description.oldNames.map { "$" + $0 }
        let field =
            description.isToMany
            ? FieldProperty(name, fieldCoding(of: [Target.ID].self), renamedFrom: oldNames, default: { [] })
            : FieldProperty(name, fieldCoding(of: Target.ID?.self), renamedFrom: oldNames, default: { nil })
        return field.referencing(ReferenceRule(Target.ID.self))
    }

    /// Returns the number of bytes of the field.
    func idsSize(of owner: Owner) throws(CodingError) -> Int {
        let ids = state(of: owner).ids
        return description.isToMany ? try ids.encodedSize : try ids.first.encodedSize
    }

    /// Writes the field.
    func encodeIDs(of owner: Owner, into writer: inout ValueWriter) {
        let ids = state(of: owner).ids
        if description.isToMany {
            ids.encode(into: &writer)
        } else {
            ids.first.encode(into: &writer)
        }
    }

    /// Reads the field, and sets the relation.
    func decodeIDs(from reader: inout ValueReader, in owner: inout Owner) throws(CodingError) {
        if description.isToMany {
            setIDs(try [Target.ID](decoding: &reader), in: &owner)
        } else {
            setIDs(try Target.ID?(decoding: &reader).map { [$0] } ?? [], in: &owner)
        }
    }

    /// Sets the relation to ids; to unset if there are none, so that a save keeps other links.
    func setIDs(_ ids: [Target.ID], in owner: inout Owner) {
        if description.isToMany, !ids.isEmpty {
            set(.ids(ids, isSlice: false), in: &owner)
        } else {
            set(ids.first.map { .id($0) } ?? .none, in: &owner)
        }
    }
}
