// Names and arguments that are typed first: the compiler's error says what to write.

import Testing

@Suite("Spellings that do not compile", .enabled(if: Compiler.isThere, "there is no swiftc on the path"))
struct SpellingRefusalTests {
    /// Names of other libraries.
    static let names = [
        Refusal(
            "all records", "try Note.query().resolve(in: store)", not: "try Note.fetchAll(in: store)",
            "write 'query().resolve(in:)'"),
        Refusal(
            "all records of a context", "try Note.query().resolve(in: context)", not: "try Note.all(in: context)",
            "write 'query().resolve(in:)'"),
        Refusal(
            "the records of a query", "try Note.query().resolve(in: store)",
            not: "try Note.query().fetchAll(in: store)",
            "write 'resolve(in:)'"),
        Refusal(
            "the records of a filter", "try Note.filter(\\.day == 1).resolve(in: store)",
            not: "try Note.filter(\\.day == 1).fetchAll(in: store)", "write 'resolve(in:)'"),
        Refusal(
            "the first record", "try Note.filter(\\.day == 1).first(in: store)",
            not: "try Note.filter(\\.day == 1).fetchOne(in: store)", "write 'first(in:)'"),
        Refusal(
            "the number of records", "try Note.query().count(in: store)", not: "try Note.count(in: store)",
            "write 'query().count(in:)'"),
        Refusal(
            "an order", "try Note.query().sorted(by: \\.day).resolve(in: store)",
            not: "try Note.query().order(by: \\.day).resolve(in: store)", "write 'sorted(by:)'"),
        Refusal(
            "an order of a filter", "try Note.filter(\\.day == 1).sorted(by: \\.text, \\.day).resolve(in: store)",
            not: "try Note.filter(\\.day == 1).order(by: \\.text, \\.day).resolve(in: store)", "write 'sorted(by:)'"),
        Refusal(
            "a direction", "try Note.query().sorted(by: \\.day.desc).resolve(in: store)",
            not: "try Note.query().sorted(by: \\.day, order: .reverse).resolve(in: store)", "'sorted(by: \\.date.desc)'"
        ),
        Refusal("a save", "try note.save(to: store)", not: "try note.save(in: store)", "renamed to 'save(to:)'"),
        Refusal(
            "a save by the store", "try note.save(to: store)", not: "try store.save(note)",
            "write 'note.save(to: store)'"),
        Refusal(
            "a save by a context", "try note.save(to: context)", not: "try context.save(note)",
            "write 'note.save(to: store)'"),
        Refusal(
            "a record by its key", "try Note.get(in: store, id: 1)", not: "try Note.get(1, in: store)",
            "write 'query(key).resolve(in: store)'"),
        Refusal(
            "a record by its labeled key", "try Note.query(1).resolve(in: store)", not: "try Note.get(key: 1)",
            "write 'query(key).resolve(in: store)'"),
        Refusal(
            "a negated filter", "try Note.filter(.not(.string(\\.text, matches: \"a\"))).count(in: store)",
            not: "try Note.filter(.string(\\.text, notMatching: \"a\")).count(in: store)", "write '.not(.string("),
        Refusal(
            "a patch", "let strategy: MergeStrategy<Note> = .patch(\\.subtitle); _ = strategy",
            not: "let strategy: MergeStrategy<Note> = .patch(\\.text); _ = strategy", "its type must be optional"),
        Refusal(
            "a query of an entity", "try Note.query(1, in: store).resolve()",
            not: "try Query<Note>(context: store, id: 1).resolve(in: store)", "write 'Note.query(id, in: context)'"),
    ]

