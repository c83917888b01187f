// The definition of an index: its columns and its condition, as the catalog stores them.
//
//     definition = columns [ " by " analyzer [ " unordered" ] ] [ " where " condition ]
//     columns    = column { "," column } | "*"      "*": no columns, in an index of totals
//     name       = [ label { "," label } ] [ " by " rule ] [ " of " label { "," label } ] [ " where " condition ]
//                                             without a blank at its begin
//                | label                      gathered text
//
// `column` and `label` are in IndexColumn.swift. A full-text index has an analyzer, which ends with `#` and 16
// hexadecimal digits; the rule is the analyzer without them, and not written for `standard/1`, the usual analyzer. The
// condition is a text that only its program can evaluate. An index of totals may have no columns. Its columns of
// numbers are last, and after `of` in the name. Stores contain both texts: they never change.

import TroveCoding

/// The definition of an index. A changed definition means a new index, which is built from the records.
struct IndexDefinition: Hashable, Sendable {
    /// The analyzer of a full-text index.
    struct Analyzer: Hashable, Sendable {
        /// The name, the version and the fingerprint.
        let text: String
        let keepsOrder: Bool

        /// The analyzer without its fingerprint.
        var rule: Substring { text.dropLast(Self.fingerprintSize) }

        fileprivate static let fingerprintSize = 17
    }

    let columns: [IndexColumn]
    /// The analyzer; nil for an index of another kind than full text.
    let analyzer: Analyzer?
    /// The text of the condition; nil for an index of all records.
    let condition: String?

    init(_ columns: [IndexColumn], by analyzer: Analyzer? = nil, where condition: String? = nil) {
        self.columns = columns
        self.analyzer = analyzer
        self.condition = condition
    }

    /// The persisted text.
    var text: String {
        let analyzer = analyzer.map { Self.by + $0.text + ($0.keepsOrder ? "" : Self.unordered) } ?? ""
        let texts = columns.isEmpty ? Self.noColumns : columns.map(\.text).joined(separator: ",")
        return texts + analyzer + suffix
    }

    /// The index's persisted name, such as `lastName,firstName desc`.
    var name: String {
        if columns.first?.form == .gathered { return columns[0].label }
        let rule = analyzer.map { $0.rule == Self.usualRule ? "" : Self.by + $0.rule } ?? ""
        let sums = columns.suffix(sumCount).map(\.label).joined(separator: ",")
        let groups = columns.dropLast(sumCount).map(\.label).joined(separator: ",")
        let name = groups + rule + (sumCount == 0 ? "" : Self.of + sums) + suffix
        return groups.isEmpty ? String(name.drop { $0 == " " }) : name
    }

    /// The number of columns whose numbers are added up: the last ones.
    var sumCount: Int { columns.count { $0.form == .sum } }

    private static let usualRule = "standard/1"
    private static let of = " of "
    private static let noColumns = "*"
    fileprivate static let by = " by "
    fileprivate static let unordered = " unordered"
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
            IndexColumn.Form.allCases.filter { $0 != .gathered }.map {
                IndexColumn(field.name, $0, type: "\(field.type)")
            }
        }
        var rest = text[...]
        var columns: [IndexColumn] = []
        if let column = IndexColumn(gatheredIn: &rest, before: Self.by) {
            self.init([column], by: Analyzer(parsing: &rest, after: Self.by, unordered: Self.unordered))
            return
        }
        repeat {
            if !columns.isEmpty { rest = rest.dropFirst() }
            let matching = possible.filter { rest.hasPrefix($0.text) }
            guard let column = matching.max(by: { $0.text.count < $1.text.count }) else {
                guard columns.isEmpty, rest.hasPrefix(Self.noColumns) else { return nil }
                rest = rest.dropFirst(Self.noColumns.count)
                break
            }
            columns.append(column)
            rest = rest.dropFirst(column.text.count)
        } while rest.first == ","
        let analyzer = Analyzer(parsing: &rest, after: Self.by, unordered: Self.unordered)
        if rest.isEmpty {
            self.init(columns, by: analyzer)
        } else {
            guard rest.hasPrefix(Self.separator) else { return nil }
            self.init(columns, by: analyzer, where: String(rest.dropFirst(Self.separator.count)))
        }
    }
}

extension IndexDefinition.Analyzer {
    /// Finds the analyzer in a definition; nil if it has none.
    init?(in definition: String) {
        var rest = definition[...]
        while !rest.isEmpty {
            var analyzer = rest
            if let found = Self(parsing: &analyzer, after: IndexDefinition.by, unordered: IndexDefinition.unordered) {
                self = found
                return
            }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Parses the analyzer at the beginning of a text, and removes it; nil if there is none.
    fileprivate init?(parsing rest: inout Substring, after prefix: String, unordered: String) {
        guard rest.hasPrefix(prefix) else { return nil }
        let text = rest.dropFirst(prefix.count)
        var place = text.firstIndex(of: "#")
        while let sign = place {
            let digits = text[sign...].dropFirst().prefix(Self.fingerprintSize - 1)
            if digits.count == Self.fingerprintSize - 1, digits.allSatisfy(\.isHexDigit) {
                rest = text[digits.endIndex...]
                let keepsOrder = !rest.hasPrefix(unordered)
                if !keepsOrder { rest = rest.dropFirst(unordered.count) }
                self.init(text: String(text[..<digits.endIndex]), keepsOrder: keepsOrder)
                return
            }
            place = text[sign...].dropFirst().firstIndex(of: "#")
        }
        return nil
    }
}
