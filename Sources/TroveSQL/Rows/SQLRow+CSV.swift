// Rows as comma-separated values (RFC 4180), as dumps have them.

extension SQLRow {
    /// Returns values as a row without a line end. NULL is an empty field, and an empty text is `""`; a blob has
    /// hexadecimal digits.
    package static func csv(of values: [SQLValue]) -> String {
        values.map { value in
            switch value {
            case .null: return ""
            case .integer(let number): return "\(number)"
            case .real(let number): return "\(number)"
            case .text(let text):
                let needsQuotes = text.isEmpty || text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
                guard needsQuotes else { return text }
                return "\"" + text.replacingScalar("\"", with: "\"\"") + "\""
            case .blob: return String(value.json.dropFirst().dropLast())
            }
        }.joined(separator: ",")
    }
}
