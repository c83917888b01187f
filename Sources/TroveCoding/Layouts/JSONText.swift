// Stored values as JSON: a single line, the fields in their stored order. `FieldValue+JSON.swift` reads it.
//
// A layout has a single form, whatever the value, so that each text is read back as the same bytes:
//
//     T?                           null | T               T has no null: it is not itself optional, and not JSON
//                                  null | [T]             for every other T
//     [T], Set<T>, (T,…)           [T,…]
//     [String:T]                   {"key":T,…}            also for raw values that are strings
//     [K:T]                        [[K,T],…]
//     {name:T,…}                   {"name":T,…}
//     enum{name,name(T,label:T)}   "name" | {"name":{"_0":T,"label":T}}
//     json<…>                      the stored text; {"$json":"text"} where that is not JSON on a single line
//
// A value set by hand has no layout. Its content then gives the form.
//
// Bytes are Base64; dates are ISO 8601 in UTC with as many digits as needed. Integers beyond 53 bits, infinities and
// NaN are strings, since programs that read JSON numbers as Double would lose them. All control characters are escaped,
// also those that JSON allows: a terminal would execute them.

extension StoredFields {
    /// The fields as one JSON object.
    ///
    /// A value that was read has the form of its layout, from which it can be read back. A value set by hand has the
    /// form of its content: an empty dictionary is an object, and a dictionary with a key other than a string is an
    /// array.
    public var json: String {
        var text = JSONText()
        text.write(.record(self), as: nil)
        return text.text
    }
}

extension StoredFields.Field {
    /// The value as JSON, in the form of its layout if it was read.
    public var json: String {
        var text = JSONText()
        text.write(value, as: type)
        return text.text
    }
}

extension FieldValue {
    /// The value as JSON, in the form of its content.
    public var json: String {
        var text = JSONText()
        text.write(self, as: nil)
        return text.text
    }

    /// The member of an object with a stored text that is not JSON on a single line.
    static let jsonTextMember = "$json"
}

extension LayoutType {
    /// Whether nil in JSON could also be a value of the type.
    var hasJSONNull: Bool {
        switch self {
        case .optional, .json: true
        case .rawValue(let base), .descending(let base): base.hasJSONNull
        default: false
        }
    }

    /// Whether a dictionary with keys of the type is a JSON object.
    var isText: Bool {
        switch self {
        case .scalar: self == .string
        case .rawValue(let base), .descending(let base): base.isText
        default: false
        }
    }
}

/// A growing text, and the lists that are being written.
private struct JSONText {
    var text = ""
    /// The lists whose elements are being written, each inside the previous list: so deep values need little stack.
    private var open: [OpenText] = []

    mutating func write(_ value: FieldValue, as type: LayoutType?) {
        begin(value, as: type, in: Nesting())
        while let last = open.indices.last {
            if let part = open[last].nextPart() {
                text += part.before
                if let label = part.label {
                    write(string: label)
                    text += ":"
                }
                begin(part.value, as: part.type, in: open[last].nesting)
            } else {
                text += open.removeLast().end
            }
        }
    }

    /// Writes a value without parts, or opens a value with parts.
    private mutating func begin(_ value: FieldValue, as type: LayoutType?, in nesting: Nesting) {
        let (type, nesting) = resolved(type, nesting)
        switch (value, type) {
        case (.some, _), (_, .optional): beginOptional(value, as: type, in: nesting)
        case (.enumeration(let name, let values), _) where values.isEmpty: write(string: name)
        case (.array, _), (.dictionary, _), (.record, _), (.enumeration, _):
            open.append(OpenText(value, type, inside(type, nesting)))
        default: write(plain: value)
        }
    }

    private mutating func beginOptional(_ value: FieldValue, as type: LayoutType?, in nesting: Nesting) {
        var (inner, wrapped) = (value, nil as LayoutType?)
        if case .optional(let type)? = type { wrapped = type }
        if value == .null {
            text += "null"
            return
        }
        var isList = wrapped?.hasJSONNull == true
        if wrapped == nil || wrapped?.hasNull == true, case .some(let value) = value {
            inner = value
            isList = true
        }
        let nesting = inside(type, nesting)
        if isList {
            open.append(OpenText(.array([inner]), wrapped.map { .array($0) }, nesting))
        } else {
            begin(inner, as: wrapped, in: nesting)
        }
    }

