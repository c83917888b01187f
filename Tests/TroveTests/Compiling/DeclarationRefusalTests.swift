// Declarations of indexes that the compiler or a macro must refuse.

import Testing

@Suite("Indexes that do not compile", .enabled(if: Compiler.isThere, "there is no swiftc on the path"))
struct DeclarationRefusalTests {
    static let refusals = [
        Refusal(
            "equality needs bytes", "#Index<Self>(\\.address)", not: "#Index<Self>(\\.note)",
            "cannot be indexed: declare its type a @RecordValue"),
        Refusal(
            "opaque bytes are not indexed", "#Index<Self>(\\.address)", not: "#Index<Self>(\\.secret)",
            "cannot be indexed: its stored bytes are opaque"),
        Refusal(
            "optional opaque bytes are not indexed", "#Index<Self>(\\.name)", not: "#Index<Self>(\\.optionalSecret)",
            "cannot be indexed: its stored bytes are opaque"),
        Refusal(
            "opaque bytes are not unique", "#Unique<Self>(\\.name, collisions: .throw)",
            not: "#Unique<Self>(\\.secret, collisions: .throw)", "cannot be indexed: its stored bytes are opaque"),
        Refusal(
            "opaque bytes have no words", "#FullTextIndex<Self>(\\.name)", not: "#FullTextIndex<Self>(\\.secret)",
            "a full-text index covers properties of the types String, String? and [String]"),
        Refusal(
            "opaque bytes do not sort", "static func f() { _ = Self.query().sorted(by: \\.name) }",
            not: "static func f() { _ = Self.query().sorted(by: \\.secret) }",
            "records sort by properties that are a KeyComponent"),
        Refusal(
            "opaque bytes are not a key",
            "@IndexKeyRecord(\"a\") struct Inner { let a: Int; var b: Secret }",
            not: "@IndexKeyRecord(\"b\") struct Inner { let a: Int; var b: Secret }", "KeyComponent"),
        Refusal(
            "only values with an order descend", "#Index<Self>(\\.name.desc)", not: "#Index<Self>(\\.address.desc)",
            "has no member 'desc'"),
        Refusal(
            "only collections have elements", "#Index<Self>(\\.tags.each)", not: "#Index<Self>(\\.name.each)",
            "needs an array or a set of values"),
        Refusal(
            "elements need an order", "#Index<Self>(\\.words.each)", not: "#Index<Self>(\\.addresses.each)",
            "needs elements that are a KeyComponent"),
        Refusal(
            "indexed elements are storable",
            "@IndexKeyRecord(\"a\") struct Inner { #Index<Inner>(\\.x.each); let a: Int; var x: [Int] }",
            not:
                "struct Plain {}; @IndexKeyRecord(\"a\") struct Inner { #Index<Inner>(\\.x.each); let a: Int; var x: [Plain] }",
            MisuseTests.unstorable),
        Refusal(
            "unique values need a rule", "#Unique<Self>(\\.name, collisions: .throw)", not: "#Unique<Self>(\\.name)",
            "missing argument for parameter 'collisions'"),
        Refusal(
            "a rule is compiled before the record's own members",
            "#Unique<Self>(\\.name, collisions: .custom { context, _, existing in try context.delete(existing) })",
            not:
                "#Unique<Record0>(\\.name, collisions: .custom { context, _, _ in try Record0.delete(in: context, id: 1) })",
            "declare the rule as a static property in 'extension CollisionRule<Record0>'"),
        Refusal(
            "an indexed property belongs to the record", "#Index<Self>(\\.name)", not: "#Index<Self>(\\.nam)",
            "has no stored property 'nam'"),
        Refusal(
            "a condition returns a Bool", "#Index<Self>(\\.name, where: { $0.id > 1 })",
            not: "#Index<Self>(\\.name, where: { $0.id })", "cannot convert value of type 'Int'"),
        Refusal(
            "a record's index belongs in the record", "#Index<Self>(\\.name)",
            not: "struct Inner { #Index<Inner>(\\.name); let name: String }", "'#Index' belongs directly in the body"),
        Refusal(
            "words are those of texts", "#FullTextIndex<Self>(\\.name, \\.words)",
            not: "#FullTextIndex<Self>(\\.name, \\.note)",
            "a full-text index covers properties of the types String, String? and [String]"),
        Refusal(
            "numbers have no words", "#FullTextIndex<Self>(\\.title)", not: "#FullTextIndex<Self>(\\.id)",
            "'id' is of the type 'Int', and has no words"),
        Refusal(
            "only numbers are added up", "#Totals<Self>(by: \\.name, of: \\.id)",
            not: "#Totals<Self>(by: \\.id, of: \\.name)", "'of:' needs numbers"),
        Refusal(
            "an analyzer is known", "#FullTextIndex<Self>(\\.name, analyzer: .standard.without(.english))",
            not: "#FullTextIndex<Self>(\\.name, analyzer: .standrd)", "has no member 'standrd'"),
        Refusal(
            "each property has a weight", "#FullTextIndex<Self>(\\.name, \\.words, weights: [2, 1])",
            not: "#FullTextIndex<Self>(\\.name, \\.words, weights: [2])", "needs a weight for each of the 2 properties"),
        Refusal(
            "weights are numbers", "#FullTextIndex<Self>(\\.name, weights: [0.5])",
            not: "#FullTextIndex<Self>(\\.name, weights: [\"a\"])", "cannot convert value of type 'String'"),
        Refusal(
            "a full-text index has properties", "#FullTextIndex<Self>(\\.name)", not: "#FullTextIndex<Self>()",
            "needs the key path of at least one property"),
        Refusal(
            "the condition of a full-text index returns a Bool",
            "#FullTextIndex<Self>(\\.name, where: { $0.id > 1 })",
            not: "#FullTextIndex<Self>(\\.name, where: { $0.id })", "cannot convert value of type 'Int'"),
        Refusal(
            "a record's full-text index belongs in the record", "#FullTextIndex<Self>(\\.name)",
            not: "struct Inner { #FullTextIndex<Inner>(\\.name); let name: String }",
            "'#FullTextIndex' belongs directly in the body"),
    ]

    /// Returns a program with a record type for each of these members.
    private func program(_ members: [String]) -> String {
        let records = members.enumerated().map { number, member in
            """
            @IndexKeyRecord("id")
            struct Record\(number) {
                \(member)
                let id: Int
                let name: String
                let title: String?
                let address: Address
                let note: Note
                let tags: Set<Int>?
                let words: [String]
                let addresses: [Address]
                let secret: Secret
                let optionalSecret: Secret?
            }
            """
        }
        let declarations = """
            import Trove

            @RecordValue struct Address: Hashable { var city: String }
            struct Note: Codable { var text: String }
            struct Secret: OpaqueValue, Codable { var opaqueBytes: [UInt8] }
            """
        return ([declarations] + records).joined(separator: "\n\n")
    }

    @Test func whatIsAllowed_compiles() throws {
        #expect(try Compiler.errors(in: program(Self.refusals.map(\.allowed))) == [])
    }

    @Test(arguments: refusals) func whatIsNot_isRefused(_ refusal: Refusal) throws {
        let errors = try Compiler.errors(in: program([refusal.refused]))
        #expect(errors.contains { $0.contains(refusal.error) }, "\(errors)")
    }
}
