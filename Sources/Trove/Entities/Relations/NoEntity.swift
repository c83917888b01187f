// The target of a property that cannot be a relation. With it, the property has a single error, and the code that the
// macro generates for it compiles.

import TroveCoding

/// The target of a relation whose type is not an entity. It has no values, and such a relation does not compile.
public enum NoEntity: EntityModelProtocol {
    /// A schema that no store reads.
    public static let schema = RecordSchema(
        of: Self.self, name: "NoEntity", fileID: #fileID, key: [KeyProperty("id", \Self.id)], fields: [])

    /// No relations.
    public static let relations: [EntityRelation<Self>] = []

    /// No properties.
    public static let patches: [MergeStrategy<Self>] = []

    /// There is no value.
    public var id: Int { switch self {} }

    /// There is no value.
    public var indexKey: Int { switch self {} }

    /// There is no value.
    public func encodeKey(into writer: inout KeyWriter) { switch self {} }

    /// There is no value.
    public func fieldsSize() throws(CodingError) -> Int { switch self {} }

    /// There is no value.
    public func encodeFields(into writer: inout ValueWriter) { switch self {} }

    /// Throws an error.
    public init(decoding reader: inout RecordReader) throws(CodingError) {
        throw CodingError(.unencodable("NoEntity has no values"))
    }
}

extension Relations {
    /// The cardinality of a property whose type is neither an entity nor a list of entities.
    public enum NoTargets<Wrapped>: CardinalityProtocol {
        /// No entity.
        public typealias Entity = NoEntity

        /// The declared type of the property.
        public typealias Value = Wrapped?

        /// False.
        public static var isToMany: Bool { false }

        /// Returns nil.
        public static func value(_ entity: NoEntity?, _ entities: [NoEntity]?) -> Wrapped? { nil }
    }
}
