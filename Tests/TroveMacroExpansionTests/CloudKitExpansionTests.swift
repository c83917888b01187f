// The expansions and the diagnostics of `@CloudKitRecord`.

import SwiftSyntax
import SwiftSyntaxMacroExpansion
import Testing

@testable import TroveMacroExpansion

@Suite("@CloudKitRecord")
struct CloudKitExpansionTests {
    /// The part of an expansion that `@CloudKitRecord` adds to a record: everything after its name.
    private func conformance(of source: String) -> String {
        let expanded = expansion(of: source)
        return expanded.firstRange(of: "Trove.CloudKitRecord {").map { String(expanded[$0.lowerBound...]) } ?? expanded
    }

    @Test func record_hasFields() {
        let record = """
            @CloudKitRecord
            @IndexKeyRecord("id")
            public struct Person {
                public let id: Int
            }
            """
        let alone = record.replacing("@CloudKitRecord\n", with: "")
        let expanded = expansion(of: record)
        let own = """
            nonisolated extension Person: Trove.CloudKitRecord {
                public static let ckFields: Trove.CloudKitFields = Trove.CloudKitFields(of: Self.self)
            }
            """
        #expect(expanded.contains(own))
        // The rest is the expansion of `@IndexKeyRecord`.
        #expect(
            expanded.replacing(own, with: "").filter { !$0.isWhitespace }
                == expansion(of: alone).filter { !$0.isWhitespace })
    }

    @Test(arguments: ["@EntityModel", "@RecordValue"])
    func otherMacros_areRecords(macro: String) {
        let expanded = expansion(of: "@CloudKitRecord \(macro) struct Person { let id: Int }")
        #expect(expanded.split(separator: "Trove.CloudKitFields(of: Self.self)").count == 2)
        #expect(expanded.split(separator: "Trove.RecordValue {").count == (macro == "@RecordValue" ? 2 : 1))
    }

    /// A struct without another macro becomes a value.
    @Test func plainStruct_becomesAValue() {
        let source = "struct Person { let name: String; let age: Int }"
        let value = expansion(of: "@RecordValue " + source)
        let expanded = expansion(of: "@CloudKitRecord " + source)
        #expect(expanded.contains("nonisolated extension Person: Trove.CloudKitRecord {"))
        let start = value.firstRange(of: "nonisolated extension")
        #expect(start.map { expanded.contains(value[$0.lowerBound...]) } == true)
    }

    /// An extension does not see the names around a nested type.
    @Test(arguments: ["@RecordValue", "@CloudKitRecord"])
    func plainStruct_reachesTypesOfItsScope(macro: String) {
        let expanded = expansion(
            of: "enum Library { enum Kind: Int, RecordValue { case one }; \(macro) struct Person { let kind: Kind } }")
        #expect(expanded.contains("typealias kind = Kind"))
        #expect(expanded.contains("fieldCoding(of: PropertyTypes.kind.self)"))
    }

    /// The same code builds without CloudKit.
    @Test(arguments: ["@EntityModel ", "@RecordValue ", ""])
    func expansions_doNotUseCloudKit(macro: String) {
        let source = #"@CloudKitRecord(assets: "photo") \#(macro)struct A { let id: Int; var photo: Data }"#
        let expanded = expansion(of: source)
        #expect(expanded.contains("ckFields"))
        for word in ["CKRecord", "CKAsset", "import", "#if"] { #expect(!expanded.contains(word)) }
    }

    /// A conformance in the declaration itself is left as it is.
    @Test(arguments: ["RecordValue", "IndexKeyRecord", "Trove.RecordValue"])
    func conformanceByHand_isKept(name: String) {
        let expanded = expansion(of: "@CloudKitRecord struct Person: \(name) { let id: Int }")
        #expect(expanded.contains("ckFields"))
        #expect(!expanded.contains("func describe"))
    }

    /// The compiler leaves out the protocols to which an extension conforms.
    @Test(arguments: [["CloudKitRecord", "RecordValue"], ["CloudKitRecord", "IndexKeyRecord"]])
    func conformanceInAnExtension_isKept(missing: [String]) {
        var specs = macroSpecs
        let types = missing.map { TypeSyntax(IdentifierTypeSyntax(name: .identifier($0))) }
        specs["CloudKitRecord"] = MacroSpec(type: CloudKitRecordExpansion.self, conformances: types)
        let expanded = expansion(of: "@CloudKitRecord struct Person { let id: Int }", macroSpecs: specs)
        #expect(expanded.contains("ckFields"))
        #expect(!expanded.contains("func describe"))
    }

    @Test func genericValue_hasComputedFields() {
        let expanded = expansion(of: "@CloudKitRecord struct Box<Content: RecordValue> { let content: Content }")
        let fields = "static var ckFields: Trove.CloudKitFields { Trove.CloudKitFields(of: Self.self) }"
        #expect(expanded.contains(fields))
    }

    /// The arguments are names of properties; the generated code has their stored names.
    @Test func assets_areStoredNames() {
        let expanded = expansion(
            of: #"""
                @CloudKitRecord(assets: "photo", "sound")
                @IndexKeyRecord("id")
                struct Person {
                    enum CodingKeys: String, CodingKey { case photo = "image" }
                    let id: Int
                    var photo: Data?
                    var sound: Data
                }
                """#)
        #expect(expanded.contains(#"Trove.CloudKitFields(of: Self.self, assets: ["image", "sound"])"#))
    }

    @Test func renamedProperty_isFine() {
        expectDiagnostics([], in: #"@CloudKitRecord struct Person { @Renamed("title") var name: String }"#)
    }

    // MARK: Diagnostics

    @Test func class_becomesAStruct() {
        expectDiagnostic(
            .onlyStructs(macro: "CloudKitRecord", kind: "class"), in: "@CloudKitRecord class Person { var id: Int }",
            line: 1, column: 17, fixIts: [.change("class", to: "struct")],
            fixed: "@CloudKitRecord struct Person { var id: Int }")
    }

    @Test func enum_isRefused() {
        expectDiagnostic(
            .onlyStructs(macro: "CloudKitRecord", kind: "enum"), in: "@CloudKitRecord enum Kind { case one }",
            line: 1, column: 17)
    }

    @Test func unknownAsset_hasTheNearestName() {
        expectDiagnostic(
            .unknownProperty("foto", in: "Person"),
            in: #"@CloudKitRecord(assets: "foto") @RecordValue struct Person { var photo: Data }"#,
            line: 1, column: 25, fixIts: [.change("\"foto\"", to: "\"photo\"")],
            fixed: #"@CloudKitRecord(assets: "photo") @RecordValue struct Person { var photo: Data }"#)
    }

    @Test(arguments: [
        ("name", MacroDiagnostic.assetNotLiteral), (#""photo", "photo""#, .duplicateAsset("photo")),
        (#""size""#, .unknownProperty("size", in: "Person")),
    ])
    func wrongAsset_isRefused(argument: String, message: MacroDiagnostic) {
        let found = diagnostics(
            in: "@CloudKitRecord(assets: \(argument)) @RecordValue struct Person { var photo: Data }")
        #expect(found.map(\.message) == [message.message])
    }

    // MARK: Names

    @Test(arguments: [("Größe", "Größe"), ("_Person", "_Person"), ("`Größe`", "Größe")])
    func otherTypeName_isAWarning(name: String, plain: String) {
        expectDiagnostic(
            .recordTypeName(plain), in: "@CloudKitRecord struct \(name) { let id: Int }", line: 1, column: 24)
    }

    @Test func longTypeName_isAWarning() {
        let name = String(repeating: "a", count: 221)
        expectDiagnostic(
            .recordTypeName(name), in: "@CloudKitRecord struct \(name) { let id: Int }", line: 1, column: 24)
        expectDiagnostics([], in: "@CloudKitRecord struct \(name.dropLast()) { let id: Int }")
    }

    @Test func genericType_isAWarning() {
        expectDiagnostic(
            .genericRecordType("Box"), in: "@CloudKitRecord struct Box<Content: RecordValue> { let content: Content }",
            line: 1, column: 24)
        // The name of a type inside a generic type has no arguments.
        expectDiagnostics([], in: "struct Box<Content> { @CloudKitRecord struct Lid { let id: Int } }")
    }

    @Test(arguments: ["static let ckRecordType = \"A\"", "static var ckRecordType: String { \"A\" }"])
    func declaredTypeName_isFine(declaration: String) {
        for name in ["Größe", "Box<Content: RecordValue>"] {
            expectDiagnostics([], in: "@CloudKitRecord struct \(name) { \(declaration); let id: Int }")
        }
    }

    @Test(arguments: ["parent", "creationDate", "troveKey", "größe", "_id"])
    func otherFieldName_isAWarning(name: String) {
        expectDiagnostic(
            .fieldName(name), in: "@CloudKitRecord struct Folder { let \(name): Int }", line: 1, column: 37)
        let own = "static func ckFieldName(for property: String) -> String { \"a\" }"
        expectDiagnostics([], in: "@CloudKitRecord struct Folder { \(own); let \(name): Int }")
    }

    /// The name in `CodingKeys` is the name in CloudKit.
    @Test func storedName_counts() {
        let source = #"struct Folder { enum CodingKeys: String, CodingKey { case parent = "up", up = "share" }; "#
        expectDiagnostics([], in: "@CloudKitRecord " + source + "let parent: Int }")
        expectDiagnostic(
            .fieldName("share"), in: "@CloudKitRecord\n" + source + "\nlet up: Int }", line: 3, column: 5)
    }

    /// Neither is a field in CloudKit.
    @Test func otherMembers_areFine() {
        expectDiagnostics(
            [],
            in: """
                @CloudKitRecord @EntityModel
                struct Folder {
                    let id: Int
                    static let share = 1
                    var etag: Int { 2 }
                    @Relationship() var parent: Folder?
                }
                """)
    }
}
