// Records of earlier versions of a type, read as the current type.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("Migrations on reading") struct MigrationTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open() throws -> Store {
        try Store(path: directory.path("cars.trove"), options: StoreOptions(durability: .noSync))
    }

    private let first = FirstProgram.Car(
        id: 1, name: "a car", seats: 5, price: 12_000, owner: nil, wheels: [FirstProgram.Wheel(size: 17)],
        state: .moving(speed: 30), removed: true)

    private let second = SecondProgram.Car(
        id: 1, title: "a car", wheels: [SecondProgram.Wheel(tyre: nil, size: 17)], seats: 5, price: 12_000,
        owner: "nobody",
        colour: nil, doors: 4, state: .moving(speed: 30))

    @Test func everyRule_isAppliedAtOnce() throws {
        try open().insert(first)
        let store = try open()
        #expect(try store.get(SecondProgram.Car.self, key: 1) == second)
        #expect(try SecondProgram.Car.query().resolve(in: store) == [second])
        #expect(try SecondProgram.Car.query().select(\.title, \.price).resolve(in: store).map(\.1) == [12_000])
        // Nothing was written, because the next program may be the old program.
        #expect(try store.commitSequence == 1)
    }

    @Test func aRecordThatIsWrittenAgain_hasTheNewVersion_andBothAreRead() throws {
        do {
            let store = try open()
            var other = first
            try store.insert(first)
            other = FirstProgram.Car(
                id: 2, name: "b", seats: 2, price: 1, owner: "Zoe", wheels: [], state: .parked, removed: false)
            try store.insert(other)
        }
        let store = try open()
        try store.insert(second)
        let cars = try SecondProgram.Car.query().resolve(in: store)
        #expect(cars.map(\.owner) == ["nobody", "Zoe"])
        #expect(cars.map(\.state) == [.moving(speed: 30), .parked])
        let versions = try store.read { context in
            var versions: [UInt32] = []
            try context.forEachStoredRecord(of: try #require(try context.storedTypes().first)) { record in
                versions.append(record.fieldsVersion)
                return true
            }
            return versions
        }
        #expect(versions == [SecondProgram.Car.fieldsVersion, FirstProgram.Car.fieldsVersion])
    }

    @Test func whatCannotBeConverted_isAnError_withTheKeyAndTheField_andNothingIsLost() throws {
        do {
            let store = try open()
            try store.insert(
                FirstProgram.Car(
                    id: 7, name: "c", seats: 1, price: (1 << 53) + 1, owner: nil, wheels: [], state: .lost,
                    removed: false))
        }
        let store = try open()
        let error = storeError { try store.get(SecondProgram.Car.self, key: 7) }
        guard case .schema(.unconvertible(_, let version, let key, let reason)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(version == FirstProgram.Car.fieldsVersion)
        #expect(key.value(as: SecondProgram.Car.self) == 7)
        #expect(reason.field == "price")
        #expect("\(reason)".contains("9007199254740993"))
        #expect(try SecondProgram.Car.query().keys(in: store) == [7])
    }

    @Test func aMigrationByHand_comesBeforeTheRules() throws {
        try open().insert(first)
        #expect(try open().get(ThirdProgram.Car.self, key: 1) == ThirdProgram.Car(id: 1, words: ["a", "car"]))
    }

    @Test func aMigrationByHand_leavesToTheRules_whatItDoesNotKnow() throws {
        try open().insert(second)
        let version = SecondProgram.Car.fieldsVersion
        let error = storeError { try open().get(ThirdProgram.Car.self, key: 1) }
        let reason = ConversionError(field: "words", reason: .noDefault)
        #expect(error == .schema(.noConversion(type: "ThirdProgram.Car", version: version, reason: reason)))
    }
    @Test func aRenamedKey_isTheSameKey_andWrappersSeeOldValues() throws {
        try open().insert(BeforeFourthProgram.Visit(town: "Salem", stars: 100, level: "high"))
        let store = try open()
        let visit = try #require(try store.get(FourthProgram.Visit.self, key: "Salem"))
        #expect((visit.place, visit.stars, visit.others, visit.level) == ("Salem", 5, 5, .high))
        #expect(try FourthProgram.Visit.query().select(\.stars).resolve(in: store) == [5])
        #expect(try FourthProgram.Visit.query().select(\.others, \.place).resolve(in: store).map(\.0) == [5])
        try store.insert(visit)
        #expect(try store.get(FourthProgram.Visit.self, key: "Salem") == visit)
        #expect(try FourthProgram.Visit.query().count(in: store) == 1)
    }

    @Test func aDefault_isMadeForEachRecord() throws {
        do {
            let store = try open()
            for town in ["a", "b"] {
                try store.insert(BeforeFourthProgram.Visit(town: town, stars: 1, level: "low"))
            }
        }
        let marks = try FourthProgram.Visit.query().select(\.mark).resolve(in: open())
        #expect(Set(marks).count == 2)
    }

    @Test func aRawValueThatTheTypeDoesNotKnow_isNamed() throws {
        try open().insert(BeforeFourthProgram.Visit(town: "Salem", stars: 1, level: "medium"))
        let store = try open()
        let error = storeError { try store.get(FourthProgram.Visit.self, key: "Salem") }
        guard case .schema(.unconvertible(_, _, _, let reason)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.field == "level")
    }

    @Test func aTypeThatContainsItself_isConvertedOnEveryLevel() throws {
        typealias Old = SmallTreeProgram.Node
        typealias New = LargeTreeProgram.Node
        let leaf = Old(value: 3, children: [])
        let old = Old(value: 1, children: [Old(value: 2, children: [leaf, leaf]), leaf])
        try open().insert(SmallTreeProgram.Tree(id: 1, root: old))
        let newLeaf = New(children: [], note: nil, value: 3)
        let new = New(
            children: [New(children: [newLeaf, newLeaf], note: nil, value: 2), newLeaf], note: nil, value: 1)
        #expect(try open().get(LargeTreeProgram.Tree.self, key: 1)?.root == new)
    }

    @Test func aLayoutThatOnlyItsTypeKnows_isLeftToTheInitializer() throws {
        try open().insert(SealedProgram.Box(id: 1, content: Sealed(value: 1)))
        let store = try open()
        let reason = ConversionError(field: "content", reason: .unknownLayout("Sealed"))
        let error = StoreError.schema(
            .noConversion(type: "UnsealedProgram.Box", version: SealedProgram.Box.fieldsVersion, reason: reason))
        #expect(storeError { try store.get(UnsealedProgram.Box.self, key: 1) } == error)
        #expect(error.description.contains("init(decoding:version:)"))
    }

    @Test func eachVersionHasItsWay_whichItsFirstRecordDecides() throws {
        for first in [1, 4] { try open().insert(CountedProgram.One(id: first)) }
        for second in [2, 5] { try open().insert(CountedProgram.Two(id: second, name: "two")) }
        for third in [3, 6] { try open().insert(CountedProgram.Three(id: third, name: "three", size: -1)) }
        let store = try open()
        _ = CountedProgram.calls.take()
        let found = try CountedProgram.Four.query().resolve(in: store)
        #expect(found.map(\.name) == ["initializer", "function", "three", "initializer", "function", "three"])
        #expect(found.map(\.size) == [7, 7, -1, 7, 7, -1])
        // The first record of each version tries the earlier methods and its own, and then calls its own method again.
        // The second record calls only its own method.
        #expect(CountedProgram.calls.take() == [2 + 1 + 1 + 1, 2 + 1 + 1])
    }

    @Test func manyOldRecords_areReadInOneScan() throws {
        let count = 2000
        try open().write { context in
            for id in 0..<count {
                try context.insert(
                    FirstProgram.Car(
                        id: id, name: "car \(id)", seats: 4, price: id, owner: nil, wheels: [], state: .parked,
                        removed: false))
            }
        }
        var next = 0
        let store = try open()
        try store.read { context in
            try SecondProgram.Car.query().forEach(in: context) { car in
                #expect(car.id == next && car.title == "car \(next)" && car.price == Double(next))
                next += 1
            }
        }
        #expect(next == count)
    }
}
