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
            #expect(try query.select(\.id, in: store).sorted() == Array(stride(from: 0, to: 20, by: 2)))
        }
    }

    @Test func anAnd_ofManyValues_isPlannedOnce() throws {
        for filter in [
            (0..<Self.count).reduce(.everything) { $0.and(\Part.number != $1 * 2) },
            (0..<Self.count).reduce(.everything) { $0.and(\Part.group != $1 * 2) },
            Filter<Part>.not(joined { \.name == "n\($0)" }),
        ] {
            let query = Part.filter(filter)
            #expect(try query.select(\.id, in: store).sorted() == Array(stride(from: 1, to: 20, by: 2)))
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
}