    /// Relations that are named without `$`.
    static let relations = [
        Refusal(
            "with", "try Note.query().with(\\.$folder).resolve(in: store)",
            not: "try Note.query().with(\\.folder).resolve(in: store)", "name the relation with '$'"),
        Refusal(
            "with, nested", "try Folder.query().with(\\.$notes) { $0.limit(3) }.resolve(in: store)",
            not: "try Folder.query().with(\\.notes) { $0.limit(3) }.resolve(in: store)", "name the relation with '$'"),
        Refusal(
            "with of an entity", "try Folder.query(1).with(\\.$notes).resolve(in: store)",
            not: "try Folder.query(1).with(\\.notes).resolve(in: store)", "name the relation with '$'"),
        Refusal(
            "ids", "try Note.query().id(\\.$folder).resolve(in: store)",
            not: "try Note.query().id(\\.folder).resolve(in: store)", "name the relation with '$'"),
        Refusal(
            "related", "try Note.query(1).related(\\.$folder).first(in: store)",
            not: "try Note.query(1).related(\\.folder).first(in: store)", "name the relation with '$'"),
        Refusal(
            "related of a value", "try folder.query().related(\\.$notes).count(in: store)",
            not: "try folder.related(\\.notes).count(in: store)", "write 'folder.query().related(\\.$notes)'"),
        Refusal(
            "linked", "try Note.filter(.linked(\\.$folder, to: 1)).count(in: store)",
            not: "try Note.filter(.linked(\\.folder, to: 1)).count(in: store)", "name the relation with '$'"),
        Refusal(
            "hasNone", "try Note.filter(.hasNone(\\.$folder)).count(in: store)",
            not: "try Note.filter(.hasNone(\\.folder)).count(in: store)", "name the relation with '$'"),
        Refusal(
            "a value", "var note = note; note.$folder = .relation(folder)",
            not: "var note = note; note.folder = folder",
            "a relation is set through its name with '$'"),
    ]

    /// Words of other libraries that the product TroveSpellings has.
    static let spellings = [
        Refusal(
            "another filter", "try Note.filter(\\.day == 1).filter(\\.day > 0).count(in: store)",
            not: "try Note.filter(\\.day == 1).and(\\.day > 0).count(in: store)", "or import TroveSpellings"),
        Refusal(
            "a filter in an or", "try Note.filter(\\.day == 1).or(\\.day == 2).count(in: store)",
            not: "try Note.filter(\\.day == 1).or(.filter(\\.day == 2)).count(in: store)", "or import TroveSpellings"),
        Refusal(
            "a bound filter in an or", "try Note.filter(\\.day == 1, in: context).or(\\.day == 2).resolve()",
            not: "try Note.filter(\\.day == 1, in: context).or(.filter(\\.day == 2, in: context)).resolve()",
            "or import TroveSpellings"),
        Refusal(
            "a transaction", "try store.write { try $0.insert(note) }",
            not: "try store.withTransaction { try $0.insert(note) }", "write 'write { }'"),
        Refusal(
            "the records of a query of keys", "_ = try Note.query().resolve(in: store)",
            not: "_ = try Note.query().select(in: store)", "write 'resolve(in:)'"),
        Refusal(
            "a relation without its inverse", "try folder.save(\\.$notes, to: store)",
            not: "try folder.save(\\.$notes, inverse: \\.$folder, to: store)", "or import TroveSpellings"),
        Refusal(
            "a relation to detach", "try folder.detach(\\.$notes, in: store)",
            not: "try folder.detach(\\.$notes, inverse: \\.$folder, in: store)", "or import TroveSpellings"),
        Refusal(
            "entities to detach", "try folder.detach(\\.$notes, ids: [1], in: store)",
            not: "try folder.detach([1], relation: \\.$notes, inverse: \\.$folder, in: store)",
            "write 'detach(\\.$chats, ids: [1], in: store)'"),
        Refusal(
            "entities to delete", "try folder.delete(\\.$notes, ids: [1], from: store)",
            not: "try folder.delete([1], relation: \\.$notes, from: store)",
            "write 'delete(\\.$chats, ids: [1], from: store)'"),
    ]

