// Keys as a person writes them: what is printed is read back.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

@Suite("Keys as text") struct KeyTextTests {
    private func key(_ layout: String, _ components: FieldValue...) throws -> (layout: RecordLayout, bytes: [UInt8]) {
        let layout = try RecordLayout(layout + "{}")
        let fields = zip(layout.key, components).map { StoredFields.Field($0.name, $1) }
        return (layout, try layout.writeKey(StoredFields(fields)))
    }

    private func text(_ layout: String, _ components: FieldValue...) throws -> String? {
        let layout = try RecordLayout(layout + "{}")
        let fields = zip(layout.key, components).map { StoredFields.Field($0.name, $1) }
        return layout.keyText(try layout.writeKey(StoredFields(fields)))
    }

    @Test func aKey_isPrintedAsAPersonWritesIt() throws {
        #expect(try text("(id:Int64)", .integer(19999)) == "id: 19999")
        #expect(
            try text("(lastName:String,firstName:String)", .string("Dallas"), .string("Korben"))
                == #"(lastName: "Dallas", firstName: "Korben")"#)
        #expect(try text("(a:String)", .string("\"\\\n\t\u{0}\u{200D}é")) == #"a: "\"\\\n\t\u{0}\u{200d}é""#)
        #expect(try text("(isNew:Bool,size:Double)", .bool(true), .double(0.1)) == "(isNew: true, size: 0.1)")
        #expect(
            try text("(at:Date)", .date(Date(timeIntervalSinceReferenceDate: 0.5))) == "at: 2001-01-01T00:00:00.5Z")
        #expect(try text("(d:Data,e:Data)", .data([1, 2, 3]), .data([])) == #"(d: AQID, e: "")"#)
        #expect(try text("(kind:enum<String>)", .string("open")) == #"kind: "open""#)
        #expect(try text("(day:desc<Int8>)", .integer(-3)) == "day: -3")
        #expect(
            try text(
                "(place:{row:Int8,seat:String},t:(Int8,Bool))",
                .record(StoredFields([.init("row", .integer(1)), .init("seat", .string("a"))])),
                .array([.integer(2), .bool(false)])) == #"(place: (row: 1, seat: "a"), t: (2, false))"#)
        #expect(try text("(\"größe\":Int8)", .integer(1)) == #""größe": 1"#)
        #expect(try text("()") == "()")
    }

    @Test func nil_andItsKinds_arePrintedApart() throws {
        #expect(try text("(a:String?)", .null) == "a: nil")
        #expect(try text("(a:String?)", .string("nil")) == #"a: "nil""#)
        #expect(try text("(a:Data?)", .data([0x9E, 0xE9, 0x65])) == "a: null")
        #expect(try text("(a:Int8??)", .null) == "a: nil")
        #expect(try text("(a:Int8??)", .some(.null)) == "a: .some(nil)")
        #expect(try text("(a:Int8??)", .some(.integer(3))) == "a: 3")
        #expect(try text("(a:Int8???)", .some(.some(.null))) == "a: .some(.some(nil))")
        // A nil inside a type that is no optional itself.
        for value in [FieldValue.null, .some(.null), .some(.integer(3))] {
            let (layout, bytes) = try key("(a:desc<Int8?>?)", value)
            let text = try #require(layout.keyText(bytes))
            let read = try #require(layout.keyComponents(text), "\(text)")
            #expect(try layout.writeKey(read) == bytes, "\(text)")
        }
    }

    @Test func aKeyThatIsDamaged_orOnlyItsTypeReads_hasNoText() throws {
        let (layout, bytes) = try key("(a:String,b:Int8)", .string("x"), .integer(1))
        #expect(layout.keyText(bytes) != nil)
        #expect(layout.keyText(bytes + [0]) == nil)
        #expect(layout.keyText(Array(bytes.dropLast())) == nil)
        #expect(layout.keyText([]) == nil)
        #expect(try RecordLayout("(a:Custom){}").keyText([1]) == nil)
        // No writer writes this byte for true.
        #expect(try RecordLayout("(a:Bool){}").keyText([2]) == nil)
    }

    /// Names, the last components, and space are the writer's choice.
    @Test(arguments: [
        (#"("Dallas", 3)"#, 2), (#"( lastName : "Dallas",age:3 )"#, 2), (#"("Dallas")"#, 1), ("()", 0),
        (#"(lastName: "\u{44}allas")"#, 1),
    ])
    func aKey_isReadAsAPersonWritesIt(text: String, count: Int) throws {
        let layout = try RecordLayout("(lastName:String,age:Int8){}")
        let all = StoredFields([.init("lastName", .string("Dallas")), .init("age", .integer(3))])
        #expect(layout.keyComponents(text) == StoredFields(Array(all.fields.prefix(count))))
    }

    @Test(arguments: [
        "", "(", ")", "Dallas", "(Dallas)", #"lastName: "Dallas""#, #"("Dallas", 3"#, #"("Dallas", 3))"#,
        #"("Dallas", )"#, #"("Dallas",, 3)"#, #"("Dallas", 300)"#, #"("Dallas", 3, 4)"#, #"(age: 3)"#, #"("Dallas" 3)"#,
        #"("Dallas)"#, #"("\u{110000}")"#, #"("\u44")"#, #"("\"#, #"(nil)"#, #"("a", nil)"#,
    ])
    func anyOtherText_isNoKey(text: String) throws {
        #expect(try RecordLayout("(lastName:String,age:Int8){}").keyComponents(text) == nil)
    }

    @Test func randomKeys_areReadBack() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        for _ in 0..<3000 {
            var maker = KeyMaker(random)
            let (layout, fields) = maker.key()
            random = maker.random
            let bytes = try layout.writeKey(fields)
            guard let text = layout.keyText(bytes) else {
                Issue.record("\(layout) \(bytes), \(comment)")
                continue
            }
            #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control }, comment)
            guard let read = layout.keyComponents(text) else {
                Issue.record("\(layout) \(text), \(comment)")
                continue
            }
            #expect(try layout.writeKey(read) == bytes, "\(layout) \(text), \(comment)")
            // Damaged texts are values, or not: nothing traps.
            var scalars = Array(text.unicodeScalars)
            scalars.remove(at: Int.random(in: scalars.indices, using: &random))
            _ = layout.keyComponents(String(String.UnicodeScalarView(scalars)))
        }
    }
}

