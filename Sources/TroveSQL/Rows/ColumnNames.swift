// The names of the columns of rows, shared by the rows.

/// The names of the columns of rows.
final class ColumnNames: Sendable {
    let names: [String]
    private let ordinals: [String: Int]

    init(_ names: [String]) {
        self.names = names
        ordinals = Dictionary(names.enumerated().map { ($1.asciiLowercased, $0) }) { first, _ in first }
    }

    /// Returns the first column with a name, in any case of ASCII letters; nil if there is none.
    func ordinal(of name: String) -> Int? { ordinals[name.asciiLowercased] }
}
