// The command on a store with relations.

#if CommandLine
import Foundation
import LMDB
import Testing
import Trove
import TroveCoding
import TroveTestSupport

@EntityModel
private struct Room {
    let id: Int
    @Relationship(inverse: \.room) var guests: [Guest]?
}

@EntityModel
private struct Guest {
    let id: Int
    var name: String
    @Relationship(inverse: \.guests) var room: Room?
    @Relationship(inverse: \.friends) var friends: [Guest]?
}

enum Lodge {
    @EntityModel(keyPrefix: 41)
    struct Bed {
        let id: Int
        @Relationship var sleeper: Lodger? = nil
    }

    @EntityModel(keyPrefix: 42)
    struct Lodger {
        let id: Int
    }
}

enum RenamedLodge {
    @EntityModel(keyPrefix: 41)
    struct Bed {
        let id: Int
        @Renamed("sleeper") @Relationship var lodger: Lodger? = nil
    }

    @EntityModel(keyPrefix: 42)
    struct Lodger {
        let id: Int
    }
}

enum KeptPost {
    @EntityModel(keyPrefix: 43, keepsMetadata: true, keepsDeleted: true)
    struct Parcel {
        let id: Int
    }
}

enum UnkeptPost {
    @EntityModel(keyPrefix: 43)
    struct Parcel {
        let id: Int
    }
}

