// The persisted texts of index definitions.

import Testing

@testable import Trove

@Suite("Index definitions") struct IndexDefinitionTests {
    private let layout = RecordLayout(
        key: [LayoutField("id", .integer(bits: 64, isSigned: true))],
        fields: [
            LayoutField("age", .optional(.integer(bits: 64, isSigned: true))), LayoutField("age desc", .string),
            LayoutField("a,b where c:d", .array(.string)), LayoutField("order", .descending(.string)),
            LayoutField("place", .record([LayoutField("x", .double), LayoutField("y", .double)])),
        ])

    private let definitions: [(definition: IndexDefinition, name: String, text: String)] = [
        (IndexDefinition([IndexColumn("id", .key, type: "Int64")]), "id", "id:Int64"),
        (
            IndexDefinition(
                [IndexColumn("age", .descendingKey, type: "Int64?"), IndexColumn("age desc", .key, type: "String")]),
            "age desc,age desc", "age desc:desc<Int64?>,age desc:String"
        ),
        (
            IndexDefinition([IndexColumn("order", .key, type: "desc<String>")], where: "{ $0.age > 1, where }"),
            "order where { $0.age > 1, where }", "order:desc<String> where { $0.age > 1, where }"
        ),
        (
            IndexDefinition(
                [IndexColumn("a,b where c:d", .element, type: "[String]"), IndexColumn("id", .key, type: "Int64")]),
            "a,b where c:d each,id", "a,b where c:d each:each<[String]>,id:Int64"
        ),
        (
            IndexDefinition(
                [
                    IndexColumn("place", .equality, type: "{x:Double,y:Double}"),
                    IndexColumn("a,b where c:d", .equality, type: "[String]"),
                ], where: ""), "place,a,b where c:d where ",
            "place:equal<{x:Double,y:Double}>,a,b where c:d:equal<[String]> where "
        ),
        (
            IndexDefinition(
                [IndexColumn("id", .key, type: "Int64"), IndexColumn("age", .sum, type: "Int64?")], where: "{ $0.a }"),
            "id of age where { $0.a }", "id:Int64,age:sum<Int64?> where { $0.a }"
        ),
        (IndexDefinition([IndexColumn("age", .sum, type: "Int64?")]), "of age", "age:sum<Int64?>"),
        (IndexDefinition([], where: "{ $0.a }"), "where { $0.a }", "* where { $0.a }"),
        (IndexDefinition([]), "", "*"),
    ]

    @Test func definitions_printTheirPersistedTexts() {
        for (definition, name, text) in definitions {
            #expect(definition.name == name)
            #expect(definition.text == text)
        }
    }

    @Test func persistedTexts_parse() {
        for (definition, _, text) in definitions {
            #expect(IndexDefinition(parsing: text, in: layout) == definition)
        }
    }

    @Test(
        arguments: [
            "", "age", "age:Int64", "ag:Int64?", "age:Int64?,", "age:Int64?;id:Int64", "age desc:desc<Int64>",
            "id:Int64 when x", "a,b where c:d each:[String]", "a,b where c:d each:each<[Int64]>",
            "id:Int64,name:String", "*,id:Int64", "id:Int64,*", "* when x",
        ])
    func otherTexts_areRefused(text: String) {
        #expect(IndexDefinition(parsing: text, in: layout) == nil)
    }

    @Test func nil_hasAByteOfItsOwn() {
        let bytes = [
            IndexColumn("p", .key, type: "Int64"), IndexColumn("p", .key, type: "Int64?"),
            IndexColumn("p", .descendingKey, type: "Int64?"), IndexColumn("p", .key, type: "desc<Int64?>"),
            IndexColumn("p", .descendingKey, type: "desc<Int64?>"), IndexColumn("p", .equality, type: "[Int64?]"),
            IndexColumn("p", .equality, type: "[Int64]?"), IndexColumn("p", .key, type: "against the grammar ?"),
        ].map(\.nilByte)
        #expect(bytes == [nil, 0x00, 0xFF, 0xFF, 0x00, nil, 0x00, nil])
    }
}
