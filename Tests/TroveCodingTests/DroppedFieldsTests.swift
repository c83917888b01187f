// The fields that a conversion drops, and the values that it finds in records.

import Testing
import TroveCoding

@Suite struct DroppedFieldsTests {
    private func dropped(_ old: String, _ new: String, _ rules: [String: FieldRule] = [:]) throws -> DroppedFields? {
        let old = try RecordLayout(old)
        var new = try RecordLayout(new)
        for index in new.fields.indices {
            if let rule = rules[new.fields[index].name] { new.fields[index].rule = rule }
        }
        return try RecordConversion(from: old, to: new).dropped
    }

    private func record(_ fields: [(String, FieldValue)]) -> FieldValue { .record(StoredFields(named: fields)) }

    @Test func fieldsAndComponents_areNamed() throws {
        #expect(try dropped("(a:Int64){b:String,c:Bool?}", "(a:Int64){c:Bool?,b:String}") == nil)
        #expect(try dropped("(a:Int64){b:Int8}", "(a:Int64){b:String?,d:Bool?}") == nil)
        #expect(try dropped("(a:Int64){b:Int8}", "(a:Int64){c:Int8}", ["c": FieldRule(oldNames: ["b"])]) == nil)
        #expect(try dropped("(a:Int64,z:Int8){b:String,c:Bool?}", "(a:Int64){}")?.names == ["z", "b", "c"])
    }

    @Test func fieldsInsideValues_havePaths() throws {
        for shape in ["#", "#?", "[#]", "[[#]?]", "[String:#]", "{x:#}", "enum{e(#)}"] {
            func layout(_ inner: String) -> String {
                "(){v:" + shape.split(separator: "#", omittingEmptySubsequences: false).joined(separator: inner) + "}"
            }
            let names = try dropped(layout("{p:Int8,q:Bool?}"), layout("{p:Int8}"))?.names
            #expect(names?.count == 1 && names?[0].hasSuffix("q") == true, "\(shape)")
            #expect(try dropped(layout("{p:Int8}"), layout("{p:Int8}")) == nil)
        }
        #expect(try dropped("(){v:enum{e(a:Int8,b:Bool)}}", "(){v:enum{e(a:Int8)}}")?.names == ["v.e.b"])
    }

    @Test func onlyFieldsWithValues_areFound() throws {
        let found = try #require(
            try dropped("(k:Int8){a:Bool?,v:[{p:Int8,q:Bool?}]}", "(){v:[{p:Int8}]}"))
        #expect(found.names == ["k", "a", "v.q"])
        func names(_ a: FieldValue, _ qs: [FieldValue]) -> Set<String> {
            let elements = qs.map { record([("p", .integer(1)), ("q", $0)]) }
            let fields = StoredFields(named: [("k", .integer(1)), ("a", a), ("v", .array(elements))])
            return Set(found.found(in: fields).map { found.names[$0] })
        }
        #expect(names(.null, []) == ["k"])
        #expect(names(.bool(false), [.null]) == ["k", "a"])
        #expect(names(.null, [.null, .bool(true)]) == ["k", "v.q"])
    }

    @Test func valuesThatContainThemselves_areSearchedToTheEnd() throws {
        let found = try #require(
            try dropped("(){root:{name:String?,children:[^1]}}", "(){root:{children:[^1]}}"))
        #expect(found.names == ["root.name"])
        func tree(_ name: FieldValue) -> StoredFields {
            let leaf = record([("name", name), ("children", .array([]))])
            let node = record([("name", .null), ("children", .array([leaf]))])
            return StoredFields(named: [("root", record([("name", .null), ("children", .array([node]))]))])
        }
        #expect(found.found(in: tree(.string("leaf"))) == [0])
        #expect(found.found(in: tree(.null)).isEmpty)
    }
}