@Suite struct RelationCommandTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("hotel.trove")
        let store = try Store(path: path, records: [Room.self], options: StoreOptions(durability: .noSync))
        try Room(
            id: 1, guests: .relation([Guest(id: 1, name: "Ann", friends: .ids([2])), Guest(id: 2, name: "Ben")])
        ).save(to: store)
    }

    @Test func info_showsRelationsWithTheirEnds() throws {
        let (code, lines) = try trove("info", path)
        #expect(code == 0)
        let start = try #require(lines.firstIndex { $0.hasPrefix("TroveCLITests.Guest.room: 2 links, ") })
        #expect(
            lines[start + 2]
                == "  relation: TroveCLITests.Guest.room to one TroveCLITests.Room, inverse TroveCLITests.Room.guests to many TroveCLITests.Guest"
        )
        #expect(lines[start + 3].hasSuffix(": (guests:Int64,room:Int64){position:Int64}"))
        #expect(lines[start + 4].hasPrefix("TroveCLITests.Guest.room, list(room,position): 2 entries, "))
        #expect(lines.contains("features of the format: 1 (links), needed to read"))
        let types = try #require(try jsonObject(trove("info", path, "--json").lines)["types"] as? [[String: Any]])
        let links = types.compactMap { $0["links"] as? [String: Any] }
        #expect(links.map { $0["form"] as? String } == ["symmetricList", "list"])
        #expect((links[1]["first"] as? [String: Any])?["property"] as? String == "room")
    }

    @Test func migrations_showsTheNamesOfRelations() throws {
        let path = directory.path("lodge.trove")
        do {
            let store = try Store(path: path, records: [Lodge.Bed.self], options: StoreOptions(durability: .noSync))
            try Lodge.Bed(id: 1, sleeper: .id(7)).save(to: store)
            try store.close()
        }
        #expect(
            try trove("migrations", path).lines.contains(
                "  links of TroveCLITests.Lodge.Bed.sleeper to one type 0000002A, one-way"))
        _ = try Store(path: path, records: [RenamedLodge.Bed.self], options: StoreOptions(durability: .noSync))
        let (code, lines) = try trove("migrations", path)
        #expect(code == 0)
        let start = try #require(lines.firstIndex { $0.hasPrefix("  links of TroveCLITests.Lodge.Bed.lodger ") })
        #expect(lines[start + 1] == "    lodger was named sleeper")
        let types = try #require(jsonObject(trove("migrations", path, "--json").lines)["types"] as? [[String: Any]])
        #expect(types.compactMap { $0["formerNames"] as? [String] } == [["lodger was named sleeper"]])
    }

    @Test func links_areDumped_loaded_copied_andSalvaged() throws {
        #expect(
            try trove("dump", path, "Guest.room").lines == [
                #"{"guests":1,"room":1,"position":0}"#, #"{"guests":2,"room":1,"position":16777216}"#,
            ])
        let text = try trove("dump", path, "--all").lines
        let dump = directory.path("dump.json")
        try (text.joined(separator: "\n") + "\n").write(toFile: dump, atomically: true, encoding: .utf8)
        let paths = ["loaded.trove", "copy.trove", "saved.trove"].map(directory.path)
        let loaded = try trove("load", paths[0], dump)
        #expect(loaded.code == 0 && loaded.lines.contains("TroveCLITests.Guest.room: 2 links loaded"))
        let copied = try trove("copy", path, paths[1])
        #expect(copied.code == 0 && copied.lines.contains("TroveCLITests.Guest.room: 2 links copied"))
        let saved = try trove("salvage", path, paths[2])
        #expect(saved.code == 0 && saved.lines.contains("TroveCLITests.Guest.room: 2 links copied"))
        for path in paths {
            #expect(try trove("dump", path, "--all").lines == text)
            #expect(try trove("verify", path).lines.contains { $0.hasPrefix("TroveCLITests.Guest.room: 2 links, ") })
            #expect(try trove("check", path).code == 0)
        }
    }

    @Test func check_printsDanglingLinksAsRemarks_andRebuildRebuildsLists() throws {
        do {
            let store = try Store(path: path, records: [Room.self], options: StoreOptions(durability: .noSync))
            try Room(id: 2, guests: .ids([9])).save(to: store)
        }
        let (code, lines) = try trove("check", path)
        #expect(code == 0)
        #expect(
            lines.first
                == "remark: TroveCLITests.Guest.room: the link (guests: 9, room: 2) leads to the TroveCLITests.Guest id: 9, which is not stored"
        )
        let json = try jsonObject(trove("check", path, "--json").lines)
        #expect(json["danglingEnds"] as? Int == 1 && json["differences"] as? Int == 0)
        let rebuilt = try trove("rebuild", path, "Guest.room")
        #expect(rebuilt.code == 0)
        #expect(rebuilt.lines.first == "TroveCLITests.Guest.room, list(room,position): rebuilt")
        #expect(try trove("rebuild", path, "Guest.friends", "--json").lines.joined().contains("rebuilt"))
        #expect(try trove("check", path).lines == lines)
    }

    @Test func check_printsContradictingTimesAndDeletedEntitiesAsRemarks() throws {
        let path = directory.path("post.trove")
        do {
            let store = try Store(path: path, records: [KeptPost.Parcel.self])
            for id in 1...3 { try KeptPost.Parcel(id: id).save(to: store) }
            try KeptPost.Parcel.delete(id: 2, from: store)
        }
        #expect(try trove("check", path).lines.allSatisfy { !$0.hasPrefix("remark") })
        do {
            let store = try Store(path: path, records: [UnkeptPost.Parcel.self])
            try UnkeptPost.Parcel(id: 2).save(to: store)
            try UnkeptPost.Parcel.delete(id: 1, from: store)
        }
        let (code, lines) = try trove("check", path)
        #expect(code == 0)
        let remarks = lines.filter { $0.hasPrefix("remark: ") }
        #expect(remarks.count == 2)
        #expect(
            remarks.contains { $0.contains("Parcel~deleted: the TroveCLITests.") && $0.contains(" id: 2 is deleted") })
        #expect(remarks.contains { $0.contains("Parcel~metadata: the ") && $0.contains(" id: 1 has a time") })
        let json = try jsonObject(trove("check", path, "--json").lines)
        #expect(json["timesWithoutEntity"] as? Int == 1 && json["deletedAndStored"] as? Int == 1)
        #expect(json["danglingEnds"] as? Int == 0 && json["differences"] as? Int == 0)
    }

    // MARK: Damage

    /// Changes the tables as another LMDB program would.
    private func change(
        _ body: (borrowing WriteTransaction, _ tables: [(name: String, table: Database)]) throws -> Void
    )
        throws
    {
        let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
        let tables = try environment.databaseNames().sorted().map { ($0, try environment.openDatabase($0)) }
        try environment.write { transaction in try body(transaction, tables) }
    }

    private func entries(
        _ transaction: borrowing WriteTransaction, _ table: Database
    ) throws -> [(key: [UInt8], value: [UInt8])] {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        try transaction.scan(table) { key, value in
            entries.append((copiedBytes(key), copiedBytes(value)))
            return .continue
        }
        return entries
    }

    /// The prefixes of the types of links, as in the names of their tables.
    private func linkPrefixes() throws -> [String] {
        let types = try #require(try jsonObject(trove("info", path, "--json").lines)["types"] as? [[String: Any]])
        return types.filter { $0["links"] != nil }.compactMap { $0["keyPrefix"] as? Int }.map {
            let text = String($0, radix: 16, uppercase: true)
            return String(repeating: "0", count: 8 - text.count) + text
        }
    }

    /// Runs each subcommand. None ends with a signal.
    private func runAll(_ comment: Comment) throws {
        for subcommand in [
            ["info"], ["verify"], ["check"], ["dump", "--all"], ["copy", directory.path("a.trove")],
            ["salvage", directory.path("b.trove")], ["salvage", directory.path("c.trove"), "--stray"],
            ["rebuild", "Guest.room"],
        ] {
            let arguments = [subcommand[0], path] + subcommand.dropFirst() + ["--quiet"]
            let code = try ChildProcess(arguments, executable: "trove", environment: ["SWIFT_BACKTRACE": "enable=no"])
                .wait()
            #expect((0...2).contains(code), "\(subcommand) ended with \(code), \(comment)")
        }
        for name in try directory.names() where ["a.", "b.", "c."].contains(String(name.prefix(2))) {
            let copy = directory.path(name)
            // A salvaged store has no damage. A plain copy may have damage that its pages do not show.
            if name == "b.trove" || name == "c.trove" { #expect(try Store.verify(path: copy).isSound, comment) }
            try FileManager.default.removeItem(atPath: copy)
        }
    }

    @Test func aDamagedLink_isReported_andSalvageLeavesItOut() throws {
        let prefixes = try linkPrefixes()
        try change { transaction, tables in
            let links = try #require(tables.first { $0.name == prefixes[1] + ".0.0" })
            var link = try #require(try entries(transaction, links.table).first)
            link.value[4] ^= 1
            try transaction.put(link.value, for: link.key, in: links.table)
        }
        let (code, lines) = try trove("check", path)
        #expect(code == 1)
        #expect(
            lines.contains("TroveCLITests.Guest.room: the record with the key (guests: 1, room: 1) is damaged"))
        #expect(
            lines.last?.hasSuffix(
                "1 damaged link: run entity.detach(_:ids:in:ignoringDamage:) or trove salvage") == true)
        #expect(try trove("verify", path).code == 1)
        #expect(try trove("dump", path, "Guest.room").code == 1)
        let salvaged = directory.path("salvaged.trove")
        let (salvageCode, report) = try trove("salvage", path, salvaged)
        #expect(salvageCode == 1)
        #expect(report.contains { $0.hasPrefix("TroveCLITests.Guest.room: 1 link copied") }, "\(report)")
        #expect(try trove("check", salvaged).code == 0)
        #expect(try trove("dump", salvaged, "Guest.room").lines.count == 1)
        let store = try Store(path: path, records: [Room.self], options: StoreOptions(durability: .noSync))
        #expect(throws: StoreError.self) { try Room(id: 1).delete(from: store) }
        try Room(id: 1).detach(\.$guests, ids: [1], in: store, ignoringDamage: true)
        try Room(id: 1).delete(from: store)
        #expect(try store.check() == [])
    }

    /// A record, row, position, or entry of a relation is changed, cut, or removed.
    @Test func randomDamageOfLinks_endsNoSubcommandWithASignal() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let prefixes = try linkPrefixes()
        let sound = try Data(contentsOf: URL(filePath: path))
        for round in 0..<Torture.amount(6, full: 200) {
            try sound.write(to: URL(filePath: path))
            var comment: Comment = "TROVE_TEST_SEED=\(seed), round \(round)"
            try change { transaction, tables in
                let choices = tables.filter { table in prefixes.contains { table.name.hasPrefix($0 + ".") } }
                let catalog = try #require(tables.first { $0.name == "trove" })
                let isEntry = Int.random(in: 0..<4, using: &random) == 0
                let (name, table) = isEntry ? catalog : try #require(choices.randomElement(using: &random))
                let candidates = try entries(transaction, table).filter { !isEntry || $0.key.first == 7 }
                var entry = try #require(candidates.randomElement(using: &random))
                try transaction.delete(entry.key, from: table)
                func flip(_ bytes: inout [UInt8]) {
                    guard let place = bytes.indices.randomElement(using: &random) else { return }
                    bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                }
                switch Int.random(in: 0..<5, using: &random) {
                case 0: flip(&entry.key)
                case 1: flip(&entry.value)
                case 2: entry.value = Array(entry.value.prefix(Int.random(in: 0...entry.value.count, using: &random)))
                case 3: entry.key = Array(entry.key.prefix(Int.random(in: 1...entry.key.count, using: &random)))
                default: entry.key = []
                }
                if !entry.key.isEmpty { try transaction.put(entry.value, for: entry.key, in: table) }
                comment = "\(comment), \(name) \(entry)"
            }
            try runAll(comment)
        }
    }
}
#endif
