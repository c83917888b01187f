// Runs a query with nested requests.

import LMDB
import TroveCoding

extension Query {
    /// Calls a closure with each matching entity with its requested relations, until the closure returns `.stop`.
    ///
    /// The relations of some entities are read together. In a write transaction, the closure may change the entities
    /// that come next and their links, so they are read one by one.
    @usableFromInline
    func visitGraphs(in source: some RecordReadable, _ body: (Record) throws -> ScanControl) throws {
        try source.reading { context in
            try context.logged(self) { trace in
                guard let run = try QueryRun(self, in: context, for: .each, trace: &trace) else { return }
                let count = context.core.isReadOnly ? graphsAtATime : 1
                var records: [Record] = []
                var control = ScanControl.continue
                func deliver() throws {
                    let graphs = try completed(records, in: context)
                    records.removeAll(keepingCapacity: true)
                    for graph in graphs where control == .continue { control = try body(graph) }
                }
                try run.forEach(context) { matches, index, table in
                    records.append(try Record.decode(matches[index], table))
                    if records.count == count { try deliver() }
                    return control
                }
                if control == .continue { try deliver() }
            }
        }
    }
}

/// The number of entities whose relations a scan reads together.
private let graphsAtATime = 256
