// The Swift samples of Docs/SQL.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove
import TroveSQL

// Docs/SQL.md:52
@IndexKeyRecord("id")
private struct User {
    #Index<User>(\.age)
    let id: Int
    var name: String
    var age: Int
    var city: String
}

// Docs/SQL.md:61
@IndexKeyRecord("id")
private struct Purchase {
    #Index<Purchase>(\.person)
    let id: Int
    var person: Int
    var amount: Double
}

// Docs/SQL.md:99
private struct CityCount: Decodable {
    var city: String
    var n: Int
}

enum SQL_Records {
    @Sendable static func run() throws {
        // Docs/SQL.md:50



        let store = try Store.temporary(records: [User.self, Purchase.self])
        try store.write { context in
            try context.insert(User(id: 1, name: "Ann", age: 31, city: "Oslo"))
            try context.insert(User(id: 2, name: "Bob", age: 17, city: "Oslo"))
            try context.insert(User(id: 3, name: "Cid", age: 44, city: "Rome"))
            for id in 1...6 { try context.insert(Purchase(id: id, person: id % 3 + 1, amount: Double(id) * 40)) }
        }

        let adults = try User.fetch(sql: "WHERE age > \(18) ORDER BY name DESC LIMIT 10", in: store)
        expectOutput(adults.map(\.name), is: #"["Cid", "Ann"]"#, at: "Docs/SQL.md:78")

        let name = "Bob"
        let bob = try User.first(sql: "WHERE name = \(name)", in: store)
        expectOutput(bob?.age ?? 0, is: #"17"#, at: "Docs/SQL.md:82")

        let buyers = try User.fetch(
            sql: "JOIN Purchase p ON p.person = User.id WHERE p.amount > \(150) ORDER BY p.id", in: store)
        expectOutput(buyers.map(\.name), is: #"["Bob", "Cid", "Ann"]"#, at: "Docs/SQL.md:86")
        // Docs/SQL.md:99

        for (city, n) in try store.sql("SELECT city, count(*) FROM User GROUP BY city", as: (String, Int).self) {
            print(city, n)
        }
        let oldest = try store.sql("SELECT max(age) FROM User", as: Int?.self)
        expectOutput(oldest, is: #"[Optional(44)]"#, at: "Docs/SQL.md:108")
        let counts = try store.sql("SELECT city, count(*) AS n FROM User GROUP BY city ORDER BY city", as: CityCount.self)
        expectOutput(counts.map(\.n), is: #"[2, 1]"#, at: "Docs/SQL.md:110")
        let rows = try store.sql("SELECT id, name FROM User WHERE id = 3")
        expectOutput(rows[0].json, is: #"{"id":3,"name":"Cid"}"#, at: "Docs/SQL.md:112")
        expectOutput(rows[0]["name"] ?? .null, is: #"'Cid'"#, at: "Docs/SQL.md:113")
        // Docs/SQL.md:131
        let typed = "x' OR 1=1 --"
        expectOutput(try store.sql("SELECT count(*) FROM User WHERE name = \(typed)", as: Int.self), is: #"[0]"#, at: "Docs/SQL.md:132")
        let ids = [1, 3, 99]
        expectOutput(try store.sql("SELECT name FROM User WHERE id IN \(ids) ORDER BY id", as: String.self), is: #"["Ann", "Cid"]"#, at: "Docs/SQL.md:134")
        let isAdult: SQL = "age >= \(18)"
        expectOutput(try store.sql("SELECT count(*) FROM \(User.self) WHERE \(isAdult)", as: Int.self), is: #"[2]"#, at: "Docs/SQL.md:136")
        // Docs/SQL.md:158
        try store.read { context in
            let count = try context.sql("SELECT count(*) FROM User", as: Int.self)
            expectOutput(count, try User.query().count.resolve(in: context), is: #"[3] 3"#, at: "Docs/SQL.md:160")
            try context.forEachRow("SELECT id, name FROM User ORDER BY id", as: (Int, String).self) { id, name in
                print(id, name)
                return .continue
            }
        }
        try store.write { context in
            try context.insert(User(id: 4, name: "Dan", age: 5, city: "Rome"))
            expectOutput(try context.sql("SELECT name FROM User WHERE age < 10", as: String.self), is: #"["Dan"]"#, at: "Docs/SQL.md:168")
        }
        // Docs/SQL.md:185
        let id = 2
        try store.write { context in
            try context.sql("UPDATE User SET age = age + 1 WHERE id = \(id)")
            try context.sql("INSERT INTO User(id, name, age, city) VALUES (\(5), \("Eve"), \(28), \("Bonn"))")
            let moved = try context.sql("UPDATE User SET city = 'Oslo' WHERE city = 'Rome'").changes
            expectOutput(moved, is: #"2"#, at: "Docs/SQL.md:190")
        }
        let deleted = try store.write(sql: "DELETE FROM Purchase WHERE amount < \(100)")
        expectOutput(deleted.changes, is: #"2"#, at: "Docs/SQL.md:193")
        // Docs/SQL.md:201
        try store.write { context in
            let ids = try context.sql(
                "INSERT INTO Purchase SELECT id + 100, id, 5 FROM User WHERE age < 20 RETURNING id", as: Int.self)
            expectOutput(ids.count, is: #"2"#, at: "Docs/SQL.md:204")
        }
        // Docs/SQL.md:255
        let cities = SQLRequest("SELECT city, count(*) FROM User GROUP BY city", as: (String, Int).self)
        let (byCity, all) = try store.fetch(cities, User.query().count)
        expectOutput(byCity.count, all, is: #"2 5"#, at: "Docs/SQL.md:257")
        // Docs/SQL.md:273
        let export = try store.exportSQLite(to: samplePath("people.sqlite"), types: ["User"])
        expectOutput(export.tables.map(\.name), export.tables.map(\.rows), is: #"["User"] [5]"#, at: "Docs/SQL.md:274")

        try store.insert(User(id: 6, name: "Fay", age: 20, city: "Rome"))
        let added = try store.sql(
            "SELECT name FROM User WHERE id NOT IN (SELECT id FROM old.User)", as: String.self,
            attaching: ["old": .file(samplePath("people.sqlite"))])
        expectOutput(added, is: #"["Fay"]"#, at: "Docs/SQL.md:280")
        // Docs/SQL.md:352
        expectOutput(try store.explainSQL("SELECT * FROM User WHERE id = \(3)"), is: #"SEARCH User by key (id=?)"#, at: "Docs/SQL.md:352")
        _ = store
        _ = adults
        _ = name
        _ = bob
        _ = buyers
        _ = oldest
        _ = counts
        _ = rows
        _ = typed
        _ = ids
        _ = isAdult
        _ = id
        _ = deleted
        _ = cities
        _ = byCity
        _ = all
        _ = export
        _ = added
    }
}
