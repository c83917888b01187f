// The automatic rules at opening: after the migration, the stored records equal the records of a program that never
// knew the old type.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("Rules at opening") struct RuleTests {
    /// Stores records with an old type, opens the store with the new type, and expects it to hold the given records.
    private func expect<Old: IndexKeyRecord, New: IndexKeyRecord & Equatable>(
        _ old: [Old], toBecome new: [New], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = try MigratedFile(of: old)
        let unchanged = try file.bytes()
        #expect(try file.read(New.self) == new, "read, not migrated", sourceLocation: sourceLocation)
        #expect(try file.bytes() == unchanged, "a read writes nothing", sourceLocation: sourceLocation)

        let read = try Query<New>().resolve(in: file.open(New.self))
        #expect(read == new, "migrated", sourceLocation: sourceLocation)
        let stored = try file.stored(New.keyPrefix)
        #expect(
            stored.map(\.fieldsVersion) == new.map { _ in New.fieldsVersion }, "versions",
            sourceLocation: sourceLocation)
        let reference = try MigratedFile(of: new).stored(New.keyPrefix)
        #expect(stored == reference, "stored records", sourceLocation: sourceLocation)
        let type = try file.type(New.keyPrefix)
        #expect(
            type.isMigrated && type.versions == [Old.fieldsVersion, New.fieldsVersion], sourceLocation: sourceLocation)
        #expect(try file.damage() == [], sourceLocation: sourceLocation)

        let migrated = try file.bytes()
        try file.migrate(New.self)
        #expect(try file.bytes() == migrated, "nothing is left to do", sourceLocation: sourceLocation)
    }

    @Test func newFields_areNil_orTheirDefaults() throws {
        try expect(
            [AddedFields.Old(id: 1, name: "a"), AddedFields.Old(id: 2, name: "")],
            toBecome: [
                AddedFields.New(id: 1, first: nil, name: "a", nickname: nil, score: 1.5, tags: ["new", "untagged"]),
                AddedFields.New(id: 2, first: nil, name: "", nickname: nil, score: 1.5, tags: ["new", "untagged"]),
            ])
    }

    @Test func removedFields_areGone_wherever() throws {
        let old = [
            RemovedFields.Old(id: 1, first: "f", name: "n", middle: [1, nil], size: -3, last: Data([1, 2])),
            RemovedFields.Old(id: 2, first: "", name: "", middle: [], size: 0, last: Data()),
        ]
        try expect(
            old, toBecome: [RemovedFields.New(id: 1, name: "n", size: -3), RemovedFields.New(id: 2, name: "", size: 0)])
        try expect(old, toBecome: [RemovedFields.None(id: 1), RemovedFields.None(id: 2)])
    }

    @Test func fieldsOfEveryType_changeTheirOrder() throws {
        let born = Date(timeIntervalSinceReferenceDate: 1.25)
        let page = try #require(URL(string: "https://example.org/a?b=c"))
        let point = ReorderedFields.Point(x: 1, y: -.infinity)
        let note = Note(text: "t", stars: 3)
        for maybe in [Int??.none, .some(.none), 5] {
            let mark = UUID()
            try expect(
                [
                    ReorderedFields.Old(
                        id: "a", text: "x", flag: true, born: born, mark: mark, data: Data([0, 255]), price: 1.75,
                        page: page, note: note, point: point, maybe: maybe)
                ],
                toBecome: [
                    ReorderedFields.New(
                        id: "a", maybe: maybe, point: point, note: note, page: page, price: 1.75, data: Data([0, 255]),
                        mark: mark, born: born, flag: true, text: "x")
                ])
        }
    }

    @Test func renamedFields_keepTheirValues_alsoInAnotherType() throws {
        try expect(
            [RenamedFields.Old(id: 1, name: "a", size: -7, width: 10, height: 20)],
            toBecome: [RenamedFields.New(id: 1, fullName: "a", length: -7, height: 20, depth: 10)])
    }

    @Test func aRenamedProperty_ofTheSameCodingKey_isNoChangeAtAll() throws {
        #expect(RenamedBehindKeys.Old.fieldsVersion == RenamedBehindKeys.New.fieldsVersion)
        let file = try MigratedFile(of: [RenamedBehindKeys.Old(id: 1, name: "a")])
        let bytes = try file.bytes()
        do {
            let store = try file.open(RenamedBehindKeys.New.self)
            #expect(try RenamedBehindKeys.New.query().resolve(in: store) == [.init(number: 1, fullName: "a")])
            #expect(try store.commitSequence == 1)
            #expect(try store.migrationPlan(for: [RenamedBehindKeys.New.self]).isEmpty)
        }
        #expect(try file.bytes() == bytes)
    }

    @Test func optionals_areWrappedAndUnwrapped_andNilTakesTheDefault() throws {
        try expect(
            [
                Optionals.Old(id: 1, plain: "a", wrapped: -1, defaulted: nil, deep: [1, nil, -1]),
                Optionals.Old(id: 2, plain: "", wrapped: 127, defaulted: -128, deep: []),
            ],
            toBecome: [
                Optionals.New(id: 1, plain: "a", wrapped: -1, defaulted: 7, deep: [1, nil, -1]),
                Optionals.New(id: 2, plain: "", wrapped: 127, defaulted: -128, deep: []),
            ])
    }

    @Test func numbers_areWidened_atTheirLimits() throws {
        try expect(
            [
                Widened.Old(id: 1, a: .min, b: .max, c: .max, d: .infinity, e: .min, f: .max),
                Widened.Old(id: 2, a: -1, b: 0, c: 0, d: 0.1, e: -1, f: nil),
                Widened.Old(id: 3, a: .max, b: 1, c: 1, d: -0.0, e: .max, f: 0),
            ],
            toBecome: [
                Widened.New(
                    id: 1, a: -128, b: 255, c: 4_294_967_295, d: .infinity, e: -9_223_372_036_854_775_808,
                    f: 18_446_744_073_709_551_615),
                Widened.New(id: 2, a: -1, b: 0, c: 0, d: Double(Float(0.1)), e: -1, f: nil),
                Widened.New(id: 3, a: 127, b: 1, c: 1, d: -0.0, e: 9_223_372_036_854_775_807, f: 0),
            ])
    }

    @Test func numbersAndTexts_areConverted_whereThatIsExact() throws {
        try expect(
            [
                Converted.Old(
                    id: 1, narrow: -128, unsigned: 65535, double: 1 << 53, integer: -2_147_483_648, float: 0.5,
                    text: -12, fraction: 0.1, flag: true, number: "255", amount: "-1.5"),
                Converted.Old(
                    id: 2, narrow: 127, unsigned: 0, double: -1, integer: 0, float: .infinity, text: 0,
                    fraction: 1e300, flag: false, number: "0", amount: "inf"),
            ],
            toBecome: [
                Converted.New(
                    id: 1, narrow: -128, unsigned: 65535, double: 9_007_199_254_740_992, integer: -2_147_483_648,
                    float: 0.5, text: "-12", fraction: "0.1", flag: "true", number: 255, amount: -1.5),
                Converted.New(
                    id: 2, narrow: 127, unsigned: 0, double: -1, integer: 0, float: .infinity, text: "0",
                    fraction: "1e+300", flag: "false", number: 0, amount: .infinity),
            ])
    }

    @Test func rawValues_thatStillExist_areKept() throws {
        try expect(
            [
                RawValues.Old(id: 1, level: .low, code: .two, text: .medium, word: "high", levels: [.high, .low]),
                RawValues.Old(id: 2, level: .high, code: .one, text: .low, word: "low", levels: []),
            ],
            toBecome: [
                RawValues.New(
                    id: 1, level: .low, code: .two, text: "medium", word: .high, levels: [.high, .low], more: nil),
                RawValues.New(id: 2, level: .high, code: .one, text: "low", word: .low, levels: [], more: nil),
            ])
    }

    @Test func collections_areConverted_elementByElement() throws {
        try expect(
            [
                Collections.Old(
                    id: 1, list: [-1, 0, 127], lists: [[1, -2], []], set: [-1, 3, 127], listed: ["b", "a", "ab"],
                    names: ["x": -1, "y": 2], counts: [1: [0.5], -1: []]),
                Collections.Old(id: 2, list: [], lists: [], set: [], listed: [], names: [:], counts: [:]),
            ],
            toBecome: [
                // A set becomes a list in its stored order: by the bytes of the elements, beginning with the length.
                Collections.New(
                    id: 1, list: [-1, 0, 127], lists: [["1", "-2"], []], set: [-1, 3, 127], listed: ["a", "b", "ab"],
                    names: ["x": -1, "y": 2], counts: [1: [0.5], -1: []]),
                Collections.New(id: 2, list: [], lists: [], set: [], listed: [], names: [:], counts: [:]),
            ])
    }

    @Test func nestedRecords_followTheSameRules() throws {
        typealias Before = Nested.Before
        typealias After = Nested.After
        let street = Before.Street(name: "s", number: -1)
        let home = Before.Address(street: street, city: "c", gone: [true])
        let newStreet = After.Street(number: "-1", name: "s", side: nil)
        let newHome = After.Address(town: nil, city: "c", street: newStreet)
        try expect(
            [
                Nested.Old(id: 1, home: home, others: [home, home], maybe: street, byName: ["a": street]),
                Nested.Old(id: 2, home: home, others: [], maybe: nil, byName: [:]),
            ],
            toBecome: [
                Nested.New(
                    id: 1, home: newHome, others: [newHome, newHome], maybe: newStreet, byName: ["a": newStreet]),
                Nested.New(id: 2, home: newHome, others: [], maybe: nil, byName: [:]),
            ])
    }

    @Test func cases_areFoundByName_andTheirValuesConverted() throws {
        let old: [Cases.Before.Shape] = [
            .empty, .circle(radius: 0.5), .label("l", size: -1), .group([.empty, .group([.circle(radius: 2)])]),
        ]
        let new: [Cases.After.Shape] = [
            .empty, .circle(radius: 0.5), .label("l", colour: nil, size: -1),
            .group([.empty, .group([.circle(radius: 2)])]),
        ]
        try expect(
            old.enumerated().map { Cases.Old(id: $0, shape: $1) },
            toBecome: new.enumerated().map { Cases.New(id: $0, shape: $1) })
    }
}
