// A parser of layout texts. `LayoutBuilder.swift` has the grammar.

/// A recursive-descent parser of layouts. Any text at all gives a layout or an error.
struct LayoutParser {
    /// The maximum depth of types in a text. Values can be deeper through `^n`: `Nesting` limits them.
    private static let depthLimit = ValueWriter.depthLimit

    private let bytes: [UInt8]
    private let rules: [Int: FieldRule]
    private var position = 0
    private var depth = 0

    /// - Parameter rules: The migration rules of fields, by the offsets of their names.
    init(_ text: String, rules: [Int: FieldRule] = [:]) {
        bytes = Array(text.utf8)
        self.rules = rules
    }

    /// Parses `(component,…){field,…}` to the end of the text.
    mutating func parseRecord() throws(CodingError) -> RecordLayout {
        let key = try list("(", ")") { (parser) throws(CodingError) in try parser.field() }
        let fields = try list("{", "}") { (parser) throws(CodingError) in try parser.field() }
        try finish()
        return RecordLayout(key: key, fields: fields)
    }

    /// Parses `name:layout` to the end of the text.
    mutating func parseField() throws(CodingError) -> LayoutField {
        let field = try field()
        try finish()
        return field
    }

    /// Parses a type to the end of the text.
    mutating func parseType() throws(CodingError) -> LayoutType {
        let type = try type()
        try finish()
        return type
    }

    private func finish() throws(CodingError) {
        guard position == bytes.count else { throw CodingError(.trailingBytes(bytes.count - position), at: position) }
    }

    // MARK: Types

    private mutating func type() throws(CodingError) -> LayoutType {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw CodingError(.tooDeep(limit: Self.depthLimit), at: position) }
        var type = try unwrappedType()
        var levels = depth
        while take("?") {
            levels += 1
            guard levels <= Self.depthLimit else { throw CodingError(.tooDeep(limit: Self.depthLimit), at: position) }
            type = .optional(type)
        }
        return type
    }

    private mutating func unwrappedType() throws(CodingError) -> LayoutType {
        switch peek {
        case UInt8(ascii: "["): return try bracketed()
        case UInt8(ascii: "{"):
            return .record(try list("{", "}") { (parser) throws(CodingError) in try parser.field() })
        case UInt8(ascii: "("):
            return .tuple(try list("(", ")") { (parser) throws(CodingError) in try parser.type() })
        case UInt8(ascii: "^"): return .enclosing(try level())
        default: return try named()
        }
    }

    private mutating func bracketed() throws(CodingError) -> LayoutType {
        try expect("[")
        let first = try type()
        guard take(":") else {
            try expect("]")
            return .array(first)
        }
        let value = try type()
        try expect("]")
        return .dictionary(key: first, value: value)
    }

    private mutating func named() throws(CodingError) -> LayoutType {
        let start = position
        let name = identifier()
        switch (name, peek) {
        case ("Set", UInt8(ascii: "<")): return .set(try argument())
        case ("desc", UInt8(ascii: "<")): return .descending(try argument())
        case ("enum", UInt8(ascii: "<")): return .rawValue(try argument())
        case ("enum", UInt8(ascii: "{")):
            return .enumeration(try list("{", "}") { (parser) throws(CodingError) in try parser.enumCase() })
        case ("json", UInt8(ascii: "<")):
            try expect("<")
            let type = try self.name()
            try expect(">")
            return .json(name: type)
        default: break
        }
        if let scalar = ScalarLayout.named[name] { return .scalar(scalar) }
        guard !name.isEmpty else { throw malformed("a type", at: start) }
        return .other(name)
    }

    /// Parses `<type>`.
    private mutating func argument() throws(CodingError) -> LayoutType {
        try expect("<")
        let type = try type()
        try expect(">")
        return type
    }

    private mutating func level() throws(CodingError) -> Int {
        try expect("^")
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard let level = Int(String(decoding: bytes[start..<position], as: UTF8.self)), level > 0 else {
            throw malformed("a number of levels", at: start)
        }
        return level
    }

    // MARK: Fields, cases and names

    private mutating func field() throws(CodingError) -> LayoutField {
        let start = position
        let name = try name()
        try expect(":")
        var field = LayoutField(name, try type())
        if let rule = rules[start] { field.rule = rule }
        return field
    }

    private mutating func enumCase() throws(CodingError) -> LayoutCase {
        let name = try name()
        guard peek == UInt8(ascii: "(") else { return LayoutCase(name) }
        return LayoutCase(
            name, try list("(", ")") { (parser) throws(CodingError) in try parser.associatedValue() })
    }

    /// Parses `label:type` or `type`: a label is a name before a colon.
    private mutating func associatedValue() throws(CodingError) -> LayoutCase.Value {
        let start = position
        if peek == UInt8(ascii: "\"") || isIdentifierByte(peek) {
            let label = try name()
            if take(":") { return LayoutCase.Value(label: label, type: try type()) }
            position = start
        }
        return LayoutCase.Value(label: nil, type: try type())
    }

    private mutating func name() throws(CodingError) -> String {
        guard take("\"") else {
            let start = position
            let name = identifier()
            guard !name.isEmpty else { throw malformed("a name", at: start) }
            return name
        }
        var name: [UInt8] = []
        while let byte = peek {
            position += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: name, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = peek else { break }
                position += 1
                name.append(escaped)
            } else {
                name.append(byte)
            }
        }
        throw malformed("a closing quote", at: position)
    }

    private mutating func identifier() -> String {
        let start = position
        while isIdentifierByte(peek) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private func isIdentifierByte(_ byte: UInt8?) -> Bool {
        switch byte {
        case (UInt8(ascii: "a")...UInt8(ascii: "z"))?, (UInt8(ascii: "A")...UInt8(ascii: "Z"))?,
            (UInt8(ascii: "0")...UInt8(ascii: "9"))?, UInt8(ascii: "_"):
            true
        default: false
        }
    }

    // MARK: Tokens

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ token: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: token) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ token: Unicode.Scalar) throws(CodingError) {
        guard take(token) else { throw malformed("“\(token)”", at: position) }
    }

    /// Parses elements between commas, or an empty list.
    private mutating func list<Element>(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar,
        _ element: (inout LayoutParser) throws(CodingError) -> Element
    ) throws(CodingError) -> [Element] {
        try expect(open)
        var elements: [Element] = []
        if take(close) { return elements }
        repeat { elements.append(try element(&self)) } while take(",")
        try expect(close)
        return elements
    }

    private func malformed(_ expected: String, at offset: Int) -> CodingError {
        CodingError(.malformed(expected: expected), at: offset)
    }
}
