// The canonical layout of a type: a text that changes when the meaning of its stored bytes changes.
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
// `Int` is `Int64`, `UInt` is `UInt64`, `[UInt8]` is `Data`. Stores hold these texts: they never change.

/// A builder of the canonical layout of a type.
public struct LayoutBuilder: Sendable {
    /// The layout so far.
    public private(set) var text = ""

    /// The migration rules of fields, by the offsets of their names in the text's UTF-8.
    package private(set) var rules: [Int: FieldRule] = [:]

    private var enclosing: [ObjectIdentifier] = []

    /// Creates an empty layout.
    public init() {}

    /// Returns the canonical layout of `type`.
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
    ///   - type: The type of the record.
    ///   - fields: Calls `field` for each field.
    public mutating func record(_ type: Any.Type, _ fields: (inout LayoutBuilder) -> Void) {
        nest(type, open: "{", fields)
    }

    /// Appends `enum{case,…}`, or `^n` inside `type` itself.
    ///
    /// - Parameters:
    ///   - type: The type of the enum.
    ///   - cases: Calls `case` for each case.
    public mutating func enumeration(_ type: Any.Type, _ cases: (inout LayoutBuilder) -> Void) {
        nest(type, open: "enum{", cases)
    }

    /// Appends a field of a record: `name:layout`.
    ///
    /// The old names and the default are not part of the layout: only migrations use them.
    ///
    /// - Parameters:
    ///   - name: The stored name of the field.
    ///   - coding: The coding of the field.
    ///   - oldNames: The names of the field in older records, the oldest first.
    ///   - makeDefault: Returns the value for older records without the field.
    public mutating func field<Coding: FieldCoding>(
        _ name: String, _ coding: Coding.Type, renamedFrom oldNames: [String] = [],
        default makeDefault: (@Sendable () -> Coding.Value)? = nil
    ) {
        separate()
        if !oldNames.isEmpty || makeDefault != nil {
            rules[text.utf8.count] = FieldRule(
                oldNames: oldNames, defaultValue: makeDefault.map { DefaultValue(coding, $0) })
        }
        append(name: name)
        text += ":"
        coding.describe(in: &self)
    }

    /// Marks the only field as a field with keys of other records.
    package mutating func setReferences(_ references: ReferenceRule) {
        rules[0, default: FieldRule()].references = references
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
    ///   - values: Calls `field` for each value with a label, and `value` for each value without a label.
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
