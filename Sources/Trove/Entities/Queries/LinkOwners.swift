// The entities whose links are a source of keys.

import LMDB
import TroveCoding

/// The entities whose links are walked.
enum LinkOwners: Sendable {
    /// Entities with these keys, stored or not. The keys are distinct.
    case keys([[UInt8]])
    /// The entities with these keys, if they are stored. The keys are distinct.
    case entities([[UInt8]], RecordSchema)
    /// The entities found by a query, in its order. In a run, the scan that finds them.
    case query(any OwnerQuery, OwnerScan?)

    /// The number of entities at most; nil if it is not known before the run.
    var knownCount: Int? {
        switch self {
        case .keys(let keys), .entities(let keys, _): keys.count
        case .query: nil
        }
    }

    /// The number of queries that run within each other to find the entities.
    var depth: Int { if case .query(let query, _) = self { query.depth } else { 0 } }
}

/// The stored entities among some entities.
final class StoredOwners: OwnerStream {
    private var keys: ArraySlice<[UInt8]>
    private let schema: RecordSchema
    private let context: ReadContext

    init(_ keys: [[UInt8]], _ schema: RecordSchema, in context: ReadContext) {
        self.keys = keys[...]
        self.schema = schema
        self.context = context
    }

    func next() throws -> [UInt8]? {
        while let key = keys.popFirst() {
            if try context.hasRecord(schema, key) { return key }
        }
        return nil
    }
}
