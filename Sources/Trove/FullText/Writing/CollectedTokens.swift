// The tokens that an analyzer of an application makes of a record, collected before any of them is stored.

import LMDB
import TroveCoding

/// The words of a record and their positions, by field.
struct CollectedTokens {
    private var fields: [[(term: [UInt8], position: Int)]] = []

    /// Collects the words of a record. The application's function cannot use the transaction meanwhile: the record is
    /// written already, and its words are not.
    ///
    /// - Parameter columns: The texts of the record.
    init(_ columns: ByteView, _ rule: TextRule, _ keyspace: Keyspace) throws {
        keyspace.core.openValue()
        defer { keyspace.core.closeValue() }
        var offset = 0
        for _ in rule.weights {
            var tokens: [(term: [UInt8], position: Int)] = []
            TextColumn.forEachWord(columns, from: &offset, rule.analyzer) { term, position in
                tokens.append((copiedBytes(term), position))
            }
            fields.append(tokens)
        }
    }

    /// Adds the words of a field.
    func forEach(in field: Int, _ add: WordAdding) throws {
        guard fields.indices.contains(field) else { return }
        for token in fields[field] { try token.term.withRawSpan { try add($0, token.position) } }
    }
}
