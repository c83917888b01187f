// The keys of encoded relations.

/// A key of an encoded relation, or any key of an encoded entity.
struct RelationCodingKey: CodingKey, Hashable {
    let stringValue: String

    /// None: the keys are names.
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }

    static let id = Self(stringValue: "id")
    static let object = Self(stringValue: "object")
    static let ids = Self(stringValue: "ids")
    static let objects = Self(stringValue: "objects")
    static let slice = Self(stringValue: "slice")
    static let sliceIDs = Self(stringValue: "slice_ids")

    /// Whether this is ``sliceIDs``, also after the conversion by
    /// `JSONDecoder.KeyDecodingStrategy.convertFromSnakeCase`.
    var isSliceIDs: Bool { self == .sliceIDs || stringValue == "sliceIds" }
}
