// The elements of a set, or the keys of a dictionary, as Swift compares them.
//
// Values with different bytes can be equal: texts that are canonically equivalent, -0.0 and 0.0. A program could not
// read a set with both. Bytes show neither that, nor where such values are, since they need not be neighbors.

/// The elements of a set, or the keys of a dictionary, so far.
struct DistinctValues {
    private var values: Set<ComparedValue> = []

    /// Adds a value, and returns whether no equal value was there.
    ///
    /// - Parameter type: The layout of the value.
    mutating func insert(_ value: FieldValue, as type: LayoutType) -> Bool {
        values.insert(ComparedValue(value, type)).inserted
    }
}

/// A value with the equality of the Swift type that its layout describes.
private indirect enum ComparedValue: Hashable {
    case plain(FieldValue)
    /// Values that are compared in their order.
    case list([ComparedValue])
    case set(Set<ComparedValue>)
    case dictionary([ComparedValue: ComparedValue])
    /// JSON of a `Codable` type, whose equality only its program knows.
    case bytes([UInt8])

    init(_ value: FieldValue, _ type: LayoutType) {
        switch (type, value) {
        case (.rawValue(let base), _), (.descending(let base), _): self = ComparedValue(value, base)
        case (.optional, .null): self = .plain(.null)
        case (.optional(let wrapped), .some(let inner)) where wrapped.hasNull:
            self = .list([ComparedValue(inner, wrapped)])
        case (.optional(let wrapped), _): self = ComparedValue(value, wrapped)
        case (.array(let element), .array(let parts)): self = .list(parts.map { ComparedValue($0, element) })
        case (.set(let element), .array(let parts)): self = .set(Set(parts.map { ComparedValue($0, element) }))
        case (.dictionary(let key, let content), .dictionary(let entries)):
            self = .dictionary(
                Dictionary(
                    entries.map { (ComparedValue($0.key, key), ComparedValue($0.value, content)) },
                    uniquingKeysWith: { first, _ in first }))
        case (.tuple(let types), .array(let parts)): self = .list(zip(parts, types).map(ComparedValue.init))
        case (.record(let fields), .record(let list)):
            self = .list(zip(list.fields, fields).map { ComparedValue($0.value, $1.type) })
        case (.enumeration(let cases), .enumeration(let name, let values)):
            let types = cases.first { $0.name == name }?.values.map(\.type) ?? []
            self = .list([.plain(.string(name))] + zip(values, types).map { ComparedValue($0.value, $1) })
        case (_, .json(let text)): self = .bytes(Array(text.utf8))
        // A layout that contains itself is compared part by part.
        default: self = .plain(value)
        }
    }
}
