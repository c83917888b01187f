// Stored values as JSON, for people and other programs: a single line, the fields in their stored order.
//
// Bytes are Base64; dates are ISO 8601 in UTC with as many digits as needed. Integers beyond 53 bits, infinities and
// NaN are strings, since programs that read JSON numbers as Double would lose them. All control characters are escaped,
// also those that JSON allows: a terminal would execute them.

extension StoredFields {
    /// The fields as one JSON object.
    public var json: String {
        var text = JSONText()
        text.write(self)
        return text.text
    }
}

extension FieldValue {
    /// The value as JSON.
    public var json: String {
        var text = JSONText()
        text.write(self)
        return text.text
    }
}

private struct JSONText {
    var text = ""

    mutating func write(_ list: StoredFields) {
        writeList("{", list.fields, "}") { text, field in
            text.write(string: field.name)
            text.text += ":"
            text.write(field.value)
        }
    }

    mutating func write(_ value: FieldValue) {
        // Separate from values without parts, so that deep values need little stack.
        switch value {
        case .some(let value): write(value)
        case .array(let elements): writeList("[", elements, "]") { text, element in text.write(element) }
        case .dictionary(let entries): write(entries)
        case .record(let list): write(list)
        case .enumeration(let name, let values): write(name, values)
        default: write(plain: value)
        }
    }

    private mutating func write(plain value: FieldValue) {
        switch value {
        case .json(let json): write(json: json)
        default:
            switch value.scalar?.type.jsonToken(of: value) {
            case .plain(let token): text += token
            case .string(let content): write(string: content)
            case nil: text += "null"
            }
        }
    }

    /// Writes an object if all keys are strings, otherwise an array of pairs.
    private mutating func write(_ entries: [FieldValue.Entry]) {
        let hasNames = entries.allSatisfy { if case .string = $0.key { true } else { false } }
        writeList(hasNames ? "{" : "[", entries, hasNames ? "}" : "]") { text, entry in
            if !hasNames { text.text += "[" }
            text.write(entry.key)
            text.text += hasNames ? ":" : ","
            text.write(entry.value)
            if !hasNames { text.text += "]" }
        }
    }

    /// Writes the name alone, or an object with a single member: the name, and its values by label or number.
    private mutating func write(_ name: String, _ values: [FieldValue.AssociatedValue]) {
        guard !values.isEmpty else { return write(string: name) }
        text += "{"
        write(string: name)
        text += ":"
        writeList("{", Array(values.enumerated()), "}") { text, value in
            text.write(string: value.element.label ?? "_\(value.offset)")
            text.text += ":"
            text.write(value.element.value)
        }
        text += "}"
    }

    /// Writes JSON from an unknown source: on a single line, or as a string if it is not JSON.
    private mutating func write(json: String) {
        if let compact = CompactJSON.text(json) { text += compact } else { write(string: json) }
    }

    private mutating func write(string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.isControlOrLineEnd: text += scalar.jsonEscape
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    private mutating func writeList<Element>(
        _ open: String, _ elements: [Element], _ close: String, _ write: (inout JSONText, Element) -> Void
    ) {
        text += open
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            write(&self, element)
        }
        text += close
    }
}
