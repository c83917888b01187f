// Tests of layout texts. Layouts are stored, and compared with the layouts of later programs: these texts never change.

import Foundation
import Testing
import TroveCoding
import TroveCodingSamples

/// A coding of an array of records with a migration rule.
private enum Ruled: FieldCoding {
    static func describe(in layout: inout LayoutBuilder) {
        layout.append("[")
        layout.record(Self.self) { layout in
            layout.field("a", fieldCoding(of: String.self))
            layout.field("é b", fieldCoding(of: Int8.self), renamedFrom: ["c"], default: { 5 })
        }
        layout.append("]")
    }

    static var fixedSize: Int? { nil }
    static func encodedSize(of value: Int8) -> Int { 1 }
    static func encode(_ value: Int8, into writer: inout ValueWriter) { value.encode(into: &writer) }
    static func decode(from reader: inout ValueReader) throws(CodingError) -> Int8 { try Int8(decoding: &reader) }
    static func skip(in reader: inout ValueReader) throws(CodingError) { try Int8.skip(in: &reader) }
}

struct LayoutTests {
    @Test func layout_hasOneTextAType() {
        func check(_ type: (some RecordValue).Type, _ text: String) {
            #expect(LayoutBuilder.text(of: type) == text)
        }
        check(Int8.self, "Int8")
        check(Int.self, "Int64")
        check(UInt.self, "UInt64")
        check(UInt128.self, "UInt128")
        check(Float.self, "Float")
        check(Double?.self, "Double?")
        check(Bool??.self, "Bool??")
        check([UInt8].self, "Data")
        check([[UInt8]].self, "[Data]")
        check(Data.self, "Data")
        check([Date].self, "[Date]")
        check(Set<UUID>.self, "Set<UUID>")
        check([String: [Decimal?]].self, "[String:[Decimal?]]")
        check(URL.self, "URL")
        check(Level.self, "enum<String>")
        check(Sign?.self, "enum<Int8>?")
        check(Tuple<String, Tuple<Int, Bool>>.self, "(String,(Int64,Bool))")
        check(Descending<Date?>.self, "desc<Date?>")
        check(Place.self, "{name:String,latitude:Double,tags:[String]?}")
        check([Place].self, "[{name:String,latitude:Double,tags:[String]?}]")
        check(Tree.self, "enum{leaf(Int8),node(children:[^1])}")
    }

    @Test func fields_showTheirCoding() {
        var layout = LayoutBuilder()
        layout.record(LayoutTests.self) { layout in
            layout.field("plain", fieldCoding(of: Plain?.self))
            layout.field("legacy", fieldCoding(of: Legacy.self))
            layout.field("legacies", fieldCoding(of: [Legacy].self))
            layout.field("with blank", fieldCoding(of: Int.self))
            layout.field("2\"\\", fieldCoding(of: Int.self))
            layout.field("é", fieldCoding(of: Int.self))
            layout.field("", fieldCoding(of: Tree.self))
        }
        #expect(
            layout.text == #"{plain:enum<String>?,legacy:json<Legacy>,legacies:json<"Array<Legacy>">,"#
                + #""with blank":Int64,"2\"\\":Int64,"é":Int64,"":enum{leaf(Int8),node(children:[^1])}}"#)
    }

    @Test func whatMigrationsKnow_belongsToTheFieldBesideIt_andIsNoPartOfTheLayout() throws {
        var described = LayoutBuilder()
        described.field("outer", Ruled.self, renamedFrom: ["older", "old"])
        let field = try LayoutField(described)
        #expect(field.rule.oldNames == ["older", "old"] && field.rule.defaultValue == nil)
        guard case .array(.record(let inner)) = field.type else {
            Issue.record("\(field)")
            return
        }
        #expect(inner.map(\.name) == ["a", "é b"])
        #expect(inner.map(\.rule.oldNames) == [[], ["c"]])
        #expect(try inner[1].rule.defaultValue?.makeBytes() == [5])
        #expect(try field == LayoutField("outer", LayoutType("[{a:String,\"é b\":Int8}]")))
    }

    @Test func recursion_saysHowFarOut() {
        var layout = LayoutBuilder()
        layout.enumeration(Tree.self) { layout in
            layout.case("none")
            layout.case("some") { layout in
                layout.value(fieldCoding(of: Int.self))
                layout.field("tree", fieldCoding(of: Tree.self))
            }
            layout.case("inner") { layout in
                layout.append("")
                layout.record(Place.self) { $0.field("tree", fieldCoding(of: Tree?.self)) }
            }
        }
        #expect(layout.text == "enum{none,some(Int64,tree:^1),inner({tree:^2?})}")
    }
}