    /// Returns the actual layout. A value that was read is never deeper than the limit.
    private func resolved(_ type: LayoutType?, _ nesting: Nesting) -> (LayoutType?, Nesting) {
        guard let type else { return (nil, nesting) }
        do throws(CodingError) {
            return try nesting.resolved(type, at: 0)
        } catch {
            return (nil, nesting)
        }
    }

    private func inside(_ type: LayoutType?, _ nesting: Nesting) -> Nesting {
        guard let type else { return nesting }
        do throws(CodingError) {
            return try nesting.inside(type, at: 0)
        } catch {
            return nesting
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

    /// Writes JSON from an unknown source as it is, if it is on a single line and not the form of any other text.
    private mutating func write(json: String) {
        if CompactJSON.text(json) == json, !json.hasPrefix("{\"\(FieldValue.jsonTextMember)\":") {
            text += json
        } else {
            text += "{\"\(FieldValue.jsonTextMember)\":"
            write(string: json)
            text += "}"
        }
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
}

/// A list whose elements are being written.
private struct OpenText {
    /// An element: the text before it, its label in an object, and its value.
    struct Part {
        var before: String
        var label: String?
        var value: FieldValue
        var type: LayoutType?
    }

    /// The levels around its elements.
    let nesting: Nesting
    private let value: FieldValue
    private let type: LayoutType?
    /// The types of a dictionary, and whether it is an object.
    private let entryTypes: (key: LayoutType, value: LayoutType)?
    private let isObject: Bool
    private var index = 0

    init(_ value: FieldValue, _ type: LayoutType?, _ nesting: Nesting) {
        self.value = value
        self.type = type
        self.nesting = nesting
        entryTypes = if case .dictionary(let key, let value)? = type { (key, value) } else { nil }
        guard case .dictionary(let entries) = value else {
            isObject = false
            return
        }
        isObject = entryTypes?.key.isText ?? entries.allSatisfy { if case .string = $0.key { true } else { false } }
    }

    /// Returns the next element; nil after the last.
    mutating func nextPart() -> Part? {
        defer { index += 1 }
        switch value {
        case .array(let elements) where index < elements.count:
            return Part(before: index > 0 ? "," : "[", value: elements[index], type: elementType)
        case .record(let list) where index < list.fields.count:
            let field = list.fields[index]
            let type = if case .record(let fields)? = type { fields[index].type } else { field.type }
            return Part(before: index > 0 ? "," : "{", label: field.name, value: field.value, type: type)
        case .enumeration(let name, let values) where index < values.count:
            let before = index > 0 ? "," : "{\(FieldValue.string(name).json):{"
            let label = values[index].label ?? "_\(index)"
            return Part(before: before, label: label, value: values[index].value, type: associatedTypes?[index].type)
        case .dictionary(let entries) where isObject:
            guard index < entries.count, case .string(let label) = entries[index].key else { return nil }
            return Part(
                before: index > 0 ? "," : "{", label: label, value: entries[index].value, type: entryTypes?.value)
        case .dictionary(let entries) where index < 2 * entries.count:
            let entry = entries[index / 2]
            if index % 2 == 1 { return Part(before: ",", value: entry.value, type: entryTypes?.value) }
            return Part(before: index > 0 ? "],[" : "[[", value: entry.key, type: entryTypes?.key)
        default: return nil
        }
    }

    /// The text after the last element; of an empty list, the whole text.
    var end: String {
        switch value {
        case .array(let elements): elements.isEmpty ? "[]" : "]"
        case .record(let list): list.fields.isEmpty ? "{}" : "}"
        case .enumeration: "}}"
        case .dictionary(let entries) where isObject: entries.isEmpty ? "{}" : "}"
        case .dictionary(let entries): entries.isEmpty ? "[]" : "]]"
        default: ""
        }
    }

    private var elementType: LayoutType? {
        switch type {
        case .array(let element), .set(let element): element
        case .tuple(let types): types[index]
        default: nil
        }
    }

    private var associatedTypes: [LayoutCase.Value]? {
        guard case .enumeration(let cases)? = type, case .enumeration(let name, _) = value else { return nil }
        return cases.first { $0.name == name }?.values
    }
}
