// An async context must await the calls on a store.

import Testing

@Suite("Async contexts await", .enabled(if: Compiler.isThere, "there is no swiftc on the path"))
struct AsyncRefusalTests {
    private static let calls =
        [
            "store.insert(person)", "Person.select(in: store)", "Person.select(in: store, name: \"Zoe\")",
            "Person.get(in: store, name: \"Zoe\")", "Person.delete(in: store, name: \"Zoe\")",
            "Person.filter(\\.age > 3).count(in: store)", "Person.filter(\\.age > 3, in: store).resolve()",
            "Person.query().filter(\\.age > 3).sum(of: \\.age).resolve(in: store)", "person.insert(in: store)",
            "store.get(Person.self, key: \"Zoe\")", "store.write { context in try context.insert(person) }",
            "store.read { context in try Person.query().count(in: context) }", "Store(path: \"a.trove\")",
            "Store.temporary()", "store.copy(to: \"b.trove\")", "store.check()", "store.rebuild()", "store.close()",
            "Store.verify(path: \"a.trove\")", "store.finishMigrations()",
            "Person.query(name: \"Zoe\").min(of: \\.age).resolve(in: store)",
            "Person.query().max(of: \\.age).resolve(in: store)",
            "Person.query().sum(of: \\.age).resolve(in: store)",
            "Person.query().average(of: \\.age).resolve(in: store)",
            "Person.query().explain(in: store)", "Person.filter(\\.age > 3).explain(in: store)",
            "Person.query().update(in: store) { $0.age += 1 }",
            "Person.filter(\\.age > 3).update(in: store) { $0.age += 1 }",
            "Person.query().distinct(\\.age).resolve(in: store)",
            "Person.filter(\\.age > 3, in: store).distinct(\\.age).resolve()",
            "Person.query().grouped(by: \\.age).count(in: store)",
            "Person.query(in: store).grouped(by: \\.age).sum(of: \\.age).resolve()", "store.load { nil }",
            "Store.create(at: \"b.trove\") { nil }", "store.markForRebuild(of: type)",
            "store.reading { context in try context.storedTypes() }",
            "store.writing { context in try context.insert(person) }",
        ] + relationCalls

    /// The statements about an entity, or about a single relation.
    private static let relationCalls = [
        "author.save(to: store)", "author.delete(from: store)", "Author.delete(id: 1, from: store)",
        "[author].save(to: store)", "author.save(\\.$books, to: store)", "author.save(\\.$rival, to: store)",
        "author.detach(\\.$books, in: store)", "author.detach(\\.$books, ids: [1], in: store)",
        "author.detach(\\.$rival, in: store)", "author.detach(\\.$rival, ids: [1], in: store)",
        "author.delete(\\.$books, from: store)", "author.delete(\\.$books, ids: [1], from: store)",
        "author.delete(\\.$rival, from: store)", "author.delete(\\.$rival, ids: [1], from: store)",
        // Of TroveSpellings.
        "author.save(\\.$books, inverse: \\.$author, to: store)",
        "author.detach(\\.$books, inverse: \\.$author, in: store)",
        "author.detach([1], relation: \\.$books, inverse: \\.$author, in: store)",
        "author.detach([1], relation: \\.$rival, in: store)",
        "author.delete(\\.$books, inverse: \\.$author, from: store)",
        "author.delete([1], relation: \\.$books, inverse: \\.$author, from: store)",
        "author.delete([1], relation: \\.$rival, from: store)", "author.save(to: store, options: .default)",
        "[author].save(to: store, options: .default)", "store.withTransaction { try $0.insert(person) }",
    ]

    static let refusals = calls.flatMap { call in
        [
            Refusal(
                "an async function awaits \(call)", "_ = try await \(call)", not: "_ = try \(call)",
                "is not marked with 'await'"),
            Refusal(
                "a task awaits \(call)", "Task { _ = try await \(call) }", not: "Task { _ = try \(call) }",
                "unavailable from asynchronous contexts; await the call"),
        ]
    }

    private func program(_ bodies: [String]) -> String {
        let functions = bodies.enumerated().map { number, body in
            """
            func function\(number)(_ store: Store, _ person: Person, _ author: Author, _ type: StoredType) async throws {
                \(body)
            }
            """
        }
        let declarations = """
            import Trove
            import TroveSpellings

            @IndexKeyRecord("name")
            struct Person {
                let name: String
                var age: Int
            }

            @EntityModel
            struct Author {
                let id: Int
                @Relationship(inverse: \\.author) var books: [Book]?
                @Relationship var rival: Author? = nil
            }

            @EntityModel
            struct Book {
                let id: Int
                @Relationship(inverse: \\.books) var author: Author?
            }
            """
        return ([declarations] + functions).joined(separator: "\n\n")
    }

    @Test func whatIsAllowed_compiles() throws {
        #expect(try Compiler.errors(in: program(Self.refusals.map(\.allowed))) == [])
    }

    @Test func whatIsNot_isRefused() throws {
        // A program for all: a compilation takes a moment, and each of them has its own line.
        for kind in [0, 1] {
            let refusals = Self.refusals.enumerated().filter { $0.offset % 2 == kind }.map(\.element)
            let errors = try Compiler.errors(in: program(refusals.map(\.refused)))
            // The compiler has two sentences for a forgotten `await`.
            let sentences = Set(Self.refusals.map(\.error))
            let found = errors.count { error in sentences.contains { error.contains($0) } }
            #expect(found == refusals.count, "\(errors)")
        }
    }
}
