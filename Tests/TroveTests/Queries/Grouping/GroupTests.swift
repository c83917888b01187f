// Groups and distinct values, with and without an index, compared with those of an array.

import Testing
import Trove
import TroveTestSupport

/// Properties to group by, and the same grouping of an array.
private struct Grouping<Key: Sendable> {
    let query: (Query<IndexedTwin>) -> GroupedQuery<IndexedTwin, Key>
    /// Returns the key bytes of a result.
    let bytes: (Key) -> [UInt8]
    /// Returns the key bytes of a record.
    let key: (TwinFields) -> [UInt8]
    /// Whether the group of the first record comes before that of the second.
    let precedes: (TwinFields, TwinFields) -> Bool

    /// Returns the groups of records, in order.
    func groups(of fields: [TwinFields]) -> [[TwinFields]] {
        fields.sorted(by: precedes).reduce(into: []) { groups, next in
            if let last = groups.last?.first, !precedes(last, next) {
                groups[groups.count - 1].append(next)
            } else {
                groups.append([next])
            }
        }
    }
}

extension Grouping where Key: Ordered {
    static func by(
        _ property: KeyPath<IndexedTwin, Key>, _ field: KeyPath<TwinFields, Key>
    ) -> Grouping {
        Grouping {
            $0.grouped(by: property)
        } bytes: {
            KeyWriter.bytes(of: $0)
        } key: {
            KeyWriter.bytes(of: $0[keyPath: field])
        } precedes: {
            $0[keyPath: field].sorts(before: $1[keyPath: field])
        }
    }
}

extension Grouping {
    static func by<First: Ordered, Second: Ordered>(
        _ first: (KeyPath<IndexedTwin, First>, KeyPath<TwinFields, First>),
        _ second: (KeyPath<IndexedTwin, Second>, KeyPath<TwinFields, Second>)
    ) -> Grouping where Key == (First, Second) {
        Grouping {
            $0.grouped(by: first.0, second.0)
        } bytes: {
            KeyWriter.bytes(of: Tuple($0, $1))
        } key: {
            KeyWriter.bytes(of: Tuple($0[keyPath: first.1], $0[keyPath: second.1]))
        } precedes: { left, right in
            let (one, other) = (left[keyPath: first.1], right[keyPath: first.1])
            if one.sorts(before: other) || other.sorts(before: one) { return one.sorts(before: other) }
            return left[keyPath: second.1].sorts(before: right[keyPath: second.1])
        }
    }
}

@Suite("Groups of records") struct GroupTests {
    private let store: Store
    private let samples: [TwinFields]
    private var random: SeededGenerator
    private let seed: UInt64

    init() throws {
        (random, seed) = SeededGenerator.fromEnvironment()
        store = try Store.temporary()
        samples = TwinFields.samples(400, using: &random)
        try store.insert(contentsOf: samples.map { IndexedTwin($0) })
    }

    // MARK: At random

    @Test mutating func groups_areThoseOfAnArray() throws {
        let store = store
        var fast = 0
        try store.read { context in
            for _ in 0..<60 { fast += try check(samples, context) }
        }
        #expect(fast > 3, "\(fast) of 60 groups came from entries alone; seed \(seed)")
    }

    @Test mutating func groupsInAWrite_areThoseOfAnArray() throws {
        let store = store
        try store.write { context in
            try IndexedTwin.filter(\.age == 4).delete(in: context)
            try IndexedTwin.filter(\.age == 2).update(in: context) { $0.level = nil }
            let changed = samples.filter { $0.age != 4 }.map { fields in
                var fields = fields
                if fields.age == 2 { fields.level = nil }
                return fields
            }
            for _ in 0..<15 { _ = try check(changed, context) }
        }
    }

    @Test mutating func groupsOfAPage_areThoseOfItsRecords() throws {
        let store = store
        try store.read { context in
            for _ in 0..<15 {
                var query = IndexedTwin.filter(TwinFilter.random(1, samples, using: &random).filter(IndexedTwin.self))
                    .sorted(by: TwinOrder.random(using: &random).map { $0.key(IndexedTwin.self) })
                    .offset(.random(in: 0...9, using: &random)).limit([nil, 0, 3, 90].sample(&random))
                if Bool.random(using: &random) { query = query.after(IndexedTwin(samples.sample(&random))) }
                try check(query, try query.resolve(in: context).map(\.fields), .by(\.rank, \.rank), context)
                try check(query, try query.resolve(in: context).map(\.fields), .by(\.age, \.age), context)
            }
        }
    }

