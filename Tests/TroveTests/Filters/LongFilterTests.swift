// Filters of very many parts. In quadratic time these tests would take very long.

import Foundation
import Testing
import Trove

@IndexKeyRecord("group", "id")
private struct Part: Hashable {
    #Index<Part>(\.number)
    #Unique<Part>(\.code, collisions: .throw)

    let group: Int
    let id: Int
    var number: Int
    var code: String?
    var name: String
}

@Suite("Long filters") struct LongFilterTests {
    private static let count = 5_000
    private let store: Store

    init() throws {
        store = try Store.temporary()
        try store.insert(
            contentsOf: (0..<20).map { id in
                Part(group: id, id: id, number: id, code: "\(id)", name: "n\(id)")
            })
    }

    private func joined(_ filter: (Int) -> Filter<Part>) -> Filter<Part> {
        (1..<Self.count).reduce(filter(0)) { $0.or(filter($1 * 2)) }
    }

    @Test func anOr_ofManyValues_isPlannedOnce() throws {
        for filter in [
            joined { \.group == $0 }, joined { \.number == $0 }, joined { \.code == "\($0)" },
            joined { \.name == "n\($0)" }, joined { number in (\.number == number).and(\.name == "n\(number)") },
            joined { $0 % 4 == 0 ? \.number == $0 : \.code == "\($0)" },
        ] {
            let query = Part.filter(filter)
            #expect(try query.select(\.id).resolve(in: store).sorted() == Array(stride(from: 0, to: 20, by: 2)))
        }
    }

    @Test func anAnd_ofManyValues_isPlannedOnce() throws {
        for filter in [
            (0..<Self.count).reduce(.everything) { $0.and(\Part.number != $1 * 2) },
            (0..<Self.count).reduce(.everything) { $0.and(\Part.group != $1 * 2) },
            Filter<Part>.not(joined { \.name == "n\($0)" }),
        ] {
            let query = Part.filter(filter)
            #expect(try query.select(\.id).resolve(in: store).sorted() == Array(stride(from: 1, to: 20, by: 2)))
        }
    }

    @Test func aChainOfQueries_isAsLong() throws {
        var query = Part.filter(\.number == 0)
        for number in 1..<Self.count { query = query.or(\.number == number * 3) }
        #expect(try query.count(in: store) == 7)
    }

    @Test(arguments: [1, 2, 63, 64, 65, 127, 128, 129, 200, 1_000])
    func parts_keepTheirOrder(count: Int) {
        let numbers = (0..<count).map { "number == \($0)" }
        let or = (1..<count).reduce(\Part.number == 0) { $0.or(\.number == $1) }
        #expect("\(or)" == numbers.joined(separator: " or "))
        let and = (1..<count).reduce(\Part.number == 0) { $0.and(\.number == $1) }
        #expect("\(and)" == numbers.joined(separator: " and "))
        #expect("\(and.and(and))" == (numbers + numbers).joined(separator: " and "))
        // A filter is a value: what was built from it leaves it as it was.
        _ = or.or(\.number == -1)
        #expect("\(or)" == numbers.joined(separator: " or "))
    }

    // MARK: Either end

    /// Adding at the front once took quadratic time, and nested as deep as there were parts.
    @Test func partsAtTheFront_areAsFast_andKeepTheirOrder() throws {
        let or = (1..<20_000).reduce(\Part.number == 0) { (\Part.number == $1 * 2) || $0 }
        #expect(try Part.filter(or).count(in: store) == 10)
        #expect("\(or)".hasPrefix("number == 39998 or number == 39996 or "))
        #expect("\(or)".hasSuffix(" or number == 2 or number == 0"))
        let and = (1..<20_000).reduce(\Part.number != 0) { (\Part.number != $1 * 2) && $0 }
        #expect(try Part.filter(and).count(in: store) == 10)
        #expect("\(and)".hasPrefix("number != 39998 and number != 39996 and "))
    }

    @Test func partsAtBothEnds_keepTheirOrder() {
        var (or, numbers) = (\Part.number == 0, [0])
        for number in 1..<300 {
            or = number % 3 == 0 ? or || \.number == number : (\.number == number) || or
            numbers.insert(number, at: number % 3 == 0 ? numbers.count : 0)
        }
        #expect("\(or)" == numbers.map { "number == \($0)" }.joined(separator: " or "))
        #expect("\(or.or(or))" == (numbers + numbers).map { "number == \($0)" }.joined(separator: " or "))
    }

    // MARK: Depth

    private static let tooDeep = StoreError.query(.filterTooDeep(type: "Part", limit: 100))

    @Test func alternatingFilters_areRefusedBeyondADepth() throws {
        func nested(_ count: Int) -> Filter<Part> {
            (0..<count).reduce(\Part.id == 0) { $1 % 2 == 0 ? $0.or(\.id == 5) : $0.and(\.id < 1_000) }
        }
        #expect(try Part.filter(nested(99)).count(in: store) == 2)
        #expect(try Part.filter(nested(100)).explain(in: store).contains("id == 5"))
        // Such a filter once ended the process, when it was printed, run or released.
        for count in [101, 40_000] {
            let filter = nested(count)
            #expect(throws: Self.tooDeep) { try Part.filter(filter).count(in: store) }
            #expect(throws: Self.tooDeep) { try Part.filter(filter).delete(in: store) }
            #expect(throws: Self.tooDeep) { try Part.filter(\.id == 1).or(filter).resolve(in: store) }
            #expect("\(filter)" == Self.tooDeep.description)
        }
        var query = Part.filter(\.id == 0)
        for number in 0..<40_000 { query = number % 2 == 0 ? query.or(\.id == 5) : query.filter(\.id < 1_000) }
        #expect(throws: Self.tooDeep) { try query.count(in: store) }
        #expect(try Part.query().count(in: store) == 20)
    }

    @Test func negations_cancelOut_orAreRefused() throws {
        var filter: Filter<Part> = \.id == 5
        for _ in 0..<80_000 { filter = .not(filter) }
        #expect(try Part.filter(filter).keys(in: store).count == 1)
        #expect("\(filter)" == "id == 5")
        #expect("\(!filter)" == "not id == 5")
        for number in 0..<80_000 { filter = !(filter && \.id != number + 100) }
        #expect(throws: Self.tooDeep) { try Part.filter(filter).count(in: store) }
    }
}
