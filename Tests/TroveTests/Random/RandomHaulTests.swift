// Queries with filters and orders by times of saves and by closures, compared with an answer that filters and sorts all
// entities in memory.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Times and closures, at random") struct RandomHaulTests {
    @Test func everyQuery_findsWhatAnArrayFinds() throws {
        let seed = SeededGenerator.fromEnvironment().seed
        var plans: Set<String> = []
        for round in 0..<12 {
            let seed = seed &+ UInt64(round)
            var harbor = try RandomHarbor(seed: seed)
            for step in 0..<60 { try harbor.checkOne("TROVE_TEST_SEED=\(seed) step \(step)") }
            plans.formUnion(harbor.plans)
        }
        for kind in ["walk times", "order as times", "order: a closure", "closure: decodes", "walk links"] {
            #expect(plans.contains { $0.contains(kind) }, "no plan has: \(kind). TROVE_TEST_SEED=\(seed)")
        }
    }

    @Test func everyNestedQuery_findsWhatAnArrayFinds() throws {
        let seed = SeededGenerator.fromEnvironment().seed
        for round in 0..<8 {
            let seed = seed &+ UInt64(round)
            var harbor = try RandomHarbor(seed: seed)
            for step in 0..<40 { try harbor.checkNested("TROVE_TEST_SEED=\(seed) step \(step)") }
        }
    }
}

/// A random harbor in a store, and in arrays.
private struct RandomHarbor {
    private struct Row {
        let haul: Haul
        let time: Date?
        let quay: Int?
    }

    private struct Condition {
        var filter: Filter<Haul>
        var holds: (Row) -> Bool
    }

    /// An order, and its comparison; nil if any order will do.
    private struct Order {
        var query: (Query<Haul>) -> Query<Haul>
        var precedes: ((Row, Row) -> Bool)?
    }

    private let store: Store
    private var random: SeededGenerator
    private var rows: [Row] = []
    /// The ids of the list of each quay, some of which are not stored.
    private var lists: [[Int]] = []
    private(set) var plans: Set<String> = []

    init(seed: UInt64) throws {
        store = try Store.temporary(records: [Haul.self, Quay.self])
        random = SeededGenerator(seed: seed)
        let count = [5, 30, 200].randomElement(using: &random) ?? 5
        let stored = (0..<count).filter { _ in number(8) > 0 }
        var quays: [Int: Int] = [:]
        for quay in 0..<4 {
            let ids = (0..<count).filter { quays[$0] == nil && ($0 + quay) % 3 == 0 }.shuffled(using: &random)
            lists.append(ids)
            for id in ids { quays[id] = quay }
            try Quay(id: quay, hauls: .ids(ids)).save(to: store)
        }
        for id in stored {
            let time = number(5) > 0 ? day(number(6)) : nil
            let haul = Haul(
                id: id, label: String(repeating: "x", count: number(5)), weight: number(4), isStamped: time != nil)
            try haul.save(to: store)
            if let time { try store.stamp(id, time) }
            rows.append(Row(haul: haul, time: time, quay: quays[id]))
        }
        // Times of an entity that has gone while its type kept none.
        for id in 0..<count where !stored.contains(id) && number(2) == 0 { try store.stamp(id, day(number(6))) }
    }

    private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    // MARK: Queries

    private mutating func condition(_ depth: Int = 0) -> Condition {
        let value = number(4)
        switch number(depth < 2 ? 9 : 5) {
        case 0:
            let range = day(value)...day(value + number(3))
            return Condition(filter: .updated(within: range)) { $0.time.map(range.contains) ?? false }
        case 1: return Condition(filter: \.weight == value) { $0.haul.weight == value }
        case 2: return Condition(filter: \.label != "xx") { $0.haul.label != "xx" }
        case 3: return Condition(filter: .where { $0.label.count > value }) { $0.haul.label.count > value }
        case 4: return Condition(filter: .linked(\.$quay, to: value)) { $0.quay == value }
        case 5:
            let part = condition(depth + 1)
            return Condition(filter: .not(part.filter)) { !part.holds($0) }
        case 6:
            let (left, right) = (condition(depth + 1), condition(depth + 1))
            return Condition(filter: left.filter.or(right.filter)) { left.holds($0) || right.holds($0) }
        default:
            let (left, right) = (condition(depth + 1), condition(depth + 1))
            return Condition(filter: left.filter.and(right.filter)) { left.holds($0) && right.holds($0) }
        }
    }

    private mutating func order() -> Order {
        func sorted<Key: Comparable>(_ key: @escaping (Row) -> Key) -> (Row, Row) -> Bool {
            { left, right in
                key(left) != key(right) ? key(left) < key(right) : left.haul.id < right.haul.id
            }
        }
        switch number(8) {
        case 0, 1:
            return Order(
                query: { $0.sorted(by: .updatedAt) },
                precedes: sorted { $0.time?.timeIntervalSinceReferenceDate ?? .infinity })
        case 2, 3:
            return Order(
                query: { $0.sorted(by: .updatedAt.desc) },
                precedes: sorted { $0.time.map { -$0.timeIntervalSinceReferenceDate } ?? .infinity })
        case 4:
            return Order(
                query: { $0.sorted { $0.label.count > $1.label.count } }, precedes: sorted { -$0.haul.label.count })
        case 5: return Order(query: { $0.sorted(by: \.weight.desc) }, precedes: sorted { -$0.haul.weight })
        case 6:
            return Order(query: { $0.order(.descending) }, precedes: { $0.haul.id > $1.haul.id })
        default: return Order(query: { $0 }, precedes: nil)
        }
    }

