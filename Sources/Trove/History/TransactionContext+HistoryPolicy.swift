// Begins a history, changes its rules, or ends it.

import LMDB
import TroveCoding

extension TransactionContext {
    /// Records the changes of this transaction if the store keeps a history.
    func recordHistory() {
        if catalogSnapshot.history != nil { recorder = part(TransactionHistory.self) }
    }

    /// Sets the rules for the history; nil removes the history.
    ///
    /// The first commit of a history has an entry of its own, so that each history has a position to go on from.
    func setHistory(_ rules: CatalogHistory?) throws {
        try use(.history)
        try translatingErrors {
            let catalog = try catalogStorage()
            let old = try catalog.history()
            try catalog.setHistory(rules)
            try beginSchemaEpoch(catalog)
            // Followers of the history read it again.
            changedKeys.noteAny(HistoryRow.schema.keyPrefix)
            // Also the rows of a salvaged store, whose commits may be lost.
            if rules == nil || old == nil, let table = try table(for: HistoryRow.schema) {
                try keyspace.deleteAll(table.database)
            }
            guard let rules else {
                recorder = nil
                return
            }
            let history = parts.begin(TransactionHistory(rules, begins: old == nil, in: self))
            recorder = history
            // The history lacks changes of types that were left out until now.
            let types = try catalog.types()
            for keyPrefix in (old?.excluded ?? []).subtracting(rules.excluded).sorted() {
                guard let type = types[keyPrefix] else { continue }
                [UInt8]().withRawSpan { history.record(.any, of: $0, keyPrefix, type, tombstone: nil) }
            }
        }
    }
}
