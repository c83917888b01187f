// Diagnostics about indexes that are declared by attributes, as in other libraries.

import Testing

@testable import TroveMacroExpansion

@Suite("Attributes for indexes")
struct IndexAttributeTests {
    /// Returns an entity with an additional member at line 4, column 5.
    private func entity(_ member: String) -> String {
        """
        @EntityModel
        struct User {
            let id: Int
            \(member)
            var name: String
        }
        """
    }

    @Test(arguments: [
        ("Index", "@Index<User>(\\.name)", "#Index<User>(\\.name)"),
        ("Index", "@Index<Self>(\\.name, \\.id)", "#Index<Self>(\\.name, \\.id)"),
        ("Index", "@Index(\\User.name)", "#Index<User>(\\User.name)"),
        ("HashIndex", "@HashIndex<User>(\\.name)", "#Index<User>(\\.name)"),
        (
            "Unique", "@Unique<User>(\\.name, collisions: .upsert)", "#Unique<User>(\\.name, collisions: .upsert)"
        ),
        ("FullTextIndex", "@FullTextIndex<User>(\\.name)", "#FullTextIndex<User>(\\.name)"),
    ])
    func attribute_becomesTheMacro(name: String, attribute: String, macro: String) {
        for property in [
            "private static var index", "static var index: Index<User>", "var index", "private var index",
        ] {
            expectDiagnostic(
                .indexAttribute(name, macro), in: entity("\(attribute) \(property)"), line: 4, column: 5,
                fixIts: [.merge(into: macro)], fixed: entity(macro))
        }
    }

    /// The property is not stored, and the rest of the declaration is expanded.
    @Test func property_isLeftOut() {
        let expanded = expansion(of: entity("@Index<User>(\\.name) var index"))
        #expect(expanded.contains("\"name\""))
        #expect(!expanded.contains("\"index\""))
    }

    @Test func record_isTheSame() {
        let source =
            "@IndexKeyRecord(\"id\") struct User { @Index<User>(\\.name) var index; let id: Int; var name: String }"
        expectDiagnostic(
            .indexAttribute("Index", "#Index<User>(\\.name)"), in: source, line: 1, column: 37,
            fixIts: [.merge(into: "#Index<User>(\\.name)")],
            fixed: "@IndexKeyRecord(\"id\") struct User { #Index<User>(\\.name); let id: Int; var name: String }")
    }

    @Test func value_hasNoIndexes() {
        expectDiagnostic(
            .indexOfValue("#Unique"),
            in: "@RecordValue struct Name { @Unique<Name>(\\.text) var index; var text: String }",
            line: 1, column: 28)
    }
}
