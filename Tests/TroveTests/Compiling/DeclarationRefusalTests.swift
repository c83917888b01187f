// Declarations of indexes that the compiler, or a macro, must refuse.

import Testing

@Suite("Tables that do not compile", .enabled(if: Compiler.isThere, "there is no swiftc on the path"))
struct DeclarationRefusalTests {
    static let refusals = [
        Refusal(
            "equality needs bytes", "#Index<Self>(\\.address)", not: "#Index<Self>(\\.note)",
            "cannot be indexed: declare its type a @RecordValue"),
        Refusal(
            "only what has an order descends", "#Index<Self>(\\.name.desc)", not: "#Index<Self>(\\.address.desc)",
            "has no member 'desc'"),
        Refusal(
            "unique values need a rule", "#Unique<Self>(\\.name, collisions: .throw)", not: "#Unique<Self>(\\.name)",
            "missing argument for parameter 'collisions'"),
        Refusal(
            "a property is one of the record", "#Index<Self>(\\.name)", not: "#Index<Self>(\\.nam)",
            "has no stored property 'nam'"),
        Refusal(
            "a condition answers for a record", "#Index<Self>(\\.name, where: { $0.id > 1 })",
            not: "#Index<Self>(\\.name, where: { $0.id })", "cannot convert value of type 'Int'"),
        Refusal(
            "a record's index stands in the record", "#Index<Self>(\\.name)",
            not: "struct Inner { #Index<Inner>(\\.name); let name: String }", "'#Index' belongs directly in the body"),
    ]

    /// A program of records with these members.
    private func program(_ members: [String]) -> String {
        let records = members.enumerated().map { number, member in
            """
            @IndexKeyRecord("id")
            struct Record\(number) {
                \(member)
                let id: Int
                let name: String
                let address: Address
                let note: Note
            }
            """
        }
        let declarations = """
            import Trove

            @RecordValue struct Address { var city: String }
            struct Note: Codable { var text: String }
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
