// A CSV file and its rows, read by column name. Errors give the file, row and column.

import Foundation
import SwiftCSV

/// An error in a data file.
struct DataFileError: Error, CustomStringConvertible {
    let description: String
}

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

/// A CSV file with a header.
struct CSVFile {
    private let name: String
    /// The whole text: the parser does not read streams.
    private let text: String

    /// Reads a file into memory.
    init(_ url: URL) throws {
        name = url.lastPathComponent
        text = try String(contentsOf: url, encoding: .utf8)
    }

    /// The number of rows below the header, counted by line ends: exact enough for a progress bar.
    var estimatedCount: Int {
        max(0, text.utf8.count { $0 == UInt8(ascii: "\n") } - 1)
    }

    /// Parses the file row by row.
    ///
    /// The parser cannot be stopped, so after an error the remaining rows are skipped and the error is thrown at the
    /// end.
    func forEach(_ body: @escaping (CSVRow) throws -> Void) throws {
        // `rowLimit: 0` reads the header only; the rows then stream through the enumeration.
        let csv = try EnumeratedCSV(string: text, delimiter: .comma, loadColumns: false, rowLimit: 0)
        let columns = Dictionary(zip(csv.header, csv.header.indices), uniquingKeysWith: { first, _ in first })
        var number = 0
        var failure: (any Error)?
        try csv.enumerateAsArray(startAt: 1, rowLimit: nil) { cells in
            number += 1
            guard failure == nil else { return }
            do {
                try body(CSVRow(file: name, number: number, columns: columns, cells: cells))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
