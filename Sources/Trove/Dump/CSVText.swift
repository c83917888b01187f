// Rows of comma-separated values (RFC 4180), written and read.
//
//     row   = field ("," field)*
//     field = any characters except , " CR LF | '"' (any characters except " | '""')* '"'
//
// A field in quotes and the same field without are different here: an empty field is nil, and `""` an empty text.

/// A field of a row.
struct CSVField: Hashable {
    var text: String
    var isQuoted: Bool
}

enum CSVText {
    /// Returns the text of a row. Quotes are written only where the text needs them.
    ///
    /// - Parameter fields: The fields; an empty field is quoted if `isQuoted` is set.
    static func row(_ fields: [CSVField]) -> String {
        fields.map { field in
            let needsQuotes = field.text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
            guard needsQuotes || field.text.isEmpty && field.isQuoted else { return field.text }
            return "\"" + field.text.replacingScalar("\"", with: "\"\"") + "\""
        }.joined(separator: ",")
    }
}

extension String {
    /// Returns the text with another one in place of each occurrence of a scalar.
    ///
    /// What reads quotes looks for bytes, as SQLite, shells and readers of CSV do. As a `Character`, a quote before a
    /// combining mark is another one, and would be left out.
    package func replacingScalar(_ scalar: Unicode.Scalar, with text: String) -> String {
        unicodeScalars.split(separator: scalar, omittingEmptySubsequences: false).map { String($0) }
            .joined(separator: text)
    }
}
