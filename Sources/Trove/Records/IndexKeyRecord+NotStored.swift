// The error for a key path that is not a stored property, with the name of the property.

extension IndexKeyRecord {
    /// Creates the error for a key path that is not a stored property: it names the property, or the relation.
    @usableFromInline
    static func notStored(_ path: AnyKeyPath) -> StoreError {
        schema.part?._notStored(path)
            ?? .query(.notStored(type: schema.name, property: path.textWithoutAddresses))
    }
}

extension AnyKeyPath {
    /// The text of the key path without the addresses of computed properties: `<computed Int>` in place of
    /// `<computed 0x000055d5 (Int)>`.
    var textWithoutAddresses: String { "\(self)".withoutAddresses }
}

extension StringProtocol {
    /// The text of a key path as in the source, without the addresses of computed properties.
    var withoutAddresses: String {
        var text = ""
        var rest = Substring(self)
        while let start = rest.firstRange(of: "<computed 0x"), let end = rest[start.upperBound...].firstRange(of: ")>"),
            let type = rest[start.upperBound..<end.lowerBound].firstRange(of: " (")
        {
            text += rest[..<start.lowerBound]
            text += "<computed \(rest[type.upperBound..<end.lowerBound])>"
            rest = rest[end.upperBound...]
        }
        text += rest
        // The text of a chain through an optional ends with a `?`, which the source does not have.
        return text.hasSuffix("?") ? String(text.dropLast()) : text
    }
}
