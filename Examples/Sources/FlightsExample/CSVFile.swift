// A CSV file, parsed row by row.

import Foundation
import SwiftCSV

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
