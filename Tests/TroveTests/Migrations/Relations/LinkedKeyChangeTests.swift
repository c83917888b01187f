// Changes of the keys of entities: their links follow, at both ends, in the transaction in which the entities change.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Changed keys of entities") struct LinkedKeyChangeTests {
    private let directory: TemporaryDirectory
    private let path: String
    private static let count = 12
    private static let relations = ["friends", "buddy", "mentor", "mentees", "teams", "watched", "rival"]

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("club.trove")
    }

    private func open(
        _ types: [any IndexKeyRecord.Type] = [], _ migrations: MigrationPolicy = .onOpen
    ) throws -> Store {
        try Store(path: path, records: types, migrations: migrations, options: StoreOptions(durability: .noSync))
    }

    /// Stores members and teams with random links, some of them to entities that are not stored.
    private func fill(_ seed: UInt64, links: Int = 40, count: Int = Self.count) throws -> Graph {
        typealias Club = ClubOfNumbers
        var random = SeededGenerator(seed: seed)
        func some(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        let store = try open(Club.types)
        try store.write { context in
            for number in 0..<count {
                try Club.Member(id: number, number: number).save(to: context)
                if number < 4 { try Club.Team(id: number, number: number).save(to: context) }
            }
            for _ in 0..<links {
                let (id, other) = (some(count), some(count))
                let dangling = some(10) == 0
                var member = Club.Member(id: id, number: id)
                switch some(6) {
                case 0: member.$friends = .appending(ids: [other])
                case 1: member.$buddy = .id(other)
                case 2: member.$mentor = .id(dangling ? 1_000 + some(3) : other)
                case 3: member.$teams = .appending(ids: [some(4), some(4)])
                case 4: member.$watched = .ids([some(4), dangling ? 1_000 : some(4)])
                default: member.$rival = .id(other)
                }
                try member.save(to: context)
                if some(4) == 0 {
                    try Club.Team(id: 1, number: 1, captain: .id(dangling ? 1_001 : other)).save(to: context)
                }
            }
        }
        return try graph(Club.Member.self, Club.Team.self, store) {
            $0
        } _: {
            $0
        }
    }

    /// The links of all entities, read from their ends, by the numbers of the entities.
    typealias Graph = [String: [Int]]

    private func graph<Member: EntityModelProtocol, Team: EntityModelProtocol>(
        _: Member.Type, _: Team.Type, _ store: Store, count: Int = Self.count,
        _ member: (Int) throws -> Member.ID, _ team: (Int) throws -> Team.ID
    ) throws -> [String: [Int]] where Member.ID: KeyComponent & Hashable, Team.ID: KeyComponent & Hashable {
        let numbers = Array(0..<count) + Array(1_000..<1_003)
        let members = Dictionary(try numbers.map { (try member($0), $0) }, uniquingKeysWith: { $1 })
        let teams = Dictionary(try numbers.map { (try team($0), $0) }, uniquingKeysWith: { $1 })
        var graph: [String: [Int]] = [:]
        for number in numbers {
            for property in Self.relations {
                let id = try member(number)
                let found =
                    ["teams", "watched"].contains(property)
                    ? try Member.ids(property, of: id, in: store, as: Team.ID.self).map { teams[$0] ?? -1 }
                    : try Member.ids(property, of: id, in: store, as: Member.ID.self).map { members[$0] ?? -1 }
                if !found.isEmpty { graph["member \(number) \(property)"] = found }
            }
            for property in ["members", "captain"] {
                let found = try Team.ids(property, of: team(number), in: store, as: Member.ID.self)
                if !found.isEmpty { graph["team \(number) \(property)"] = found.map { members[$0] ?? -1 } }
            }
        }
        return graph
    }

    /// Returns the links without those of members that are not stored.
    private func withoutDangling(_ graph: [String: [Int]]) -> [String: [Int]] {
        graph.reduce(into: [:]) { kept, entry in
            if entry.key.hasPrefix("member 100") { return }
            let isOfTeams = entry.key.hasSuffix("teams") || entry.key.hasSuffix("watched")
            let found = entry.value.filter { isOfTeams || $0 < 1_000 }
            if !found.isEmpty { kept[entry.key] = found }
        }
    }

    @Test func byTheRules_allLinksFollow() throws {
        let seed = SeededGenerator.fromEnvironment().seed
        let expected = try fill(seed)
        let store = try open(ClubOfTexts.types)
        #expect(
            try graph(ClubOfTexts.Member.self, ClubOfTexts.Team.self, store, String.init) { $0 } == expected,
            "TROVE_TEST_SEED=\(seed)")
        #expect(try store.check() == [])
        #expect(try Store.verify(path: path).findings.isEmpty)
        // The links are written under the new keys.
        try ClubOfTexts.Member(id: "3", number: 3, friends: .ids(["1", "2"])).save(to: store)
        #expect(try ClubOfTexts.Member.ids("friends", of: "2", in: store, as: String.self).contains("3"))
        #expect(try ClubOfTexts.Member.delete(id: "3", from: store))
        #expect(try store.check() == [])
    }

    @Test func ofBothTypes_allLinksFollow() throws {
        let seed = SeededGenerator.fromEnvironment().seed
        let expected = try fill(seed)
        let store = try open(ClubOfTwoTexts.types)
        let found = try graph(
            ClubOfTwoTexts.Member.self, ClubOfTwoTexts.Team.self, store, String.init, String.init)
        #expect(found == expected, "TROVE_TEST_SEED=\(seed)")
        #expect(try store.check() == [])
    }

    @Test func byHand_theLinksOfStoredRecordsFollow() throws {
        let seed = SeededGenerator.fromEnvironment().seed
        let expected = withoutDangling(try fill(seed))
        let store = try open(ClubOfNames.types)
        let found = try graph(ClubOfNames.Member.self, ClubOfNames.Team.self, store, { "m-\($0)" }) { $0 }
        #expect(found == expected, "TROVE_TEST_SEED=\(seed)")
        #expect(try store.check() == [])
    }

    @Test func withRandomKeys_eachLinkFollowsItsRecord() throws {
        let seed = SeededGenerator.fromEnvironment().seed
        let expected = withoutDangling(try fill(seed))
        let store = try open(ClubOfRandomKeys.types)
        let members = try Query<ClubOfRandomKeys.Member>().resolve(in: store)
        let ids = Dictionary(members.map { ($0.number, $0.id) }, uniquingKeysWith: { $1 })
        let found = try graph(
            ClubOfRandomKeys.Member.self, ClubOfRandomKeys.Team.self, store,
            {
                try ids[$0] ?? #require(UUID(uuidString: "00000000-0000-0000-0000-00000000\($0)"))
            }
        ) { $0 }
        #expect(found == expected, "TROVE_TEST_SEED=\(seed)")
        #expect(try store.check() == [])
    }

    /// - Parameter records: The number of records of a batch: all batches are full, or the last has fewer.
    @Test(arguments: [ClubOfTexts.types, ClubOfNames.types], [3, 5])
    func stoppedAfterAnyBatch_itGoesOn(_ types: [any EntityModelProtocol.Type], records: Int) throws {
        let seed = SeededGenerator.fromEnvironment().seed
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        let old = try fill(seed)
        var batches = 0
        while true {
            var size = TypeMigration.BatchSize(bytes: 1 << 20, records: records, time: .zero, rests: false)
            do {
                let store = try open()
                guard let migration = try TypeMigration.find(types[0], in: store, countsVersions: false) else { break }
                _ = try migration.rewriteBatch(in: store, &size, isFirst: true)
                batches += 1
                try store.close()
            }
            #expect(try Store.verify(path: path).findings.isEmpty, comment)
            let store = try open()
            let isOver = try store.read { try $0.storedTypes() }.first { $0.keyPrefix == 4_300_011 }?.migration == nil
            if !isOver {
                // Readers see the old entities with all of their links.
                typealias Club = ClubOfNumbers
                #expect(
                    try graph(Club.Member.self, Club.Team.self, store) {
                        $0
                    } _: {
                        $0
                    } == old, comment)
            }
            #expect(try store.check() == [], comment)
        }
        #expect(batches > 30 / records)
        let store = try open(types)
        let found =
            try types[0] == ClubOfTexts.Member.self
            ? graph(ClubOfTexts.Member.self, ClubOfTexts.Team.self, store, String.init) { $0 }
            : graph(ClubOfNames.Member.self, ClubOfNames.Team.self, store, { "m-\($0)" }) { $0 }
        #expect(found == (types[0] == ClubOfTexts.Member.self ? old : withoutDangling(old)), comment)
    }

    /// Of the tables of an unfinished migration, none is needed in a copy or in a salvaged store.
    @Test(arguments: 1...14) func copiesOfAnInterruptedStore_areWhole(batches: Int) throws {
        let seed = SeededGenerator.fromEnvironment().seed
        let comment: Comment = "TROVE_TEST_SEED=\(seed) after \(batches) batches"
        let old = try fill(seed)
        var size = TypeMigration.BatchSize(bytes: 1, records: 8, time: .seconds(1), rests: false)
        let (copy, salvaged) = (directory.path("copy"), directory.path("salvaged"))
        do {
            let store = try open()
            if let migration = try TypeMigration.find(ClubOfTexts.Member.self, in: store, countsVersions: false) {
                for _ in 0..<batches { _ = try migration.rewriteBatch(in: store, &size, isFirst: true) }
            }
            try store.copy(to: copy)
            try store.close()
        }
        let report = try Store.salvage(from: path, to: salvaged)
        #expect(report.losses == [] && report.isComplete, comment)
        for path in [copy, salvaged, path] {
            #expect(try Store.verify(path: path).findings.isEmpty, comment)
            let store = try Store(path: path, records: ClubOfTexts.types, options: StoreOptions(durability: .noSync))
            let found = try graph(ClubOfTexts.Member.self, ClubOfTexts.Team.self, store, String.init) { $0 }
            #expect(found == old, comment)
            #expect(try store.check() == [], comment)
        }
    }

    /// A team's program knows nothing of the other keys, and writes links while they are copied.
    @Test func linksWrittenMeanwhile_areNotMissed() throws {
        let seed = SeededGenerator.fromEnvironment().seed
        var old = try fill(seed)
        var size = TypeMigration.BatchSize(bytes: 1, records: 8, time: .seconds(1), rests: false)
        do {
            let store = try open()
            let migration = try #require(
                try TypeMigration.find(ClubOfTexts.Member.self, in: store, countsVersions: false))
            for _ in 0..<6 { _ = try migration.rewriteBatch(in: store, &size, isFirst: true) }
            try store.close()
        }
        do {
            let store = try open()
            for id in 0..<4 {
                try ClubOfNumbers.Team(id: id, number: id, members: .ids([11, 7]), captain: .id(5)).save(to: store)
            }
            old = try graph(ClubOfNumbers.Member.self, ClubOfNumbers.Team.self, store) {
                $0
            } _: {
                $0
            }
            try store.close()
        }
        let store = try open(ClubOfTexts.types)
        #expect(
            try graph(ClubOfTexts.Member.self, ClubOfTexts.Team.self, store, String.init) { $0 } == old,
            "TROVE_TEST_SEED=\(seed)")
        #expect(try store.check() == [])
    }

    @Test func thePlan_saysWhatIsLost_andALossCanBeRefused() throws {
        do {
            let store = try open(ClubOfNumbers.types)
            try ClubOfNumbers.Member(id: 1, number: 1, mentor: .id(7), teams: .ids([1, 2])).save(to: store)
        }
        let plan = try open().migrationPlan(for: ClubOfNames.types)
        #expect(plan.types.first?.relations.map(\.kind).contains(.keysChanged(lostLinks: 1)) == true)
        #expect(
            plan.description.contains(
                "relation(mentor) gets new keys, and loses 1 link to records that are not stored: 1 link rewritten"),
            "\(plan)")
        #expect(plan.description.contains("relation(teams) gets new keys: 2 links rewritten"), "\(plan)")
        guard
            case .schema(.valuesWouldBeLost(_, let losses))? = storeError({
                try open(ClubOfNames.types, .onOpen.refusingLoss)
            })
        else {
            Issue.record("a link was lost")
            return
        }
        #expect(losses.map(\.description) == ["TroveTests.ClubOfNumbers.Member.mentor: 1 link"])
        // The rules convert the key of a record that is not stored.
        _ = try open(ClubOfTexts.types, .onOpen.refusingLoss)
    }
}
