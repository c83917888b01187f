// The schema of a relation's links: a record type without a Swift type.

import TroveCoding

extension CatalogRelation {
    /// Returns the layout of the links of a new relation.
    ///
    /// An end is named by the property that leads to it, and by `owner` if no property does. Later names of the
    /// properties do not change the layout.
    ///
    /// - Parameters:
    ///   - first: The layout of the first end's identifiers.
    ///   - second: The layout of the second end's identifiers.
    func layout(first firstType: LayoutType, second secondType: LayoutType) -> RecordLayout {
        var names: [String] = []
        func unused(_ name: String) -> String {
            let name = (0...).lazy.map { $0 == 0 ? name : "\(name)\($0 + 1)" }.first { !names.contains($0) } ?? name
            names.append(name)
            return name
        }
        let owner = "owner"
        let firstName = form.isSymmetric ? owner : second.property ?? owner
        let key = [
            LayoutField(unused(firstName), firstType), LayoutField(unused(first.property ?? owner), secondType),
        ]
        return RecordLayout(key: key, fields: positions.map { LayoutField(unused("position"), $0) })
    }

    /// The layouts of a link's positions.
    var positions: [LayoutType] {
        [LayoutType](repeating: .integer(bits: 64, isSigned: true), count: form.positionCount)
    }

    /// Returns the indexes with the lists of the links.
    func lists(_ layout: RecordLayout) -> [IndexDescriptor] {
        form.sidesWithLists.map { side in
            let end = layout.key[side == .first ? 0 : 1]
            let position = form.position(on: side).map { layout.fields[$0] }
            let columns = [end] + (position.map { [$0] } ?? [])
            return IndexDescriptor(
                .list, IndexDefinition(columns.map { IndexColumn($0.name, .key, type: "\($0.type)") }))
        }
    }
}

extension RecordSchema {
    /// Creates the schema of a relation's links.
    ///
    /// - Parameters:
    ///   - relation: The relation.
    ///   - name: The name of the links with a module, such as `Chats.Message.chat`.
    ///   - keyPrefix: The prefix of the links.
    ///   - layout: The layout of the links.
    convenience init(_ relation: CatalogRelation, name: String, keyPrefix: UInt32, _ layout: RecordLayout) {
        self.init(qualifiedName: name, keyPrefix: keyPrefix, layout, relation.lists(layout))
    }
}
