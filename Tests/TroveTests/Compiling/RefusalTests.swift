// Slow or wrong uses must not compile.

import Foundation
import Testing

/// A correct line, and a small change of it for the compiler to refuse.
struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let allowed: String
    let refused: String
    /// A part of the compiler's error.
    let error: String

    init(_ description: String, _ allowed: String, not refused: String, _ error: String) {
        testDescription = description
        self.allowed = allowed
        self.refused = refused
        self.error = error
    }

    /// The kinds of errors, with all their cases of today.
    static let kinds = [
        (
            "RecordError",
            """
            keyTooLarge valueTooLarge unencodable keyExists notUnique collisionRuleRepeats keyChanged corrupted \
            unreadable checksumMismatch indexDamaged
            """
        ),
        (
            "QueryError",
            """
            filterTooDeep noCondition notStored relationNotStored wrongKeyComponents notAComponent \
            noContinuation sumOverflow wrongShare
            """
        ),
        ("EntityError", "linkTooLarge deleteDenied graphTooDeep hooksTooDeep relationMismatch notKept"),
        (
            "TextError",
            """
            noFullTextIndex notInTextIndex noPhrases textTooDeep textNotReady gatheringFailed noGatheredText \
            unknownAnalyzer idsExhausted
            """
        ),
        ("LiveError", "changedElsewhere recordGone ofOtherStore listIsReading"),
        (
            "SchemaError",
            """
            prefixTaken prefixesTaken layoutChanged keyLayoutChanged relationChanged schemaNewer \
            indexDeclaredTwice indexOfJSON wrongNumberOfTexts noSuchIndex migrationRefused valuesWouldBeLost \
            keysCollide relationNotUnique unsupportedMigration noConversion unconvertible unknownLayout \
            layoutMalformed layoutDamaged
            """
        ),
        (
            "FileError",
            """
            notAFileURL notAStore missing noPermission diskFull mapFull noAddressSpace invalidOption \
            formatTooNew formatTooOld openedDifferently hardLinked lockFileReplaced fileReplaced truncated \
            damaged verificationFailed otherEngine usedByOtherEngine notConvertible holdsChangesOnly storage
            """
        ),
        (
            "TransactionError",
            """
            commitFailed writerBusy busy readExpired tooManyReaders tooManyTables readOnly nestedWrite \
            nestedTransactionOpen transactionEnded wrongThread closed closedInTransaction usedAfterFork suspended \
            writerLockOrphaned
            """
        ),
    ].map { kind, cases in
        let values = cases.split(separator: " ").map { "." + $0 }.joined(separator: ", ")
        return Refusal(
            "a switch over \(kind) has a default",
            "for error in [StoreError.\(kind)]() { switch error { case \(values): break; default: break } }",
            not: "for error in [StoreError.\(kind)]() { switch error { case \(values): break } }",
            "may have additional unknown values")
    }

    static let all =
        [
            // Permission to write.
            Refusal(
                "a read cannot insert", "try store.write { context in try context.insert(person) }",
                not: "try store.read { context in try context.insert(person) }", "has no member 'insert'"),
            Refusal(
                "a read cannot delete", "try store.write { context in try context.delete(person) }",
                not: "try store.read { context in try context.delete(person) }", "has no member 'delete'"),
            Refusal(
                "a query cannot delete in a read",
                "try store.write { context in try Person.query(lastName: \"Dallas\").delete(in: context) }",
                not: "try store.read { context in try Person.query(lastName: \"Dallas\").delete(in: context) }",
                "requires that 'ReadContext' conform to 'RecordWritable'"),
            Refusal(
                "a read of LMDB cannot put", "try environment.write { try $0.put([1], for: [1], in: database) }",
                not: "try environment.read { try $0.put([1], for: [1], in: database) }", "has no member 'put'"),

            // The comparisons supported by a key.
            Refusal(
                "a range is the last component",
                "_ = try Person.select(in: store, lastName: \"Dallas\", firstName: .lessThan(\"Ruby\"))",
                not: "_ = try Person.select(in: store, lastName: .lessThan(\"Zorg\"), firstName: \"Ruby\")",
                "a comparison must come last in a query"),
            Refusal(
                "components lead the key", "_ = try Person.select(in: store, lastName: \"Dallas\")",
                not: "_ = try Person.select(in: store, firstName: \"Korben\")",
                "missing argument for parameter 'lastName'"),
            Refusal(
                "components come in the key's order",
                "_ = try Person.select(in: store, lastName: \"Dallas\", firstName: \"Korben\")",
                not: "_ = try Person.select(in: store, firstName: \"Korben\", lastName: \"Dallas\")",
                "argument 'lastName' must precede argument 'firstName'"),
            Refusal(
                "a field is not a component", "_ = try Person.select(in: store, lastName: \"Dallas\")",
                not: "_ = try Person.select(in: store, age: 45)", "extra argument 'age'"),
            Refusal(
                "a component has its own type", "_ = try Person.select(in: store, lastName: \"Dallas\")",
                not: "_ = try Person.select(in: store, lastName: 45)",
                "no exact matches in call to static method 'select'"),
            Refusal(
                "a number has no prefix", "_ = Person.query(lastName: .hasPrefix(\"D\"))",
                not: "_ = Seat.query(number: .hasPrefix(4))", "static method 'hasPrefix'"),
            Refusal(
                "a filter compares values of one type", "_ = Person.filter(\\.age == 45)",
                not: "_ = Person.filter(\\.age == \"45\")",
                "cannot convert value of type 'String' to expected argument type 'Int'"),
            Refusal(
                "operators join filters", "_ = Person.filter(\\.age > 3 && \\.lastName == \"Zorg\" || !\\.isHome)",
                not: "_ = Person.filter(\\.age > 3 && \\.lastName)", "cannot convert"),
            Refusal(
                "an element has the type of the elements", "_ = Person.filter(.contains(\\.friends, \"Ruby\"))",
                not: "_ = Person.filter(.contains(\\.friends, 3))", "cannot convert value of type 'Int'"),
            Refusal(
                "only values with an order sort", "_ = Person.query().sorted(by: \\.age.desc)",
                not: "_ = Person.query().sorted(by: \\.friends)", "records sort by properties that are a KeyComponent"),
            Refusal(
                "only values with an order compare", "_ = Person.filter(\\.friends == [])",
                not: "_ = Person.filter(\\.friends < [])", "operator function '<' requires"),
            Refusal(
                "a query cannot update in a read",
                "try store.write { context in try Person.filter(\\.age < 0).update(in: context) { $0.age = 0 } }",
                not: "try store.read { context in try Person.filter(\\.age < 0).update(in: context) { $0.age = 0 } }",
                "requires that 'ReadContext' conform to 'RecordWritable'"),
            Refusal(
                "a bound query cannot delete in a read",
                "try store.write { context in try Person.filter(\\.age < 0, in: context).delete() }",
                not: "try store.read { context in try Person.filter(\\.age < 0, in: context).delete() }",
                "'ReadContext' conform to 'RecordWritable'"),
            Refusal(
                "an update keeps a key that is a constant",
                "try Person.query(lastName: \"\").filter(\\.age < 0).update(in: store) { $0.age = 0 }",
                not: "try Person.filter(\\.age < 0).update(in: store) { $0.lastName = \"\" }",
                "'lastName' is a 'let' constant"),
            Refusal(
                "a key that is a constant stays", "person.age = 46", not: "person.lastName = \"Zorg\"",
                "'lastName' is a 'let' constant"),

            // Cases of later versions.
            Refusal(
                "a switch over an error has a default",
                "switch StoreError.transaction(.readOnly(path: \"\")) { case .transaction(.readOnly): break; default: break }",
                not: """
                    switch StoreError.transaction(.readOnly(path: "")) {
                    case .record, .query, .entity, .text, .live, .history, .schema, .file, .transaction: break
                    }
                    """, "may have additional unknown values"),
            // Lifetimes.
            Refusal(
                "a write does not await", "func later() async throws { try await store.write { _ in } }",
                not: "func later() async throws { try await store.write { _ in await Task.yield() } }",
                "cannot pass function of type '@Sendable (TransactionContext) async -> ()'"),
            Refusal(
                "a context stays on its thread",
                "try store.read { context in _ = try Person.query().count(in: context) }",
                not: "try store.read { context in _ = Task { print(context) } }",
                "risks causing data races"),
            Refusal(
                "a transaction of LMDB is not kept", "try environment.read { _ = try $0.get([1], from: database) }",
                not: "var kept: ReadTransaction?; try environment.read { kept = $0 }", "is consuming"),
            Refusal(
                "bytes of the map are not kept",
                "try environment.read { try $0.scan(database) { _, _ in .continue } }",
                not: """
                    var kept: RawSpan?
                    try environment.read { try $0.scan(database) { key, _ in kept = key; return .continue } }
                    """, "escapes its scope"),
        ] + kinds
}

