// Composes the canonical layout of a type: the text whose change means that stored bytes mean something else.
//
//     layout = Int64, String …             scalar: a name in `ScalarLayout.all`
//            | layout ?                    optional            | enum<layout>     raw values
//            | [layout]                    array               | enum{case,case}  cases
//            | Set<layout>                 set                 | (layout,layout)  tuple
//            | [layout:layout]             dictionary          | desc<layout>     descending key component
//            | {name:layout,name:layout}   record              | json<name>       JSON of a Codable type
//            | ^n                          the n-th enclosing record or enum, 1 being the nearest
//     case   = name | name(layout,label:layout)
//     name   = an ASCII identifier as it is, anything else in quotes, with \ before a quote or a backslash
//
// `Int` is `Int64`, `UInt` is `UInt64`, `[UInt8]` is `Data`. Stored stores hold these texts: they never change.

/// Composes the canonical layout of a type.
public struct LayoutBuilder: Sendable {
    /// The layout so far.
    public private(set) var text = ""

    /// What migrations know of fields besides, by the places in the text's UTF-8 where their names begin.
    package private(set) var rules: [Int: FieldRule] = [:]

    private var enclosing: [ObjectIdentifier] = []

    /// Creates an empty layout.
    public init() {}

    /// The canonical layout of `type`.
    public static func text(of type: (some RecordValue).Type) -> String {
        var layout = LayoutBuilder()
        type.describe(in: &layout)
        return layout.text
    }

    /// Appends a part as it is.
    public mutating func append(_ text: String) { self.text += text }

    /// Appends `name`, in quotes unless it is an ASCII identifier.
    public mutating func append(name: String) {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
            default: false
            }
        }
        if isPlain, let first = name.unicodeScalars.first, !("0"..."9").contains(first) {
            text += name
        } else {
            text += "\""
            for scalar in name.unicodeScalars {
                if scalar == "\"" || scalar == "\\" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
            text += "\""
        }
    }

    /// Appends `{name:layout,…}`, or `^n` inside `type` itself.
    ///
    /// - Parameters:
    ///   - type: The type whose fields these are.
    ///   - fields: Calls `field` for each of them.
    public mutating func record(_ type: Any.Type, _ fields: (inout LayoutBuilder) -> Void) {
        nest(type, open: "{", fields)
    }

    /// Appends `enum{case,…}`, or `^n` inside `type` itself.
    ///
    /// - Parameters:
    ///   - type: The type whose cases these are.
    ///   - cases: Calls `case` for each of them.
    public mutating func enumeration(_ type: Any.Type, _ cases: (inout LayoutBuilder) -> Void) {
        nest(type, open: "enum{", cases)
    }

    /// Appends a field of a record: `name:layout`.
    ///
    /// The old name and the default are no part of the layout: migrations ask for them.
    ///
    /// - Parameters:
    ///   - name: The name under which the field is stored.
    ///   - coding: How it is stored.
    ///   - oldName: The name under which older records have it, where that is another one.
    ///   - makeDefault: The value for older records in which there is no such field.
    public mutating func field<Coding: FieldCoding>(
        _ name: String, _ coding: Coding.Type, renamedFrom oldName: String? = nil,
        default makeDefault: (@Sendable () -> Coding.Value)? = nil
    ) {
        separate()
        if oldName != nil || makeDefault != nil {
            rules[text.utf8.count] = FieldRule(
                oldName: oldName, defaultValue: makeDefault.map { DefaultValue(coding, $0) })
        }
        append(name: name)
        text += ":"
        coding.describe(in: &self)
    }

    /// Appends a case without associated values: `name`.
    public mutating func `case`(_ name: String) {
        separate()
        append(name: name)
    }

    /// Appends a case with associated values: `name(layout,label:layout)`.
    ///
    /// - Parameters:
    ///   - name: The name of the case.
    ///   - values: Calls `field` for each value with a label, and `value` for each without.
    public mutating func `case`(_ name: String, _ values: (inout LayoutBuilder) -> Void) {
        separate()
        append(name: name)
        text += "("
        values(&self)
        text += ")"
    }

    /// Appends an associated value without a label: `layout`.
    public mutating func value(_ coding: (some FieldCoding).Type) {
        separate()
        coding.describe(in: &self)
    }

    private mutating func nest(_ type: Any.Type, open: String, _ body: (inout LayoutBuilder) -> Void) {
        let identity = ObjectIdentifier(type)
        if let index = enclosing.lastIndex(of: identity) {
            text += "^\(enclosing.count - index)"
            return
        }
        enclosing.append(identity)
        text += open
        body(&self)
        text += "}"
        enclosing.removeLast()
    }

    private mutating func separate() {
        if let last = text.utf8.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "(") { text += "," }
    }
}