    /// Checks a random grouping of a random query. Returns 1 if index entries alone answered.
    private mutating func check(_ fields: [TwinFields], _ context: ReadContext) throws -> Int {
        var filters: [TwinFilter] = []
        let depth = Int.random(in: -1...1, using: &random)
        if depth >= 0 { filters = [.random(depth, samples, using: &random)] }
        let group = Int.random(in: 0..<3, using: &random) == 0 ? samples.sample(&random).group : nil
        let all = group.map { IndexedTwin.query(group: $0) } ?? Query()
        let query = filters.reduce(all) { $0.filter($1.filter(IndexedTwin.self)) }
        let matches = fields.filter { fields in
            fields.group == group ?? fields.group && filters.allSatisfy { $0.holds(fields) }
        }
        return switch Int.random(in: 0..<16, using: &random) {
        case 0, 1: try check(query, matches, .by(\.age, \.age), context)
        case 2: try check(query, matches, .by(\.level, \.level), context)
        case 3: try check(query, matches, .by(\.score, \.score), context)
        case 4: try check(query, matches, .by(\.text, \.text), context)
        case 5: try check(query, matches, .by(\.isOpen, \.isOpen), context)
        case 6: try check(query, matches, .by(\.rank, \.rank), context)
        case 7: try check(query, matches, .by(\.email, \.email), context)
        case 8: try check(query, matches, .by(\.code, \.code), context)
        case 9: try check(query, matches, .by(\.group, \.group), context)
        case 10: try check(query, matches, .by((\.rank, \.rank), (\.isOpen, \.isOpen)), context)
        case 11: try check(query, matches, .by((\.level, \.level), (\.score, \.score)), context)
        case 12: try check(query, matches, .by((\.age, \.age), (\.text, \.text)), context)
        case 13: try check(query, matches, .by((\.age, \.age), (\.group, \.group)), context)
        case 14: try check(query, matches, .by((\.group, \.group), (\.name, \.name)), context)
        default: try check(query, matches, .by((\.age, \.age), (\.age, \.age)), context)
        }
    }

    @discardableResult
    private func check<Key>(
        _ query: Query<IndexedTwin>, _ fields: [TwinFields], _ grouping: Grouping<Key>, _ context: ReadContext
    ) throws -> Int {
        let grouped = grouping.query(query)
        let groups = grouping.groups(of: fields)
        let plan = try grouped.explain(in: context)
        let comment: Comment = "TROVE_TEST_SEED=\(seed) \(grouped)\n\(plan)"
        let keys = groups.map { grouping.key($0[0]) }

        func expect<Value>(
            _ results: [(key: Key, value: Value)], _ same: (Value, [TwinFields]) -> Bool,
            at location: SourceLocation = #_sourceLocation
        ) {
            #expect(results.map { grouping.bytes($0.key) } == keys, comment, sourceLocation: location)
            guard results.count == groups.count else { return }
            for (result, group) in zip(results, groups) where !same(result.value, group) {
                Issue.record("\(result) \(comment)", sourceLocation: location)
            }
        }
        func extremes<Value: Ordered>(
            _ property: KeyPath<IndexedTwin, Value>, _ field: KeyPath<TwinFields, Value>
        ) throws {
            func isLeast(_ value: Value, _ group: [TwinFields]) -> Bool {
                group.contains { $0[keyPath: field] == value || value != value }
                    && group.allSatisfy { !$0[keyPath: field].sorts(before: value) }
            }
            func isGreatest(_ value: Value, _ group: [TwinFields]) -> Bool {
                group.contains { $0[keyPath: field] == value || value != value }
                    && group.allSatisfy { !value.sorts(before: $0[keyPath: field]) }
            }
            expect(try grouped.min(of: property).resolve(in: context), isLeast)
            expect(try grouped.max(of: property).resolve(in: context), isGreatest)
        }

        #expect(try grouped.keys(in: context).map(grouping.bytes) == keys, comment)
        expect(try grouped.count(in: context)) { $0 == $1.count }
        expect(try grouped.sum(of: \.age).resolve(in: context)) { $0 == $1.map(\.age).reduce(0, +) }
        expect(try grouped.sum(of: \.level).resolve(in: context)) { $0 == $1.compactMap(\.level).reduce(0, +) }
        expect(try grouped.average(of: \.code).resolve(in: context)) { average, group in
            average == Double(group.map(\.code).reduce(0, +)) / Double(group.count)
        }
        expect(try grouped.average(of: \.level).resolve(in: context)) { average, group in
            let levels = group.compactMap(\.level)
            return average == (levels.isEmpty ? nil : Double(levels.reduce(0, +)) / Double(levels.count))
        }
        expect(try grouped.min(of: \.level).resolve(in: context)) { $0 == $1.compactMap(\.level).min() }
        expect(try grouped.max(of: \.level).resolve(in: context)) { $0 == $1.compactMap(\.level).max() }
        expect(try grouped.min(of: \.email).resolve(in: context)) { $0 == $1.compactMap(\.email).min() }
        expect(try grouped.max(of: \.email).resolve(in: context)) { $0 == $1.compactMap(\.email).max() }
        try extremes(\.age, \.age)
        try extremes(\.text, \.text)
        try extremes(\.score, \.score)
        try extremes(\.rank, \.rank)
        return plan.contains("entries alone") ? 1 : 0
    }
}