@Suite("Refusals by the compiler", .enabled(if: Compiler.isThere, "there is no swiftc on the path"))
struct RefusalTests {
    /// Returns a program with a function for each of these bodies.
    private func program(_ bodies: [String]) -> String {
        let functions = bodies.enumerated().map { number, body in
            """
            func function\(number)(
                _ store: Store, _ person: inout Person, _ environment: Environment, _ database: Database
            ) throws {
                \(body)
            }
            """
        }
        let declarations = """
            import LMDB
            import Trove

            @IndexKeyRecord("lastName", "firstName")
            struct Person {
                let lastName: String
                let firstName: String
                var age: Int
                var friends: [String] = []
                var isHome: Bool = false
            }

            @IndexKeyRecord("number")
            struct Seat { let number: Int }
            """
        return ([declarations] + functions).joined(separator: "\n\n")
    }

    /// Without this test, a compiler without access to the modules would seem to refuse correctly.
    @Test func whatIsAllowed_compiles() throws {
        #expect(try Compiler.errors(in: program(Refusal.all.map(\.allowed))) == [])
    }

    @Test(arguments: Refusal.all) func whatIsNot_isRefused(_ refusal: Refusal) throws {
        let errors = try Compiler.errors(in: program([refusal.refused]))
        #expect(errors.contains { $0.contains(refusal.error) }, "\(errors)")
    }

    @Test func theCookbooksSample_givesTheErrorThatItNames() throws {
        let cookbook = try String(contentsOf: Compiler.sources.appending(path: "Docs/Cookbook.md"), encoding: .utf8)
        let marker = "<!-- sample: not compiled, it shows what the compiler refuses -->\n\n```swift\n// error: "
        let samples = cookbook.split(separator: marker).dropFirst()
        #expect(samples.count == 1)
        for sample in samples {
            let lines = sample.prefix(upTo: try #require(sample.firstRange(of: "\n```")).lowerBound).split(
                separator: "\n")
            let code = lines.dropFirst().joined(separator: "\n")
            let errors = try Compiler.errors(in: program(["try store.read { context in \(code) }"]))
            #expect(errors == [lines.first.map(String.init)])
        }
    }
}