    private mutating func page() -> (limit: Int?, offset: Int) {
        ([nil, nil, 0, 1, 3, 50, -1][number(7)], number(3) == 0 ? number(4) : 0)
    }

    private static func cut(_ rows: [Row], _ page: (limit: Int?, offset: Int)) -> [Row] {
        Array(rows.dropFirst(page.offset).prefix(max(0, page.limit ?? .max)))
    }

    // MARK: Checks

    mutating func checkOne(_ comment: Comment) throws {
        let (condition, order, page) = (condition(), order(), page())
        var query = Query<Haul>()
        var candidates = rows
        var isOrdered = order.precedes != nil
        if number(3) == 0 {
            let quay = number(4)
            query = Quay.query(quay).related(\.$hauls)
            candidates = lists[quay].compactMap { id in rows.first { $0.haul.id == id } }
            isOrdered = true
        }
        query = order.query(query.filter(condition.filter))
        var expected = candidates.filter(condition.holds)
        if let precedes = order.precedes { expected.sort(by: precedes) }
        if isOrdered, number(3) == 0, let start = expected.indices.randomElement(using: &random) {
            query =
                number(2) == 0
                ? query.after(key: expected[start].haul.id) : query.after(expected[start].haul)
            expected.removeSubrange(...start)
        }
        query = query.limit(page.limit, offset: page.offset)
        let all = Set(expected.map(\.haul.id))
        let ids = Self.cut(expected, page).map(\.haul.id)
        plans.formUnion(try query.explain(in: store).split(separator: "\n").map(String.init))
        let comment: Comment = "\(comment): \(query)"
        try check(query, ids, all, isOrdered: isOrdered, comment)
        try checkWrites(query, ids, isOrdered: isOrdered, comment)
    }

    private func check(
        _ query: Query<Haul>, _ ids: [Int], _ all: Set<Int>, isOrdered: Bool, _ comment: Comment
    ) throws {
        #expect(try query.count(in: store) == ids.count, comment)
        #expect(try query.exists(in: store) == !ids.isEmpty, comment)
        let found = try query.resolve(in: store)
        var visited: [Int] = []
        try query.forEach(in: store) { visited.append($0.id) }
        let first = try query.first(in: store)?.id
        let last = try query.last(in: store)?.id
        guard isOrdered else {
            for result in [found.map(\.id), visited, try query.keys(in: store)] {
                #expect(result.count == ids.count && Set(result).count == ids.count, comment)
                #expect(all.isSuperset(of: result), comment)
            }
            #expect((first == nil) == ids.isEmpty && (last == nil) == ids.isEmpty, comment)
            return
        }
        #expect(found.map(\.id) == ids, comment)
        #expect(try query.keys(in: store) == ids, comment)
        #expect(try query.select(\.id).resolve(in: store) == ids, comment)
        #expect(visited == ids, comment)
        #expect(first == ids.first && last == ids.last, comment)
        #expect(try query.first.resolve(in: store)?.id == ids.first, comment)
        #expect(try query.related(\.$quay).count(in: store) == quays(of: ids).count, comment)
    }

    private func quays(of ids: [Int]) -> Set<Int> {
        Set(rows.filter { ids.contains($0.haul.id) }.compactMap(\.quay))
    }

    private func checkWrites(_ query: Query<Haul>, _ ids: [Int], isOrdered: Bool, _ comment: Comment) throws {
        try? store.write { context in
            var visited: [Int] = []
            try query.forEach(in: context) { haul in
                visited.append(haul.id)
                try haul.save(to: context)  // Moves it in the order of the times.
            }
            #expect(visited.count == ids.count && (!isOrdered || visited == ids), comment)
            throw CancellationError()
        }
        try? store.write { context in
            #expect(try query.update(in: context) { $0.label += "yyyyyyyy" } == ids.count, comment)
            let updated = try Haul.filter(where: { $0.label.hasSuffix("y") }).keys(in: context)
            #expect(updated.count == ids.count && (!isOrdered || Set(updated) == Set(ids)), comment)
            throw CancellationError()
        }
        try? store.write { context in
            #expect(try query.delete(in: context) == ids.count, comment)
            #expect(try Haul.query().count(in: context) == rows.count - ids.count, comment)
            if isOrdered { #expect(try Set(Haul.query().keys(in: context)).isDisjoint(with: ids), comment) }
            throw CancellationError()
        }
    }

    mutating func checkNested(_ comment: Comment) throws {
        let (condition, order, page) = (condition(), order(), page())
        let quays = try Quay.query()
            .with(\.$hauls) { query in
                order.query(query.filter(condition.filter)).limit(page.limit, offset: page.offset)
            }
            .resolve(in: store)
        #expect(quays.count == lists.count, comment)
        for quay in quays {
            var expected = lists[quay.id].compactMap { id in rows.first { $0.haul.id == id } }
                .filter(condition.holds)
            if let precedes = order.precedes { expected.sort(by: precedes) }
            #expect(quay.hauls?.map(\.id) == Self.cut(expected, page).map(\.haul.id), comment)
            #expect(quay.$hauls.isSlice, comment)
        }
    }
}
