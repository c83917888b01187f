// Indexes without entries, of full text or of totals, with damaged rows, in a write transaction: they are emptied, to
// be built again.

import LMDB
import TroveCoding

extension TransactionContext {
    /// Calls a closure that removes records of a type. An index of the type without entries that has a damaged row is
    /// marked for a rebuild, and the closure is called again.
    func ignoringDamagedRows<R>(of schema: RecordSchema, _ body: (TransactionContext) throws -> R) throws -> R {
        guard schema.hasRows else { return try body(self) }
        var emptied: Set<String> = []
        while true {
            do {
                return try nested { context in
                    let result = try body(context)
                    // Damaged postings and totals show here, and not at the commit.
                    if schema.hasTexts { try context.texts.flush(schema.keyPrefix) }
                    try context.flushTotals(of: schema.keyPrefix)
                    return result
                }
            } catch StoreError.record(.indexDamaged(let type, let index, let key)) {
                // An index that is damaged after it was emptied is an index of another type.
                guard emptied.insert(index).inserted, try emptyDamagedRows(index, of: schema) else {
                    throw StoreError.record(.indexDamaged(type: type, index: index, key: key))
                }
            }
        }
    }

    /// Empties an index without entries before a rebuild, or all full-text indexes of the type if the record numbers
    /// are damaged.
    ///
    /// - Parameter index: The name of the index in the error of the damaged row.
    /// - Returns: False if the type has no such index.
    func emptyDamagedRows(_ index: String, of schema: RecordSchema) throws -> Bool {
        try translatingErrors {
            guard var stored = try catalogStorage().type(schema.keyPrefix) else { return false }
            let damaged = stored.indexes.filter { stored in
                index == RecordNumberParts.name
                    ? stored.value.kind == .fullText : !stored.value.kind.hasEntries && index == stored.value.text
            }
            guard !damaged.isEmpty else { return false }
            try empty(damaged.keys.sorted(), of: &stored, schema.keyPrefix)
            try set(stored, schema.keyPrefix)
            try use(stored, for: schema)
            return true
        }
    }

    /// Empties indexes before a rebuild.
    ///
    /// With the last full-text index, the record numbers of the type are removed. If they are damaged, all full-text
    /// indexes of the type are emptied.
    func empty(_ numbers: [UInt32], of stored: inout CatalogType, _ prefix: UInt32) throws {
        for number in numbers { try empty(number, of: &stored, prefix) }
        let texts = stored.indexes.filter { $0.value.kind == .fullText }.keys
        guard texts.contains(where: numbers.contains) else { return }
        let others = texts.filter { !numbers.contains($0) }
        if !others.isEmpty, try hasSoundRecordNumbers(prefix) { return }
        for number in others { try empty(number, of: &stored, prefix) }
        try emptyRecordNumbers(prefix)
    }
}

extension RecordSchema {
    /// Whether the type has indexes without entries.
    var hasRows: Bool { indexes.contains { !$0.kind.hasEntries } }

    /// Returns whether the name of an index in an error is that of an index without entries, or of what they share.
    func hasRows(in index: String) -> Bool {
        index == RecordNumberParts.name ? hasTexts : indexes.contains { !$0.kind.hasEntries && $0.text == index }
    }
}
