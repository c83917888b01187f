// Layouts are stored, and compared with those of later programs: these texts never change.

import Foundation
import Testing
import TroveCoding
import TroveCodingSamples

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
