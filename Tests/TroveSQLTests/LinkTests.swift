// The tables of relations have the links of the typed relations.

import Testing
import Trove
import TroveSQL
import TroveTestSupport

@EntityModel
struct Person: Sendable {
    let id: Int
    var name: String
    @Relationship(inverse: \.members) var groups: [Club]?
    @Relationship(inverse: \.author) var letters: [Mail]?
    @Relationship(inverse: \.friends) var friends: [Person]?
    @Relationship(inverse: \.partner) var partner: Person?
    @Relationship() var boss: Person?
    @Relationship() var seen: [Mail]?
}

@EntityModel
struct Club: Sendable {
    let id: String
    @Relationship(inverse: \.groups) var members: [Person]?
}

@EntityModel
struct Mail: Sendable {
    let id: Int
    var text: String
    @Relationship(inverse: \.letters) var author: Person?
}

struct LinkTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Person.self])
        try Person(
            id: 1, name: "Ann", groups: .ids(["b", "a"]),
            letters: .relation([Mail(id: 7, text: "x"), Mail(id: 5, text: "y")]), friends: .ids([3, 2]),
            partner: .id(2), boss: .id(9), seen: .ids([5, 8])
        ).save(to: store)
        try Person(id: 2, name: "Bob", groups: .ids(["a"])).save(to: store)
    }

    private func pairs(_ sql: SQL) throws -> [String] {
        try store.sql(sql).map { Self.text($0[0]) + Self.text($0[1]) }
    }

    @Test func links_areReadFromBothEnds() throws {
        #expect(
            try pairs(#"SELECT owner, target FROM "Person.groups" ORDER BY owner, position"#) == ["1b", "1a", "2a"])
        #expect(
            try pairs(#"SELECT owner, target FROM "Club.members" ORDER BY 1, position"#) == ["a1", "a2", "b1"])
        #expect(try pairs(#"SELECT owner, target FROM "Person.letters" ORDER BY position"#) == ["17", "15"])
        #expect(try pairs(#"SELECT owner, target FROM "Mail.author" WHERE target = 1 ORDER BY owner"#) == ["51", "71"])
        #expect(
            try pairs(#"SELECT owner, target FROM "Person.friends" ORDER BY owner, position"#) == [
                "13", "12", "21", "31",
            ])
        #expect(try pairs(#"SELECT owner, target FROM "Person.partner" ORDER BY owner"#) == ["12", "21"])
        #expect(try pairs(#"SELECT owner, target FROM "Person.boss" WHERE target > 3"#) == ["19"])
        #expect(
            try pairs(#"SELECT owner, target FROM "TroveSQLTests.Person.seen" ORDER BY position DESC"#) == ["18", "15"])
        #expect(try store.sql(#"SELECT * FROM "Person.boss""#)[0].columns == ["owner", "target", "position"])
        #expect(try store.sql(#"SELECT position FROM "Person.boss""#, as: Int?.self) == [nil])
        #expect(try store.sql(#"SELECT count(*) FROM "Person.groups""#, as: Int.self) == [3])
    }

    /// Links are written by saves, which call hooks and keep both ends.
    @Test(arguments: [#"DELETE FROM "Person.groups""#, #"UPDATE "Person.groups" SET position = 1"#])
    func links_areNotWritten(sql: String) throws {
        let before = try pairs(#"SELECT owner, target FROM "Person.groups""#)
        let error = #expect(throws: SQLError.self) { try store.write { try $0.sql(SQL(raw: sql)) } }
        #expect(error?.message.contains("Person.groups cannot be written") == true)
        #expect(try pairs(#"SELECT owner, target FROM "Person.groups""#) == before && !before.isEmpty)
    }

    @Test func joins_followLinks() throws {
        let names = try store.sql(
            """
            SELECT p.name, m.text FROM Person p JOIN "Person.letters" l ON l.owner = p.id JOIN Mail m ON m.id = l.target
            ORDER BY l.position
            """, as: (String, String).self)
        #expect(names.map(\.1) == ["x", "y"])
        #expect(
            try store.sql(
                #"SELECT DISTINCT b.owner FROM "Person.groups" a JOIN "Person.groups" b ON a.target = b.target WHERE a.owner = 1"#,
                as: Int.self
            ).sorted() == [1, 2])
        let plan = try store.explainSQL(#"SELECT target FROM "Person.groups" WHERE owner = \#(1) ORDER BY position"#)
        #expect(plan == "SEARCH Person.groups by covering list of owners (owner=?)")
        let inverse = try store.explainSQL(#"SELECT owner FROM "Person.groups" WHERE target = \#("a")"#)
        #expect(inverse == "SEARCH Person.groups by covering list of targets (target=?)")
    }

    @Test func aRelationWithoutLinks_isEmpty() throws {
        let store = try Store.temporary(records: [Person.self])
        #expect(try store.sql(#"SELECT * FROM "Person.groups""#).isEmpty)
        try store.write { context in
            #expect(try context.sql(#"SELECT * FROM "Club.members" WHERE owner = 'a'"#).isEmpty)
            try Person(id: 1, name: "", groups: .ids(["a"])).save(to: context)
            #expect(try context.sql(#"SELECT target FROM "Club.members" WHERE owner = 'a'"#, as: Int.self) == [1])
        }
        #expect(throws: SQLError.self) { try store.sql(#"SELECT * FROM "Person.name""#) }
    }

    @Test func theFirstLink_isObserved() async throws {
        let store = try await Store.temporary(records: [Person.self])
        var iterator = SQLRequest(#"SELECT target FROM "Person.groups""#, as: String.self).values(in: store)
            .makeAsyncIterator()
        #expect(try await iterator.next() == [])
        try await Person(id: 1, name: "", groups: .ids(["a"])).save(to: store)
        #expect(try await iterator.next() == ["a"])
        try await Club(id: "b", members: .ids([1])).save(to: store)
        #expect(try await iterator.next() == ["a", "b"])
    }

    // MARK: Random graphs

    /// A link of any relation, as text.
    private typealias Links = [String: [String]]

    private static func save(_ random: inout SeededGenerator, in context: TransactionContext) throws {
        func ids(_ random: inout SeededGenerator, _ range: Range<Int>) -> [Int] {
            (0..<Int.random(in: 0..<5, using: &random)).map { _ in Int.random(in: range, using: &random) }
        }
        let id = Int.random(in: 0..<12, using: &random)
        func target(_ random: inout SeededGenerator) -> Int { Int.random(in: 0..<12, using: &random) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: try Person(id: id, name: "", groups: .ids(ids(&random, 0..<6).map { "c\($0)" })).save(to: context)
        case 1: try Person(id: id, name: "", letters: .ids(ids(&random, 0..<12))).save(to: context)
        case 2: try Person(id: id, name: "", friends: .appending(ids: ids(&random, 0..<12))).save(to: context)
        case 3: try Person(id: id, name: "", partner: .id(target(&random))).save(to: context)
        case 4: try Person(id: id, name: "", boss: .id(target(&random))).save(to: context)
        case 5: try Person(id: id, name: "", seen: .ids(ids(&random, 0..<12))).save(to: context)
        case 6: try Club(id: "c\(id % 6)", members: .ids(ids(&random, 0..<12))).save(to: context)
        case 7: try Mail(id: id, text: "", author: .id(target(&random))).save(to: context)
        case 8: try Person(id: id, name: "", partner: .null).save(to: context)
        default: try Person(id: id, name: "").delete(from: context)
        }
    }

    /// Returns the targets of each owner of each relation by typed queries.
    private static func typed(_ context: ReadContext) throws -> Links {
        var links: Links = [:]
        func add(_ relation: String, _ owner: some Any, _ targets: [some Any]) {
            if !targets.isEmpty { links["\(relation) \(owner)"] = targets.map { "\($0)" } }
        }
        let people = Person.query().id(\.$groups).id(\.$letters).id(\.$friends).id(\.$partner).id(\.$boss).id(\.$seen)
        for person in try people.resolve(in: context) {
            add("Person.groups", person.id, person.$groups.ids)
            add("Person.letters", person.id, person.$letters.ids)
            add("Person.friends", person.id, person.$friends.ids)
            add("Person.partner", person.id, person.$partner.ids)
            add("Person.boss", person.id, person.$boss.ids)
            add("Person.seen", person.id, person.$seen.ids)
        }
        for club in try Club.query().id(\.$members).resolve(in: context) {
            add("Club.members", club.id, club.$members.ids)
        }
        for mail in try Mail.query().id(\.$author).resolve(in: context) {
            add("Mail.author", mail.id, mail.$author.ids)
        }
        return links
    }

    private static let relations = [
        "Person.groups", "Person.letters", "Person.friends", "Person.partner", "Person.boss", "Person.seen",
        "Club.members", "Mail.author",
    ]

    /// Returns the targets of each owner by SQL.
    private static func links(
        _ context: ReadContext, where condition: (_ relation: String) -> SQL
    ) throws -> Links {
        var links: Links = [:]
        for relation in relations {
            let rows = try context.sql(
                "SELECT owner, target FROM \"\(raw: relation)\" l WHERE \(condition(relation)) ORDER BY owner, position, target"
            )
            for row in rows { links["\(relation) \(text(row[0]))", default: []].append(text(row[1])) }
        }
        return links
    }

    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .integer(let number): "\(number)"
        case .text(let text): text
        default: "\(value)"
        }
    }

    @Test func randomGraphs_haveTheSameLinks() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let store = try Store.temporary(records: [Person.self])
        for round in 0..<30 {
            try store.write { context in
                for id in 0..<12 where round == 0 {
                    try Person(id: id, name: "").save(to: context)
                    try Mail(id: id, text: "").save(to: context)
                    if id < 6 { try Club(id: "c\(id)").save(to: context) }
                }
                for _ in 0..<12 { try Self.save(&random, in: context) }
                if round % 2 == 0 { try Self.compare(context, "seed \(seed), in a write") }
            }
            try store.read { context in
                try Self.compare(context, "seed \(seed)")
                for path in ["list of owners", "list of targets"] {
                    var options = ConnectionOptions()
                    options.forcedPath = path
                    try StatementCall.$options.withValue(options) { try Self.compare(context, "seed \(seed), \(path)") }
                }
            }
        }
    }

    private static func compare(_ context: ReadContext, _ comment: String) throws {
        // The links of entities that are not stored are links, too.
        let stored = Set(try Person.query().keys(in: context).map { "\($0)" })
        let mails = Set(try Mail.query().keys(in: context).map { "\($0)" })
        func isStored(_ key: String) -> Bool {
            let (relation, owner) = (key.prefix { $0 != " " }, key.drop { $0 != " " }.dropFirst())
            return relation.hasPrefix("Person")
                ? stored.contains(String(owner))
                : relation.hasPrefix("Mail") ? mails.contains(String(owner)) : true
        }
        let expected = try typed(context)
        let found = try links(context) { _ in "1" }
        #expect(found.filter { isStored($0.key) } == expected, "\(comment)")
        // From the other end, and by both.
        for target in ["0", "3", "7", "c1", "c4"] {
            let condition: SQL = Int(target).map { "target = \($0)" } ?? "target = \(target)"
            let byTarget = try links(context) { _ in condition }
            #expect(byTarget == found.compactMapValues { $0.contains(target) ? [target] : nil }, "\(comment) \(target)")
            let byBoth = try links(context) { relation in
                relation.hasPrefix("Club")
                    ? "\(condition) AND owner IN ('c1', 'c2')" : "\(condition) AND owner IN (1, 2)"
            }
            #expect(
                byBoth == byTarget.filter { ["1", "2", "c1", "c2"].contains($0.key.split(separator: " ").last ?? "") },
                "\(comment) \(target)")
        }
    }
}
