// JSON from an unknown source: copied to a single line without control characters, or rejected.

extension Unicode.Scalar {
    /// Whether the scalar is a control character, or ends a line in some programs.
    package var isControlOrLineEnd: Bool {
        value < 0x20 || (0x7F...0x9F).contains(value) || (0x2028...0x2029).contains(value)
    }

    /// The escape of the scalar in JSON strings: four digits, enough for all control characters.
    package var jsonEscape: String {
        let digits = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

/// A reader of JSON by its grammar (RFC 8259). It copies the tokens without the space between them.
struct CompactJSON {
    private var rest: Substring.UnicodeScalarView
    private var text = ""
    private var depth = 0

    /// The maximum number of levels of arrays and objects, as in Foundation.
    private static let depthLimit = 512

    private struct Malformed: Error {}

    private init(_ json: String) { rest = json[...].unicodeScalars }

    /// Returns the JSON on a single line; nil if the text is not JSON.
    static func text(_ json: String) -> String? {
        var reader = CompactJSON(json)
        do throws(Malformed) {
            try reader.copyValue()
        } catch {
            return nil
        }
        return reader.rest.isEmpty ? reader.text : nil
    }

    // MARK: Values

    private mutating func copyValue() throws(Malformed) {
        skipSpace()
        switch rest.first {
        case "{":
            try copyList(closing: "}") { (reader) throws(Malformed) in
                reader.skipSpace()
                try reader.copyString()
                reader.skipSpace()
                try reader.copy(":")
                try reader.copyValue()
            }
        case "[": try copyList(closing: "]") { (reader) throws(Malformed) in try reader.copyValue() }
        case "\"": try copyString()
        case "t": try copy("true")
        case "f": try copy("false")
        case "n": try copy("null")
        default: try copyNumber()
        }
        skipSpace()
    }

    private mutating func copyList(
        closing end: Unicode.Scalar, _ copyElement: (inout CompactJSON) throws(Malformed) -> Void
    ) throws(Malformed) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw Malformed() }
        advance()
        skipSpace()
        if rest.first == end { return advance() }
        while true {
            try copyElement(&self)
            guard let next = rest.first, next == "," || next == end else { throw Malformed() }
            advance()
            if next == end { return }
        }
    }

    private mutating func copyString() throws(Malformed) {
        try copy("\"")
        while let scalar = rest.first, scalar != "\"" {
            guard scalar.value >= 0x20 else { throw Malformed() }
            if scalar == "\\" {
                advance()
                guard let escape = rest.first, "\"\\/bfnrtu".unicodeScalars.contains(escape) else { throw Malformed() }
                advance()
                if escape == "u" {
                    for _ in 0..<4 {
                        guard let digit = rest.first, digit.isASCII, digit.properties.isHexDigit else {
                            throw Malformed()
                        }
                        advance()
                    }
                }
            } else if scalar.isControlOrLineEnd {
                text += scalar.jsonEscape
                rest.removeFirst()
            } else {
                advance()
            }
        }
        try copy("\"")
    }

    private mutating func copyNumber() throws(Malformed) {
        if rest.first == "-" { advance() }
        if rest.first == "0" { advance() } else { try copyDigits() }
        if rest.first == "." {
            advance()
            try copyDigits()
        }
        if rest.first == "e" || rest.first == "E" {
            advance()
            if rest.first == "+" || rest.first == "-" { advance() }
            try copyDigits()
        }
    }

    // MARK: Scalars

    private mutating func copyDigits() throws(Malformed) {
        guard let first = rest.first, ("0"..."9").contains(first) else { throw Malformed() }
        while let digit = rest.first, ("0"..."9").contains(digit) { advance() }
    }

    private mutating func copy(_ token: String) throws(Malformed) {
        for scalar in token.unicodeScalars {
            guard rest.first == scalar else { throw Malformed() }
            advance()
        }
    }

    /// Copies a scalar.
    private mutating func advance() { text.unicodeScalars.append(rest.removeFirst()) }

    private mutating func skipSpace() { rest = rest.drop { " \t\n\r".unicodeScalars.contains($0) } }
}
