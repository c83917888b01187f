// The levels of a graph: the entities of a query, their targets, the targets' targets.
//
// Each level holds the distinct entities of a request, and runs the requests nested in it for all of them together.
// Levels are on a stack of their own, so that a deep graph needs no deep recursion:
//
//     users                             level of the query
//     └ with User.chats                 1 read the links of all users, 2 look up their chats, each once
//       └ with Chat.messages            3 the same for all chats; 4 hand out the messages to the chats
//                                       5 hand out the chats to the users

import LMDB
import TroveCoding

/// A level of entities of any type.
protocol GraphLevelProtocol: AnyObject {
    /// Runs the next requests, up to a request whose targets have requests of their own.
    ///
    /// - Parameter depth: The number of this level, from 1.
    /// - Returns: The level of those targets, which must be completed before the next call; nil at the end.
    func advance(_ context: ReadContext, depth: Int) throws -> (any GraphLevelProtocol)?
}

/// The entities of a level, and the requests for their relations.
final class GraphLevel<Record: IndexKeyRecord>: GraphLevelProtocol {
    private(set) var records: [Record]
    private let keys: KeyList
    /// For each record, the index of its key.
    private let places: [Int32]
    private let steps: [any NestedStep<Record>]
    private var next = 0
    /// The targets of the last request.
    private var fetched: (any FetchedTargets<Record>)?

    /// Creates a level of records in any order, some of which can be equal.
    init(_ records: [Record], _ steps: [any NestedStep<Record>]) {
        var list = KeyList()
        for record in records { list.append(record.indexKey) }
        let distinct = SortedKeys(list)
        self.records = records
        self.steps = steps
        keys = distinct.keys
        places = distinct.places
    }

    /// Creates a level of distinct records in the order of their keys.
    init(_ records: [Record], keys: KeyList, _ steps: [any NestedStep<Record>]) {
        self.records = records
        self.keys = keys
        self.steps = steps
        places = (0..<Int32(records.count)).map(\.self)
    }

    func advance(_ context: ReadContext, depth: Int) throws -> (any GraphLevelProtocol)? {
        while true {
            fetched?.handOut(to: &records, places)
            fetched = nil
            guard next < steps.count, !records.isEmpty else { return nil }
            let step = steps[next]
            let targets = try step.fetch(for: keys, in: context)
            next += 1
            fetched = targets
            if depth >= graphLimit, let key = targets.firstEntity {
                throw StoreError.graphTooDeep(type: step.relation.target.schema.name, key: key, limit: graphLimit)
            }
            if let level = targets.level { return level }
        }
    }
}

extension ReadContext {
    /// Returns records with the relations that some requests ask for.
    final func graphs<Record: IndexKeyRecord>(
        of records: consuming [Record], _ steps: [any NestedStep<Record>]
    ) throws -> [Record] {
        let root = GraphLevel(records, steps)
        var stack: [any GraphLevelProtocol] = [root]
        try translatingErrors {
            while let level = stack.last {
                if let next = try level.advance(self, depth: stack.count) {
                    stack.append(next)
                } else {
                    stack.removeLast()
                }
            }
        }
        return root.records
    }
}
