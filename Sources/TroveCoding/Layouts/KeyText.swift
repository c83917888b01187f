// Keys as a person writes them. `KeyTextParser` reads the same text: printing and parsing are inverse.
//
//     key       = component | "(" [component {", " component}] ")"     the first form is a key of a single component
//     component = [name ": "] value                                    the name is printed always
//     value     = "nil" | ".some(" value ")"                           of an optional; the latter for an inner nil
//               | "(" [component {", " component}] ")"                 of a tuple or a nested record
//               | string                                               of a String or a URL, as in Swift
//               | token                                                of any other type: as in JSON, without quotes
//
// An empty token is printed as "". A name that is not an ASCII identifier is printed as a string.

extension RecordLayout {
    /// Returns the text of a record's key, such as `id: 19999` or `(lastName: "Dallas", firstName: "Korben")`.
    ///
    /// - Returns: Nil if the bytes are not a key of this layout, or if only a component's own type can read it.
    package func keyText(_ bytes: [UInt8]) -> String? {
        do throws(CodingError) {
            let components = try readKey(unsafe bytes.span.bytes)
            // Damaged bytes may be readable too. Their text would be the text of another key.
            guard try writeKey(components) == bytes else { return nil }
            let text = KeyText.list(components, named: true)
            return key.count == 1 ? String(text.dropFirst().dropLast()) : text
        } catch {
            return nil
        }
    }

    /// Returns the texts of a key's components, or of its first components, without their names.
    ///
    /// - Returns: Nil if the bytes are not whole components of this layout, or if only a component's own type can read
    ///   them.
    package func componentTexts(_ bytes: [UInt8]) -> [String]? {
        for count in 0...key.count {
            let start = RecordLayout(key: Array(key.prefix(count)), fields: [])
            do throws(CodingError) {
                let components = try start.readKey(unsafe bytes.span.bytes)
                guard try start.writeKey(components) == bytes else { continue }
                return components.fields.map { KeyText.value($0.value) }
            } catch {
                continue
            }
        }
        return nil
    }

    /// Returns the components of a key's text.
    ///
    /// A key of a single component begins with the component's name. In parentheses, names may be left out, and so may
    /// the last components.
    ///
    /// - Returns: Nil if the text is not of this form.
    package func keyComponents(_ text: String) -> StoredFields? {
        var parser = KeyTextParser(text)
        guard let components = parser.key(of: key), parser.isAtEnd else { return nil }
        return components
    }
}

/// The printed forms of keys and of their parts.
enum KeyText {
    static func list(_ fields: StoredFields, named: Bool) -> String {
        let parts = fields.fields.map { (named ? name($0.name) + ": " : "") + value($0.value) }
        return "(" + parts.joined(separator: ", ") + ")"
    }

    /// Returns a name as it is, or as a string unless it is an identifier.
    static func name(_ name: String) -> String {
        var builder = LayoutBuilder()
        builder.append(name: name)
        return builder.text == name ? name : string(name)
    }

    static func value(_ value: FieldValue) -> String {
        switch value {
        case .null: "nil"
        case .some(.null), .some(.some): ".some(\(inner(value)))"
        case .some: inner(value)
        case .array(let elements):
            list(StoredFields(elements.map { StoredFields.Field("", $0) }), named: false)
        case .record(let fields): list(fields, named: true)
        case .string(let text): string(text)
        case .url(let url): string(url.absoluteString)
        default: token(value)
        }
    }

    private static func inner(_ optional: FieldValue) -> String {
        if case .some(let inner) = optional { value(inner) } else { value(optional) }
    }

    private static func token(_ value: FieldValue) -> String {
        switch value.scalar?.type.jsonToken(of: value) {
        case .plain(let token)?: token
        case .string(let token)?: token.isEmpty ? string("") : token
        case nil: value.json
        }
    }

    /// Returns a string as a Swift literal. Characters that a terminal would execute, or not show, are escaped.
    private static func string(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "\"") { literal, scalar in
            switch scalar {
            case "\"", "\\": literal += "\\" + String(scalar)
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where scalar.isControlOrLineEnd || scalar.properties.generalCategory == .format:
                literal += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: literal.unicodeScalars.append(scalar)
            }
        } + "\""
    }
}
