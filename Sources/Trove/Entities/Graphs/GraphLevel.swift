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
    /// - Returns: The level of the targets, which must be completed before the next call; nil at the end.
    func advance(_ context: ReadContext, depth: Int) throws -> (any GraphLevelProtocol)?
}

/// The entities of a level, and the requests for their relations.
final class GraphLevel<Record: IndexKeyRecord>: GraphLevelProtocol {
    private(set) var records: [Record]
    private let keys: KeyList
    /// For each record, the index of its key.
    private let places: [Int32]
    /// The requests that have not run yet.
    private var steps: ArraySlice<any NestedStep<Record>>
    /// The targets of the last request, or of equal requests.
    private var fetched: (any FetchedTargets<Record>)?

    /// Creates a level of records in any order, some of which can be equal.
    init(_ records: [Record], _ steps: [any NestedStep<Record>]) {
        var list = KeyList()
        for record in records { list.append(record.indexKey) }
        let distinct = SortedKeys(list)
        self.records = records
        self.steps = steps[...]
        keys = distinct.keys
        places = distinct.places
    }

    /// Creates a level of distinct records in the order of their keys.
    init(_ records: [Record], keys: KeyList, _ steps: [any NestedStep<Record>]) {
        self.records = records
        self.keys = keys
        self.steps = steps[...]
        places = (0..<Int32(records.count)).map(\.self)
    }

    func advance(_ context: ReadContext, depth: Int) throws -> (any GraphLevelProtocol)? {
        while true {
            fetched?.handOut(to: &records, places)
            fetched = nil
            guard !records.isEmpty, let step = steps.popFirst() else { return nil }
            let targets = try fetchTogether(step, context) ?? step.fetch(for: keys, in: context)
            fetched = targets
            if depth >= graphLimit, let key = targets.firstEntity {
                throw StoreError.entity(
                    .graphTooDeep(type: step.relation.target.schema.name, key: key, limit: graphLimit))
            }
            if let level = targets.level { return level }
        }
    }

    /// Runs a request together with the requests of a bulk query that are equal to it. Returns nil if there are none.
    private func fetchTogether(
        _ step: any NestedStep<Record>, _ context: ReadContext
    ) throws -> (any FetchedTargets<Record>)? {
        guard let form = step.bulkForm else { return nil }
        let equal = steps.filter { $0.bulkForm == form }
        guard !equal.isEmpty, let targets = try step.fetch(for: keys, with: equal, in: context) else { return nil }
        steps.removeAll { $0.bulkForm == form }
        return targets
    }
}

extension ReadContext {
    /// Returns records with the relations of some requests.
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