/// Makes random keys with their layouts.
private struct KeyMaker {
    var random: SeededGenerator

    init(_ random: SeededGenerator) { self.random = random }

    mutating func key() -> (RecordLayout, StoredFields) {
        var (layout, fields): ([LayoutField], [StoredFields.Field]) = ([], [])
        for index in 0..<Int.random(in: 1...4, using: &random) {
            let (type, value) = component(depth: 0)
            let name = ["id", "a\(index)", "a b", "ä\"\\", "nil"].randomElement(using: &random) ?? ""
            layout.append(LayoutField(name, type))
            fields.append(StoredFields.Field(name, value))
        }
        return (RecordLayout(key: layout, fields: []), StoredFields(fields))
    }

    private mutating func component(depth: Int) -> (LayoutType, FieldValue) {
        switch Int.random(in: 0..<(depth < 3 ? 16 : 9), using: &random) {
        case 0: return (.bool, .bool(Bool.random(using: &random)))
        case 1:
            return (
                .integer(bits: 64, isSigned: true), .integer(Int128(Int64.random(in: .min ... .max, using: &random)))
            )
        case 2:
            return (
                .integer(bits: 128, isSigned: false),
                .unsigned(UInt128.max - UInt128(UInt8.random(in: 0...9, using: &random)))
            )
        case 3:
            return (
                .double, .double([.nan, .infinity, -.infinity, -0.0, 1e300, 0.1].randomElement(using: &random) ?? 0)
            )
        case 4: return (.string, .string(text()))
        case 5:
            return (
                .data,
                .data(
                    (0..<Int.random(in: 0..<6, using: &random)).map { _ in
                        UInt8.random(in: .min ... .max, using: &random)
                    })
            )
        case 6:
            return (
                .uuid,
                .uuid(
                    UUID(
                        uuid: (
                            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                            UInt8.random(in: .min ... .max, using: &random)
                        )))
            )
        case 7:
            return (.date, .date(Date(timeIntervalSinceReferenceDate: Double.random(in: -1e12...1e12, using: &random))))
        case 8: return (.rawValue(.string), .string(text()))
        case 9:
            let (type, value) = component(depth: depth + 1)
            return (.descending(type), value)
        case 10, 11:
            let parts = (0..<Int.random(in: 0..<4, using: &random)).map { _ in component(depth: depth + 1) }
            return (.tuple(parts.map(\.0)), .array(parts.map(\.1)))
        case 12, 13:
            let parts = (0..<Int.random(in: 0..<4, using: &random)).map { _ in component(depth: depth + 1) }
            let fields = parts.enumerated().map { (LayoutField("f\($0)", $1.0), StoredFields.Field("f\($0)", $1.1)) }
            return (.record(fields.map(\.0)), .record(StoredFields(fields.map(\.1))))
        default:
            let (type, value) = component(depth: depth + 1)
            if Bool.random(using: &random) { return (.optional(type), .null) }
            if type.hasNull { return (.optional(type), .some(value)) }
            return (.optional(type), value)
        }
    }

    private mutating func text() -> String {
        let scalars = "ab\"\\(),:\n\0\u{301}\u{200D}é\u{2028}👩".unicodeScalars
        return (0..<Int.random(in: 0..<6, using: &random)).reduce(into: "") { text, _ in
            text.unicodeScalars.append(scalars.randomElement(using: &random) ?? "x")
        }
    }
}
