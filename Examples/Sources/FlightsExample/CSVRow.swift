// A row of a CSV file, read by column name. Errors give the file, row and column.

import Foundation

/// A row of cells, read by the column names of the file's header; `NA` is a missing value.
struct CSVRow {
    let file: String
    let number: Int
    let columns: [String: Int]
    let cells: [String]

    /// Returns the text of a cell; nil for `NA`.
    func optionalText(_ column: String) throws -> String? {
        guard let index = columns[column], index < cells.count else {
            throw DataFileError(description: "\(file), row \(number): there is no column \"\(column)\"")
        }
        return cells[index] == "NA" ? nil : cells[index]
    }

    /// Returns the text of a cell; throws for `NA`.
    func text(_ column: String) throws -> String {
        guard let text = try optionalText(column) else { throw unexpected("NA", in: column) }
        return text
    }

    /// Returns the number in a cell; nil for `NA`.
    func optional<Number: LosslessStringConvertible>(_ column: String, as type: Number.Type = Number.self) throws
        -> Number?
    {
        guard let text = try optionalText(column) else { return nil }
        guard let number = Number(text) else { throw unexpected(text, in: column) }
        return number
    }

    /// Returns the number in a cell; throws for `NA`.
    func number<Number: LosslessStringConvertible>(_ column: String, as type: Number.Type = Number.self) throws
        -> Number
    {
        guard let number = try optional(column, as: type) else { throw unexpected("NA", in: column) }
        return number
    }

    /// Returns an instant, such as `2013-01-01T10:00:00Z`.
    func instant(_ column: String) throws -> Date {
        let text = try text(column)
        do {
            return try Date(text, strategy: .iso8601)
        } catch {
            throw unexpected(text, in: column)
        }
    }

    private func unexpected(_ text: String, in column: String) -> DataFileError {
        DataFileError(description: "\(file), row \(number): column \"\(column)\" cannot be \"\(text)\"")
    }
}
