// The tables of a full-text index.
//
//     part 0 tails and statistics · 1 words · 2 blocks · 3 documents · 4 lengths · 5 waiting
//
// Each part is a tree of its own, since a tree filled at several places has half-empty pages. Rows/ has the picture of
// each row.

import LMDB
import TroveCoding

/// The number of a part within a full-text index. A number never changes its meaning.
enum TextPart: UInt32, CaseIterable {
    /// The latest postings of each word (TailRow.swift), and the statistics (TextStatistics.swift).
    case tails = 0
    /// The number of each word (WordKey.swift).
    case words = 1
    /// The earlier postings (PostingBlock.swift).
    case blocks = 2
    /// The words of each record (DocumentRow.swift).
    case documents = 3
    /// The length of each record (LengthPage.swift).
    case lengths = 4
    /// The records whose text is to be gathered. Created by indexes of gathered text only.
    case waiting = 5
}

extension TextParts {
    /// Returns the table of a part; nil for the waiting records of an index of the records' own text.
    subscript(_ part: TextPart) -> RowTable? {
        switch part {
        case .tails: tails
        case .words: words
        case .blocks: blocks
        case .documents: documents
        case .lengths: lengths
        case .waiting: waiting
        }
    }
}

/// The open tables of a full-text index.
final class TextParts: Sendable {
    /// The greatest number of fields of an index.
    static let fieldLimit = 15

    /// The number of fields.
    let fields: Int
    /// Whether documents keep the order of their words, as phrases require.
    let keepsOrder: Bool
    let tails: RowTable
    let words: RowTable
    let blocks: RowTable
    let documents: RowTable
    let lengths: RowTable
    /// The records that wait for their text; nil for an index of the records' own text.
    let waiting: RowTable?

    /// Opens the tables of an index.
    ///
    /// - Parameters:
    ///   - name: The name of the first part.
    ///   - fields: The number of fields, 1 to 15. Declarations and entries of the catalog are checked for it.
    ///   - isGathered: Whether the text is gathered.
    ///   - open: Returns the table with a name.
    init<Failure: Error>(
        _ name: TableName, type: String, index: String, fields: Int, keepsOrder: Bool, isGathered: Bool = false,
        verifiesChecksums: Bool, _ open: (TableName) throws(Failure) -> Database
    ) throws(Failure) {
        self.fields = fields
        self.keepsOrder = keepsOrder
        func table(_ part: TextPart) throws(Failure) -> RowTable {
            let name = name.part(part.rawValue)
            return RowTable(try open(name), name, type: type, index: index, verifiesChecksums: verifiesChecksums)
        }
        tails = try table(.tails)
        words = try table(.words)
        blocks = try table(.blocks)
        documents = try table(.documents)
        lengths = try table(.lengths)
        waiting = isGathered ? try table(.waiting) : nil
    }

    /// The tables of all parts, in the order of the parts.
    var tables: [(part: TextPart, table: RowTable)] {
        TextPart.allCases.compactMap { part in self[part].map { (part, $0) } }
    }

    /// The databases of all parts.
    var databases: [Database] { tables.map(\.table.database) }
}

extension TextParts {
    /// Returns the names of the tables of an index.
    ///
    /// - Parameter isGathered: Whether the text is gathered.
    static func names(_ name: TableName, isGathered: Bool) -> [TableName] {
        TextPart.allCases.filter { isGathered || $0 != .waiting }.map { name.part($0.rawValue) }
    }

    /// Removes all rows of the index. Its words get new numbers, so the known words from before are not valid.
    func removeAll(_ keyspace: Keyspace) throws {
        for database in databases { try keyspace.deleteAll(database) }
    }
}

extension TransactionContext {
    /// Creates the tables of a full-text index, unless they exist. The store uses full text from then on.
    func createTextParts(
        _ name: TableName, type: String, index: String, fields: Int, keepsOrder: Bool
    ) throws -> TextParts {
        try use(.text)
        return try TextParts(
            name, type: type, index: index, fields: fields, keepsOrder: keepsOrder,
            verifiesChecksums: verifiesChecksums
        ) { try keyspace.createTable(named: $0.text) }
    }
}
