// A reader of the tokens of a JSON text (RFC 8259). The caller knows from a layout which token comes next.

/// A position in a JSON text.
struct JSONReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Returns the error of a token that is not the expected token.
    ///
    /// - Parameter found: The text of the token; nil if it is not one of a value.
    func mismatch(_ expected: String, found: String? = nil) -> JSONError {
        JSONError(offset: position, expected: expected, found: found)
    }

    /// Returns the text from another position up to this position; nil if it is empty.
    func text(since start: JSONReader) -> String? {
        start.position < position ? String(decoding: bytes[start.position..<position], as: UTF8.self) : nil
    }

    // MARK: Punctuation

    /// The next byte that is not white space; nil at the end.
    mutating func peek() -> UInt8? {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            case let byte: return byte
            }
        }
        return nil
    }

    /// Moves past a character, and returns whether it came next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func expect(_ character: Unicode.Scalar, _ expected: String? = nil) throws(JSONError) {
        guard take(character) else { throw mismatch(expected ?? "“\(character)”") }
    }

    /// Moves past `null`, and returns whether it came next.
    mutating func takeNull() -> Bool {
        guard peek() == UInt8(ascii: "n"), bytes[position...].starts(with: "null".utf8) else { return false }
        position += 4
        return true
    }

    /// - Throws: ``JSONError`` if anything but white space is left.
    mutating func finish() throws(JSONError) {
        guard peek() == nil else { throw mismatch("the end of the line") }
    }

    // MARK: Values

    /// Reads a string, a number, `true` or `false`; nil for any other token.
    mutating func scalar() throws(JSONError) -> JSONToken? {
        switch peek() {
        case UInt8(ascii: "\"")?: return .string(try string("a string"))
        case UInt8(ascii: "["), UInt8(ascii: "{"), nil: return nil
        default:
            let start = position
            let text = plain()
            guard text == "true" || text == "false" || Self.isNumber(text) else {
                position = start
                return nil
            }
            return .plain(text)
        }
    }

    private static func isNumber(_ text: String) -> Bool {
        var cursor = DigitCursor(text)
        _ = cursor.take("-")
        return (cursor.take("0") || cursor.skipDigits()) && cursor.skipFractionAndExponent() && cursor.isAtEnd
    }

    /// Reads a string, and resolves its escapes.
    mutating func string(_ expected: String) throws(JSONError) -> String {
        try expect("\"", expected)
        var content: [UInt8] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            let byte = bytes[position]
            guard byte >= 0x20 else { throw mismatch("an escape of the control character") }
            position += 1
            if byte == UInt8(ascii: "\\") {
                content += String(try escape()).utf8
            } else {
                content.append(byte)
            }
        }
        try expect("\"", "the end of the string")
        // Parts of a string, and so UTF-8.
        return String(decoding: content, as: UTF8.self)
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        let byte = position < bytes.count ? bytes[position] : 0
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default:
            position -= 1
            throw mismatch("an escape")
        }
    }

    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let start = position
        if first < 0xDC00, bytes[position...].starts(with: #"\u"#.utf8) {
            position += 2
            let second = try codeUnit()
            if (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + UInt32(second) - 0xDC00)
            {
                return scalar
            }
        }
        position = start
        throw mismatch("the other half of a surrogate pair")
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        let end = position + 4
        guard end <= bytes.count, bytes[position..<end].allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
            let unit = UInt16(String(decoding: bytes[position..<end], as: UTF8.self), radix: 16)
        else { throw mismatch("four hexadecimal digits") }
        position = end
        return unit
    }

    /// Reads any value, and returns its text without the white space between tokens.
    mutating func json() throws(JSONError) -> String {
        _ = peek()
        let start = position
        var depth = 0
        repeat {
            switch peek() {
            case UInt8(ascii: "\"")?: skipString()
            case UInt8(ascii: "[")?, UInt8(ascii: "{")?:
                depth += 1
                position += 1
            case UInt8(ascii: "]")?, UInt8(ascii: "}")?:
                depth -= 1
                position += 1
            case UInt8(ascii: ",")? where depth > 0, UInt8(ascii: ":")? where depth > 0: position += 1
            case nil: depth = 0
            default: _ = plain()
            }
        } while depth > 0
        let end = min(position, bytes.count)
        guard start < end, let text = CompactJSON.text(String(decoding: bytes[start..<end], as: UTF8.self)) else {
            position = start
            throw mismatch("JSON")
        }
        return text
    }

    private mutating func skipString() {
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position += 1
    }

    private static func endsPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: ","),
            UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"),
            UInt8(ascii: "\""):
            true
        default: false
        }
    }

    /// Reads the characters up to the next that ends a number or a word.
    private mutating func plain() -> String {
        let start = position
        while position < bytes.count, !Self.endsPlain(bytes[position]) { position += 1 }
        // A character that begins no value is read too, so that each call moves on.
        if position == start { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }
}
