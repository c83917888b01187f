// Full-text indexes with damaged rows, in a write transaction: they are emptied, to be built again.

import LMDB
import TroveCoding

extension TransactionContext {
    /// Calls a closure that removes records of a type. A full-text index of the type with a damaged row is marked for a
    /// rebuild, and the closure is called again.
    func ignoringDamagedTexts<R>(of schema: RecordSchema, _ body: (TransactionContext) throws -> R) throws -> R {
        guard schema.hasTexts else { return try body(self) }
        do {
            return try nested { context in
                let result = try body(context)
                // Damaged postings show here, and not at the commit.
                try context.texts.flush(schema.keyPrefix)
                return result
            }
        } catch StoreError.record(.indexDamaged(let type, let index, let key)) {
            guard try emptyDamagedText(index, of: schema) else {
                throw StoreError.record(.indexDamaged(type: type, index: index, key: key))
            }
            return try ignoringDamagedTexts(of: schema, body)
        }
    }

    /// Empties a full-text index before a rebuild, or all of the type's if the record numbers are damaged.
    ///
    /// - Parameter index: The name of the index in the error of the damaged row.
    /// - Returns: False if the type has no such full-text index.
    func emptyDamagedText(_ index: String, of schema: RecordSchema) throws -> Bool {
        try translatingErrors {
            guard var stored = try catalogStorage().type(schema.keyPrefix) else { return false }
            let damaged = stored.indexes.filter { stored in
                stored.value.kind == .fullText && (index == RecordNumberParts.name || index == stored.value.text)
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
