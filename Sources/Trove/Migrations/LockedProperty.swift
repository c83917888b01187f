// A property in a schema lock.

import TroveCoding

/// A property's name and canonical type.
struct LockedProperty: Decodable {
    var name: String
    var type: String

    /// - Parameter layout: `name:type`, as in a layout.
    init(_ name: String, _ layout: String) {
        self.name = name
        type = String(decoding: layout.utf8.dropFirst(Self.prefix(name).utf8.count), as: UTF8.self)
    }

    /// - Parameter type: The canonical type, or the description of a relation.
    init(name: String, type: String) { (self.name, self.type) = (name, type) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let property = try container.decode([String: String].self)
        guard let (name, type) = property.first, property.count == 1 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a property has only one name.")
        }
        self.name = name
        self.type = type
    }

    /// `name:type`, as in a layout.
    var layout: String { Self.prefix(name) + type }

    private static func prefix(_ name: String) -> String {
        var builder = LayoutBuilder()
        builder.append(name: name)
        return builder.text + ":"
    }
}
