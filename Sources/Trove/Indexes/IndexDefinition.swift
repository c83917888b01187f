// The definition of an index: its columns and its condition, as the catalog stores them.
//
//     definition = column { "," column } [ " where " condition ]
//     name       = label { "," label } [ " where " condition ]
//
// `column` and `label` are in IndexColumn.swift. The condition is a text that only its program can evaluate. Stores
// contain both texts: they never change.

import TroveCoding

/// The definition of an index. A changed definition means a new index, which is built from the records.
struct IndexDefinition: Hashable, Sendable {
    let columns: [IndexColumn]
    /// The text of the condition; nil for an index of all records.
    let condition: String?

    init(_ columns: [IndexColumn], where condition: String? = nil) {
        self.columns = columns
        self.condition = condition
    }

    /// The persisted text.
    var text: String { columns.map(\.text).joined(separator: ",") + suffix }

    /// The index's persisted name, such as `lastName,firstName desc`.
    var name: String { columns.map(\.label).joined(separator: ",") + suffix }

    private static let separator = " where "

    private var suffix: String { condition.map { Self.separator + $0 } ?? "" }
}

extension IndexDefinition {
    /// Parses a persisted definition.
    ///
    /// Names and types may contain any character, commas included. So each column is matched with the possible columns
    /// of the layout's properties; the longest match counts.
    ///
    /// - Returns: Nil if a column is not a property of the layout, or has another type there.
    init?(parsing text: String, in layout: RecordLayout) {
        let possible = (layout.key + layout.fields).flatMap { field in
            IndexColumn.Form.allCases.map { IndexColumn(field.name, $0, type: "\(field.type)") }
        }
        var rest = text[...]
        var columns: [IndexColumn] = []
        repeat {
            if !columns.isEmpty { rest = rest.dropFirst() }
            let matching = possible.filter { rest.hasPrefix($0.text) }
            guard let column = matching.max(by: { $0.text.count < $1.text.count }) else { return nil }
            columns.append(column)
            rest = rest.dropFirst(column.text.count)
        } while rest.first == ","
        if rest.isEmpty {
            self.init(columns)
        } else {
            guard rest.hasPrefix(Self.separator) else { return nil }
            self.init(columns, where: String(rest.dropFirst(Self.separator.count)))
        }
    }
}