    /// Wrong arguments of functions with parameter packs, for which the compiler itself has no words.
    static let arguments = [
        Refusal(
            "words are a string", "try Note.filter(.string(\\.text, matches: \"a\")).count(in: store)",
            not: "try Note.filter(.string(\\.text, matches: 5)).count(in: store)", "'matches:' takes words as a String"),
        Refusal(
            "words are no substring", "try Note.filter(.string(\\.text, \\.subtitle, matches: \"a\")).count(in: store)",
            not: "try Note.filter(.string(\\.text, \\.subtitle, matches: Substring(\"a\"))).count(in: store)",
            "'matches:' takes words as a String"),
        Refusal(
            "words are no regular expression", "try Note.filter(.regex(\\.text) { /a/ }).count(in: store)",
            not: "try Note.filter(.string(\\.text, matches: /a/)).count(in: store)", ".regex(\\.text)"),
        Refusal(
            "a projection is a request", "try Note.query().select(\\.text, \\.day).resolve(in: store)",
            not: "try Note.query().select(\\.text, \\.day, in: store)", "write '.resolve(in:)' after it"),
        Refusal(
            "a projection has a source", "try Note.filter(\\.day == 1).select(\\.text, \\.day).resolve(in: store)",
            not: "try Note.filter(\\.day == 1).select(\\.text, \\.day).resolve(in: 5)",
            "expected argument type 'Store'"),
        Refusal(
            "distinct values have a source", "try Note.distinct(\\.text, \\.day).resolve(in: store)",
            not: "try Note.distinct(\\.text, \\.day).resolve(in: 5)", "expected argument type 'Store'"),
        Refusal(
            "distinct values of a filter have a source",
            "try Note.filter(\\.day == 1).distinct(\\.text, \\.day).resolve(in: store)",
            not: "try Note.filter(\\.day == 1).distinct(\\.text, \\.day).resolve(in: 5)",
            "expected argument type 'Store'"),
        Refusal(
            "distinct values are a request", "try Note.distinct(\\.text, \\.day).resolve(in: store)",
            not: "try Note.distinct(\\.text, \\.day, in: store)", "write '.resolve(in:)' after it"),
        Refusal(
            "a query for keys has an order", "Query<Note>(last: .equals(1), order: .descending)",
            not: "Query<Note>(last: .equals(1), order: 5)", "'order:' takes '.ascending' or '.descending'"),
        Refusal(
            "an option is a Bool",
            "try Note.filter(.string(\\.text, \\.subtitle, contains: \"a\", caseSensitive: true)).count(in: store)",
            not: "try Note.filter(.string(\\.text, \\.subtitle, contains: \"a\", caseSensitive: 5)).count(in: store)",
            "'caseSensitive:' is true or false"),
    ]

    private func program(_ bodies: [String]) -> String {
        let functions = bodies.enumerated().map { number, body in
            let statement = body.hasPrefix("var ") || body.hasPrefix("let ") ? body : "_ = \(body)"
            return """
                func function\(number)(
                    _ store: Store, _ context: TransactionContext, _ note: Note, _ folder: Folder, _ live: Live<Note>?,
                    _ names: [String]?
                ) throws {
                    \(statement)
                }
                """
        }
        let declarations = """
            import Trove

            @EntityModel struct Folder {
                let id: Int
                @Relationship(inverse: \\.folder) var notes: [Note]?
            }
            @EntityModel struct Note {
                let id: Int
                var text: String
                var subtitle: String?
                var day: Int
                @Relationship(inverse: \\.notes) var folder: Folder?
            }
            """
        return ([declarations] + functions).joined(separator: "\n\n")
    }

    @Test func whatIsAllowed_compiles() throws {
        #expect(
            try Compiler.errors(
                in: program((Self.names + Self.relations + Self.spellings + Self.arguments).map(\.allowed))) == [])
    }

    @Test(arguments: names + relations + spellings + arguments) func whatIsNot_hasASingleError(_ refusal: Refusal)
        throws
    {
        let errors = try Compiler.errors(in: program([refusal.refused]))
        #expect(errors.count == 1 && errors[0].contains(refusal.error), "\(errors)")
    }

    /// Members of `Optional`, `Array` and `String` would be proposed for any slip after an optional.
    @Test(arguments: [
        "live.value", "names.value", "names.elements", "note.text.matches", "note.text.forEachText",
        "note.subtitle.matches",
    ])
    func standardTypes_haveNoMembersOfTheLibrary(_ slip: String) throws {
        let errors = try Compiler.errors(in: program([slip]))
        #expect(!errors.isEmpty && errors.allSatisfy { !$0.contains("static m") }, "\(errors)")
    }
}
