// Random changes to records of a type with indexes of all kinds. The stored entries equal the entries derived from the
// records, and the records equal those of a simple model.

import Foundation
import Testing
import Trove
import TroveTestSupport

@RecordValue
private struct Place: Hashable {
    var street: String
    var number: Int
}

@RecordValue
private enum Temper: Hashable {
    case calm
    case wild(Int)
}

@IndexKeyRecord("group", "id")
private struct Thing: Hashable {
    #Index<Thing>(\.age)
    #Index<Thing>(\.name.desc, \.age)
    #Index<Thing>(\.note)
    #Index<Thing>(\.place)
    #Index<Thing>(\.temper, \.age.desc)
    #Index<Thing>(\.tags, where: { $0.age > 2 })
    #Index<Thing>(\.id.desc)
    #Index<Thing>(\.tags.each)
    #Index<Thing>(\.age, \.marks.each, \.name.desc, where: { $0.age > 1 })
    #Unique<Thing>(\.code, collisions: .throw)
    #Unique<Thing>(\.slot, collisions: .upsert)
    #Unique<Thing>(\.name, \.badge, collisions: .ignore)
    #Unique<Thing>(
        \.crown,
        collisions: .custom { context, _, existing in
            var former = existing
            former.crown = nil
            try context.insert(former)
        })

    let group: Int
    let id: Int
    var name: String
    var age: Int
    var note: String?
    var place: Place?
    var temper: Temper
    var tags: [String]
    var marks: Set<Int>?
    var code: Int?
    var slot: String?
    var badge: Int?
    var crown: Bool?

    struct Key: Hashable {
        var group: Int
        var id: Int
    }

    var key: Key { Key(group: group, id: id) }
}

@Suite("Random changes of indexed records") struct RandomChangeTests {
    private let directory: TemporaryDirectory
    private var random: SeededGenerator
    private let seed: UInt64

    init() throws {
        directory = try TemporaryDirectory()
        (random, seed) = SeededGenerator.fromEnvironment()
    }

    private func open() throws -> Store {
        try Store(
            path: directory.path("things.trove"), records: [Thing.self], options: StoreOptions(durability: .noSync))
    }

    private mutating func thing() -> Thing {
        func sometimes<T>(_ value: T) -> T? { Int.random(in: 0..<3, using: &random) == 0 ? nil : value }
        func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        let long = String(repeating: "n", count: [0, 0, 3, 490, 600, 1500][number(6)])
        return Thing(
            group: number(3), id: number(12), name: long + "\(number(4))", age: number(6),
            note: sometimes(long + "\u{0}\(number(3))"), place: sometimes(Place(street: long, number: number(3))),
            temper: number(2) == 0 ? .calm : .wild(number(3)),
            tags: (0..<number(4)).map { _ in long + "t\(number(3))" },
            marks: sometimes(Set((0..<number(4)).map { _ in number(5) })),
            code: sometimes(number(60)), slot: sometimes("\(number(40))"), badge: sometimes(number(8)),
            crown: number(8) == 0 ? true : nil)
    }

    /// A model of the records and of the effect of inserts.
    private struct Model {
        var things: [Thing.Key: Thing] = [:]

        /// - Returns: Whether the record is saved; nil on a collision.
        mutating func insert(_ new: Thing) -> Bool? {
            var after = things
            let others = things.values.filter { $0.key != new.key }
            let old = things[new.key]
            if let slot = new.slot, slot != old?.slot, let other = others.first(where: { $0.slot == slot }) {
                after[other.key] = nil
            }
            let left = after.values.filter { $0.key != new.key }
            // The rules apply in the order of their declarations.
            if let code = new.code, code != old?.code, left.contains(where: { $0.code == code }) { return nil }
            if let badge = new.badge, badge != old?.badge || new.name != old?.name,
                left.contains(where: { $0.badge == badge && $0.name == new.name })
            {
                return false
            }
            if let crown = new.crown, crown != old?.crown, let other = left.first(where: { $0.crown == crown }) {
                after[other.key]?.crown = nil
            }
            after[new.key] = new
            things = after
            return true
        }
    }

