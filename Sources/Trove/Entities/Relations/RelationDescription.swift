// A relation as one of its types declares it, without generic parameters.

/// The declaration of one of a type's relations.
@usableFromInline
final class RelationDescription: Sendable {
    /// The type that declares the relation.
    let owner: any EntityModelProtocol.Type
    /// The type of its targets.
    let target: any EntityModelProtocol.Type
    /// The key path of the relation itself: `\.$author`.
    let path: PropertyPath
    /// The key path of the property: `\.author`; nil if it is not known.
    let value: PropertyPath?
    /// The property's name in the source.
    let property: String
    /// The property's stored name.
    let name: String
    /// Its former stored names, the oldest first.
    let oldNames: [String]
    /// The name in the source of the target's property; nil for a one-way relation.
    let inverseProperty: String?
    /// Whether an owner can have several targets.
    let isToMany: Bool
    /// Whether the relation cannot be set to null.
    let isRequired: Bool
    /// The rule for the targets when the owner is deleted.
    let deleteRule: Relations.DeleteRule

    @usableFromInline
    init(
        owner: any EntityModelProtocol.Type, target: any EntityModelProtocol.Type, path: PropertyPath,
        value: PropertyPath? = nil, property: String, name: String, oldNames: [String], inverseProperty: String?,
        isToMany: Bool, isRequired: Bool, deleteRule: Relations.DeleteRule
    ) {
        self.owner = owner
        self.target = target
        self.path = path
        self.value = value
        self.property = property
        self.name = name
        self.oldNames = oldNames
        self.inverseProperty = inverseProperty
        self.isToMany = isToMany
        self.isRequired = isRequired
        self.deleteRule = deleteRule
    }

    /// Whether the target declares the relation too.
    var isMutual: Bool { inverseProperty != nil }

    /// Whether the relation is its own inverse.
    var isSymmetric: Bool { owner == target && inverseProperty == property }

    /// Returns whether the relation names another as its inverse.
    func isInverse(of other: RelationDescription) -> Bool {
        target == other.owner && inverseProperty == other.property
    }

    /// The relation as its target declares it; nil for a one-way relation.
    ///
    /// Computed on demand: types may refer to each other in circles, so creating a description reads no other type.
    var inverse: RelationDescription? {
        guard let inverseProperty else { return nil }
        return target.relationDescriptions.first { $0.property == inverseProperty }
    }
}

extension EntityModelProtocol {
    /// The relations of the type, in the order of their declaration.
    static var relationDescriptions: [RelationDescription] { relations.map(\.description) }
}
