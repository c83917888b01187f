// The command on a store with relations.

#if CommandLine
import Foundation
import Testing
import Trove
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
}
#endif