    private func insert(_ new: Thing, _ model: inout Model, in destination: some RecordWritable) throws {
        let expected = model.insert(new)
        do {
            let isSaved = try destination.insert(new)
            #expect(isSaved == expected, "TROVE_TEST_SEED=\(seed)")
        } catch StoreError.record(.notUnique) {
            #expect(expected == nil, "TROVE_TEST_SEED=\(seed)")
        }
    }

    @Test mutating func entries_followFromTheRecords() throws {
        var store = try open()
        var model = Model()
        for step in 0..<400 {
            let new = thing()
            switch Int.random(in: 0..<16, using: &random) {
            case 0..<8: try insert(new, &model, in: store)
            case 8:
                let wasThere = model.things.removeValue(forKey: new.key) != nil
                #expect(try store.delete(new) == wasThere, "TROVE_TEST_SEED=\(seed)")
            case 9:
                let gone = model.things.values.filter { $0.group == new.group && $0.id > new.id }
                #expect(try Query<Thing>(new.group, last: .greaterThan(new.id)).delete(in: store) == gone.count)
                for thing in gone { model.things[thing.key] = nil }
            case 10:
                let gone = model.things.values.filter { $0.age == new.age && $0.temper == new.temper }
                #expect(
                    try Thing.filter(\.age == new.age).filter(\.temper == new.temper).delete(in: store) == gone.count)
                for thing in gone { model.things[thing.key] = nil }
            case 11:
                // The update changes only the age: no record collides.
                let changed = model.things.values.filter { $0.age == new.age }
                #expect(try Thing.filter(\.age == new.age).update(in: store) { $0.age += 1 } == changed.count)
                for thing in changed { model.things[thing.key]?.age += 1 }
            case 12:
                // The error is the cancellation, or the collision of the insert.
                #expect(throws: (any Error).self) {
                    try store.write { context in
                        try context.insert(new)
                        try context.delete(Thing.self, key: Tuple(new.group, new.id + 1))
                        throw CancellationError()
                    }
                }
            case 13:
                var changed = model
                let more = [thing(), thing()]
                try store.write { context in
                    try insert(new, &changed, in: context)
                    #expect(throws: (any Error).self) {
                        try context.nested { context in
                            for thing in more { try context.insert(thing) }
                            throw CancellationError()
                        }
                    }
                    try context.nested { context in try insert(more[1], &changed, in: context) }
                }
                model = changed
            case 14 where Int.random(in: 0..<6, using: &random) == 0:
                try Query<Thing>().delete(in: store)
                model = Model()
            default: store = try open()
            }
            guard step % 20 == 19 else { continue }
            #expect(try store.check(Thing.self) == [], "TROVE_TEST_SEED=\(seed)")
            let stored = try Query<Thing>().resolve(in: store)
            #expect(stored.count == model.things.count, "TROVE_TEST_SEED=\(seed)")
            #expect(Set(stored) == Set(model.things.values), "TROVE_TEST_SEED=\(seed)")
            let (tag, mark) = (thing().tags.first ?? "t0", step % 5)
            #expect(
                try Set(Thing.filter(.contains(\.tags, tag) || .contains(\.tags, "t1")).resolve(in: store))
                    == Set(model.things.values.filter { $0.tags.contains(tag) || $0.tags.contains("t1") }),
                "TROVE_TEST_SEED=\(seed)")
            #expect(
                try Set(Thing.filter(\.age == 3 && .contains(\.marks, mark)).resolve(in: store))
                    == Set(model.things.values.filter { $0.age == 3 && $0.marks?.contains(mark) == true }),
                "TROVE_TEST_SEED=\(seed)")
        }
    }
}
