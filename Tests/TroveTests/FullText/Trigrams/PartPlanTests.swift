// The plans of filters on parts of strings: the planner takes the index of trigrams where it reads less, and no trap or
// lost record follows from a damaged row.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct PartLabel: Hashable {
    #FullTextIndex<PartLabel>(\.text, \.note, analyzer: .trigrams)
    #FullTextIndex<PartLabel>(\.code, analyzer: .trigrams, where: { $0.year > 5 })
    #Index<PartLabel>(\.year)
    #Index<PartLabel>(\.code)

    let id: Int
    var text: String
    var note: String?
    var code: String
    var year: Int
}

@EntityModel
private struct JarShelf {
    let id: Int
    @Relationship(inverse: \.shelf) var jars: [ShelvedJar]?
}

@EntityModel
private struct ShelvedJar {
    #FullTextIndex<ShelvedJar>(\.label, analyzer: .trigrams)

    let id: Int
    var label: String
    @Relationship(inverse: \.jars) var shelf: JarShelf?
}

@Suite("Plans of filters on parts of strings") struct PartPlanTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [PartLabel.self])
        try store.insert(
            contentsOf: (0..<1_000).reversed().map { id in
                PartLabel(
                    id: id, text: "all of \(id) common\(id % 2)", note: id % 10 == 0 ? "note \(id)" : nil,
                    code: "Co\(id % 100)de",
                    year: id % 10)
            })
    }

    private func plan(_ query: Query<PartLabel>) throws -> [String] {
        try query.explain(in: store).split(separator: "\n").map(String.init)
    }

    private func isByTrigrams(_ query: Query<PartLabel>) throws -> Bool {
        try plan(query).first?.hasPrefix("candidates by ") == true
    }

    @Test func rareParts_areCandidates_andOthersAreScanned() throws {
        let trigrams = #"(777 and "77 " and " 77" and "7 c")"#
        #expect(
            try plan(PartLabel.filter(.string(\.text, contains: " 777 c"))) == [
                "candidates by fullText(text,note by trigrams/1) of PartLabel: text:\(trigrams)",
                "filter: text contains \" 777 c\"", "order: keys sorted",
                "trigrams: 777 1 record, 77  10,  77 11, 7 c 100; rows to read: at most 1",
            ])
        #expect(try isByTrigrams(PartLabel.filter(.string(\.text, hasSuffix: "777 COMMON1"))))
        #expect(try isByTrigrams(PartLabel.filter(.string(\.text, \.note, contains: "777"))))
        #expect(try !isByTrigrams(PartLabel.filter(.string(\.text, contains: "common"))))
        #expect(try !isByTrigrams(PartLabel.filter(.string(\.text, contains: "77"))))
        #expect(try !isByTrigrams(PartLabel.filter(.string(\.text, notContains: "777"))))
        #expect(try !isByTrigrams(PartLabel.filter(.string(\.text, contains: "ab\u{378}"))))
        #expect(try isByTrigrams(PartLabel.filter(.string(\.text, contains: "ab\u{378}", caseSensitive: true))))
        #expect(try !isByTrigrams(PartLabel.filter(.string(\.text, \.code, contains: "777"))))
        #expect(try PartLabel.filter(.string(\.text, contains: " 777 c")).keys(in: store) == [777])
        #expect(try PartLabel.filter(.string(\.text, contains: "xyz")).count(in: store) == 0)
    }

    @Test func aPartialIndex_isUsedIfTheFilterImpliesIt() throws {
        let filter = Filter<PartLabel>.string(\.code, contains: "o77d")
        #expect(try !isByTrigrams(PartLabel.filter(filter)))
        #expect(try isByTrigrams(PartLabel.filter(filter && \.year > 6)))
        #expect(try !isByTrigrams(PartLabel.filter(filter && \.year > 4)))
        #expect(try PartLabel.filter(filter && \.year > 6).keys(in: store) == (0..<10).map { 77 + 100 * $0 })
    }

    @Test func otherIndexes_areTakenWhereTheyReadLess() throws {
        // Ten records have the code; a hundred have the year.
        let query = PartLabel.filter(\.code == "Co77de" && .string(\.text, contains: "common1"))
        #expect(try plan(query)[0].hasPrefix("scan index(code)"))
        #expect(try isByTrigrams(PartLabel.filter(\.year == 7 && .string(\.text, contains: "777"))))
        let sorted = PartLabel.filter(.string(\.text, contains: "common1")).sorted(by: \.year).limit(5)
        #expect(try plan(sorted)[0].hasPrefix("scan index(year)"))
        #expect(try isByTrigrams(PartLabel.filter(.string(\.text, contains: "777")).sorted(by: \.year).limit(5)))
        // A page stays with the order of an index that gives its range.
        #expect(try !isByTrigrams(PartLabel.filter(\.year > 2 && .string(\.text, contains: "777")).limit(5)))
    }

    @Test func pages_endEarlyWhereMostRecordsMatch() throws {
        #expect(
            try plan(PartLabel.filter(.string(\.text, contains: "mon1")).limit(3))[0] == "scan PartLabel, all records")
        #expect(try isByTrigrams(PartLabel.filter(.string(\.text, contains: "777")).limit(3)))
        let first = try PartLabel.filter(.string(\.text, contains: " 77")).limit(4).resolve(in: store)
        #expect(first.map(\.id) == [77, 770, 771, 772])
        let next = PartLabel.filter(.string(\.text, contains: " 77")).after(first.last)
        #expect(try next.limit(3).keys(in: store) == [773, 774, 775])
        #expect(try next.keys(in: store) == Array(773...779))
        // A deleted record still has its place.
        try PartLabel.query(id: 772).delete(in: store)
        #expect(try next.limit(3).keys(in: store) == [773, 774, 775])
        #expect(
            try PartLabel.query(id: .lessThan(778)).order(.descending).filter(.string(\.text, contains: " 77")).limit(3)
                .keys(
                    in: store) == [777, 776, 775])
    }

    @Test func manyPatterns_areAnswered() throws {
        let parts = (0..<60).map { "of \($0 * 7) common" }
        let any = parts.dropFirst().reduce(Filter<PartLabel>.string(\.text, contains: parts[0])) {
            $0.or(.string(\.text, contains: $1))
        }
        #expect(try PartLabel.filter(any).keys(in: store) == (0..<60).map { $0 * 7 })
        let all = (0..<60).reduce(Filter<PartLabel>.string(\.text, contains: "777")) { filter, _ in
            filter.and(.string(\.text, contains: "common"))
        }
        #expect(try PartLabel.filter(all).keys(in: store) == [777])
        let long = String(repeating: "all of the store ", count: 5_000)
        #expect(try PartLabel.filter(.string(\.text, contains: long)).count(in: store) == 0)
    }

    @Test func wordParts_areRankedByTheIndex_andFoundWithoutIt() throws {
        let hits = try PartLabel.filter(.string(\.text, \.note, matches: "noted xyz")).hits(in: store)
        #expect(hits.count == 100 && hits.allSatisfy { $0.score > 0 && $0.record.note != nil })
        #expect(zip(hits, hits.dropFirst()).allSatisfy { $0.score >= $1.score })
        #expect(try PartLabel.filter(.string(\.code, matches: "77D")).keys(in: store) == (0..<10).map { 77 + 100 * $0 })
        #expect(try PartLabel.filter(.string(\.text, matches: "a, b? c!")).count(in: store) == 0)
        #expect(try PartLabel.filter(.string(\.text, matches: "")).count(in: store) == 0)
        #expect(
            PartLabel.filter(.string(\.text, \.note, matches: "a \"b\"")).description
                == #"PartLabel.filter(.string(\.text, \.note, matches: "a \"b\""))"#)
        #expect(
            PartLabel.filter(.string(\.code, matches: "ab")).description
                == #"PartLabel.filter(.string(\.code, matches: "ab"))"#
        )
    }

    @Test func linkedRecords_areFoundByParts() throws {
        let store = try Store.temporary(records: [JarShelf.self, ShelvedJar.self])
        try store.write { context in
            for id in 0..<20 { try JarShelf(id: id).save(to: context) }
            for id in 0..<400 {
                try ShelvedJar(id: id, label: "jar \(id) of jam", shelf: .id(id % 20)).save(to: context)
            }
        }
        let query = ShelvedJar.filter(.linked(\.$shelf, to: 7) && .string(\.label, contains: "r 127 o"))
        #expect(try query.keys(in: store) == [127])
        #expect(try query.explain(in: store).hasPrefix("candidates by fullText(label by trigrams/1) of ShelvedJar"))
        #expect(
            try ShelvedJar.filter(.linked(\.$shelf, to: 7) && .string(\.label, contains: "jam")).count(in: store) == 20)
        let jars = try JarShelf.query(7).related(\.$jars).filter(.string(\.label, contains: "27")).resolve(in: store)
        #expect(jars.map(\.id) == [27, 127, 227, 327])
    }

    // MARK: Damage

    @Test func damagedRows_areErrors() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let directory = try TemporaryDirectory()
        let options = StoreOptions(durability: .noSync, verifiesChecksums: true)
        let store = try Store(path: directory.path("labels.trove"), records: [PartLabel.self], options: options)
        try store.insert(
            contentsOf: (0..<300).map { PartLabel(id: $0, text: "all \($0)", note: nil, code: "c", year: 1) })
        let (parts, numbers) = try store.read { context in
            let table = try #require(try context.table(for: PartLabel.schema))
            let text = try #require(table.indexes[0].text)
            return (text.parts, text.numbers)
        }
        let expected = try PartLabel.filter(.string(\.text, contains: "l 2")).keys(in: store)
        var errors = 0
        for table in [parts.tails, parts.words, parts.blocks, numbers.keys, numbers.numbers].map(\.database) {
            let rows = try store.entries(in: table)
            for row in rows.shuffled(using: &random).prefix(40) {
                var damaged = row
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    damaged.value[Int.random(in: damaged.value.indices, using: &random)] ^= UInt8.random(
                        in: 1...255, using: &random)
                case 1: damaged.value.removeLast(Int.random(in: 1...damaged.value.count, using: &random))
                default: damaged.value = []
                }
                try store.put(damaged, into: table)
                do {
                    #expect(try PartLabel.filter(.string(\.text, contains: "l 2")).keys(in: store) == expected)
                    _ = try PartLabel.matching("all").count(in: store)
                } catch {
                    guard case .record(.indexDamaged)? = error as? StoreError else {
                        Issue.record("\(error), TROVE_TEST_SEED=\(seed)")
                        continue
                    }
                    errors += 1
                }
                try store.put(row, into: table)
            }
        }
        #expect(errors > 5, "TROVE_TEST_SEED=\(seed)")
        #expect(try store.check().isEmpty)
    }
}
