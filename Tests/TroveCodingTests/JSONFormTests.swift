// Tests of the forms of values in JSON: each text is read back as the same bytes.

import Foundation
import Testing
import TroveCodingSamples
import TroveTestSupport

@testable import TroveCoding

@Suite struct JSONFormTests {
    // MARK: There and back

    @Test(arguments: FieldType.all) func everyField_comesBackFromItsJSON(type: FieldType) throws {
        try checkField(type.type)
    }

    private func checkField<Value: Sampled>(_: Value.Type) throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let layout = try RecordLayout("(){value:\(LayoutBuilder.text(of: Value.self)),end:UInt8}")
        for sample in Value.samples(100, using: &generator) {
            let bytes = try DirectField<Value>.bytes(of: sample) + [0x5A]
            let json = try layout.readFields(unsafe bytes.span.bytes).json
            let back = try layout.read(json: json)
            #expect(try layout.writeFields(back) == bytes, "\(json), TROVE_TEST_SEED=\(seed)")
            #expect(back.json == json, "TROVE_TEST_SEED=\(seed)")
        }
    }

    @Test(arguments: KeyType.all) func everyKey_comesBackFromItsJSON(type: KeyType) throws {
        try checkKey(type.type)
    }

    private func checkKey<Value: SampledKey>(_: Value.Type) throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let layout = try RecordLayout("(value:\(LayoutBuilder.text(of: Value.self)),end:UInt8){}")
        for sample in Value.samples(100, using: &generator) {
            let bytes = KeyWriter.bytes { writer in
                sample.encodeKey(into: &writer)
                writer.writeByte(0x5A)
            }
            let json = try layout.readKey(unsafe bytes.span.bytes).json
            #expect(try layout.writeKey(layout.read(json: json)) == bytes, "\(json), TROVE_TEST_SEED=\(seed)")
        }
    }

    /// Random bytes under random layouts, of types that no sample has: most of them nested.
    @Test func randomLayouts_comeBackFromTheirJSON() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        var values = 0
        for _ in 0..<400 {
            let type = Self.layout(depth: 4, using: &generator)
            let layout = try RecordLayout("(){value:\(type)}")
            for _ in 0..<10 {
                let value = Self.value(layout.fields[0].type, using: &generator)
                let fields = StoredFields([StoredFields.Field("value", value)])
                let bytes: [UInt8]
                do throws(CodingError) {
                    bytes = try layout.writeFields(fields)
                } catch {
                    continue  // Two equal keys, or elements without bytes.
                }
                guard let read = try? layout.readFields(unsafe bytes.span.bytes) else { continue }
                values += 1
                let json = read.json
                let context: Comment = "\(layout) \(json), TROVE_TEST_SEED=\(seed)"
                #expect(try layout.writeFields(layout.read(json: json)) == bytes, context)
                #expect(throws: Never.self, context) { try JSONSerialization.jsonObject(with: Data(json.utf8)) }
            }
        }
        #expect(values > 1000)
    }

    private static func layout(depth: Int, using generator: inout SeededGenerator) -> String {
        func inner() -> String { layout(depth: depth - 1, using: &generator) }
        switch Int.random(in: 0..<(depth > 0 ? 14 : 6), using: &generator) {
        case 0: return "String"
        case 1: return "enum<String?>"
        case 2: return "Int8"
        case 3: return "Bool"
        case 4: return "json<Note>"
        case 5: return "desc<Int8?>"
        case 6, 7, 8: return inner() + "?"
        case 9: return "[\(inner())]"
        case 10: return "Set<\(inner())>"
        case 11: return "[\(inner()):\(inner())]"
        case 12: return "{a:\(inner()),\"b \\\"\":\(inner()),next:[^1]}"
        default: return "enum{none,some(\(inner()),b:\(inner())),again(^1?)}"
        }
    }

    /// Returns a random value of a layout, with few levels.
    private static func value(
        _ type: LayoutType, in enclosing: [LayoutType] = [], depth: Int = 8, using generator: inout SeededGenerator
    ) -> FieldValue {
        func part(_ type: LayoutType, in enclosing: [LayoutType]) -> FieldValue {
            value(type, in: enclosing, depth: depth - 1, using: &generator)
        }
        func count() -> Int { depth > 0 ? Int.random(in: 0...2, using: &generator) : 0 }
        switch type {
        case .rawValue(let base), .descending(let base): return part(base, in: enclosing)
        case .optional(let wrapped):
            if count() == 0 { return .null }
            let value = part(wrapped, in: enclosing)
            return wrapped.hasNull ? .some(value) : value
        case .array(let element), .set(let element):
            return .array((0..<count()).map { _ in part(element, in: enclosing) })
        case .dictionary(let key, let value):
            let entries = (0..<count()).map { _ in
                FieldValue.Entry(key: part(key, in: enclosing), value: part(value, in: enclosing))
            }
            return .dictionary(entries)
        case .record(let fields):
            let parts = fields.map { StoredFields.Field($0.name, part($0.type, in: enclosing + [type])) }
            return .record(StoredFields(parts))
        case .enumeration(let cases):
            let some = cases[count()]
            let parts = some.values.map { value in
                FieldValue.AssociatedValue(label: value.label, value: part(value.type, in: enclosing + [type]))
            }
            return .enumeration(some.name, parts)
        case .enclosing(let level):
            return part(enclosing[enclosing.count - level], in: enclosing.dropLast(level))
        case .json:
            let texts = [
                "null", #""text""#, "{}", #"{"a":[1,2.5]}"#, #"{"$json":"x"}"#, #"{"$json":1}"#, "[ ]", "", "no",
                "\"\u{7F}\u{2028}\"", #""\u007f""#,
            ]
            return .json(texts[Int.random(in: 0..<texts.count, using: &generator)])
        case .scalar(let scalar) where scalar.description == "String": return .string(.sample(using: &generator))
        case .scalar(let scalar) where scalar.description == "Bool": return .bool(.sample(using: &generator))
        default: return .integer(Int128(Int8.sample(using: &generator)))
        }
    }

    // MARK: The forms

    private static let forms: [(String, FieldValue, String)] = [
        ("[String:Bool]", .dictionary([]), "{}"), ("[UInt8:Bool]", .dictionary([]), "[]"),
        (
            "[UInt8:Bool]", .dictionary([FieldValue.Entry(key: .integer(1), value: .bool(true))]), "[[1,true]]"
        ),
        ("[enum<String>:Bool]", .dictionary([]), "{}"), ("[String?:Bool]", .dictionary([]), "[]"),
        (
            "[String?:Bool]", .dictionary([FieldValue.Entry(key: .string("a"), value: .bool(true))]),
            #"[["a",true]]"#
        ),
        ("Int8?", .null, "null"), ("Int8?", .integer(5), "5"), ("Int8??", .null, "null"),
        ("Int8??", .some(.null), "[null]"), ("Int8??", .some(.integer(5)), "[5]"),
        ("Int8???", .some(.some(.integer(5))), "[[5]]"), ("desc<Int8?>?", .some(.null), "[null]"),
        ("json<Note>?", .null, "null"), ("json<Note>?", .json("null"), "[null]"), ("json<Note>", .json("null"), "null"),
        ("json<Note>", .json("\"a\""), "\"a\""), ("json<Note>", .json("a"), #"{"$json":"a"}"#),
        ("json<Note>", .json("[ ]"), #"{"$json":"[ ]"}"#),
        ("json<Note>", .json(#"{"$json":"a"}"#), #"{"$json":"{\"$json\":\"a\"}"}"#),
        ("UInt64", .integer(Int128(UInt64.max)), #""18446744073709551615""#),
        ("Double", .double(0.1), "0.1"), ("Double", .double(-0.0), "-0.0"), ("Double", .double(-.infinity), #""-inf""#),
        ("Double", .double(.nan), #""nan""#), ("Double", .double(-.nan), #""nan(0xfff8000000000000)""#),
        ("Double", .double(Double(bitPattern: 0x7FFC_0000_0000_0001)), #""nan(0x7ffc000000000001)""#),
        ("Date", .date(.distantPast), #""0000-12-30T00:00:00Z""#),
        ("Date", .date(.distantFuture), #""4001-01-01T00:00:00Z""#),
        ("URL", .url(URL(string: "a:b")!), #""a:b""#),
        ("URL", .url(URL(string: "c", relativeTo: URL(string: "a:/"))!), #""c <a:/>""#),
    ]

    @Test(arguments: forms) func aLayout_hasOneForm(layout: String, value: FieldValue, json: String) throws {
        let layout = try RecordLayout("(){value:\(layout)}")
        let bytes = try layout.writeFields(StoredFields([StoredFields.Field("value", value)]))
        let fields = try layout.readFields(unsafe bytes.span.bytes)
        #expect(fields.json == "{\"value\":\(json)}")
        #expect(fields.fields[0].json == json)
        #expect(try layout.writeFields(layout.read(json: fields.json)) == bytes)
    }

    // MARK: Texts of others

    @Test func fieldsMayBeInAnyOrder_withSpace_andMissingOptionalsAreNil() throws {
        let layout = try RecordLayout("(id:Int64){name:String,age:Int8?,tags:[String]}")
        let fields = try layout.read(
            json: " {\t\"tags\" : [ \"\\u00e9\\ud83d\\ude00\\/\" ] ,\"name\":\"a\", \"id\":7 } ")
        #expect(fields.json == #"{"id":7,"name":"a","age":null,"tags":["é😀/"]}"#)
    }

    @Test(arguments: [
        ("", "", "an object"), ("[]", "", "an object"), ("{}", "id", "Int64, and the field is missing"),
        (#"{"id":1,"id":2}"#, "id", "the field once"), (#"{"id":1.5}"#, "id", "Int64"), (#"{"id":"x"}"#, "id", "Int64"),
        (#"{"id":9223372036854775808}"#, "id", "Int64"), (#"{"id":tru}"#, "id", "Int64"),
        (#"{"nope":1}"#, "nope", "a field of: id, name, age, tags, pairs, kind, set"),
        (#"{"id":1,"name":5}"#, "name", "String"), (#"{"id":1,"name":"a"#, "name", "the end of the string"),
        (#"{"name":"\ud800"}"#, "name", "the other half of a surrogate pair"),
        (#"{"name":"\x"}"#, "name", "an escape"), (#"{"age":128}"#, "age", "Int8"), (#"{"age":}"#, "age", "Int8"),
        (#"{"tags":["a",1]}"#, "tags[1]", "String"), (#"{"tags":["a" "b"]}"#, "tags", "“,” or “]”"),
        (#"{"tags":["a",]}"#, "tags[1]", "String"), (#"{"pairs":[[1,true],[1,false]]}"#, "pairs[1]", "each key"),
        (#"{"pairs":{"1":true}}"#, "pairs", "an array"), (#"{"pairs":[[1,true,2]]}"#, "pairs", "the end of a key"),
        (#"{"set":[1,1]}"#, "set[1]", "each key and element once"),
        (#"{"kind":"some"}"#, "kind", "a case of the enum: none, {“some”:{…}}"),
        (#"{"kind":{"some":{"_0":1}}}"#, "kind.b", "String, and the field is missing"),
        (#"{"kind":{"some":{"_0":1,"b":2}}}"#, "kind.b", "String"),
    ])
    func whatIsNotARecord_isRefused_withItsPlace(json: String, field: String, expected: String) throws {
        let layout = try RecordLayout(
            "(id:Int64){name:String,age:Int8?,tags:[String],pairs:[Int8:Bool],kind:enum{none,some(Int8,b:String)},"
                + "set:Set<Int8>}")
        let error = #expect(throws: JSONError.self) { try layout.read(json: json) }
        #expect(error?.field == field)
        #expect(error?.expected.hasPrefix(expected) == true, "\(error?.expected ?? "")")
        #expect((0...json.utf8.count).contains(error?.offset ?? -1))
    }

    @Test func noNumber_isTakenForInfinity() throws {
        let layout = try RecordLayout("(){value:Double}")
        for text in ["1e999", "\"-1e999\""] {
            #expect(throws: JSONError.self) { try layout.read(json: "{\"value\":\(text)}") }
        }
        #expect(throws: JSONError.self) { try RecordLayout("(){value:Decimal}").read(json: #"{"value":"12x"}"#) }
    }

    /// Any text gives a record or an error.
    @Test func damagedTexts_areRecordsOrErrors() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let layout = try RecordLayout("(id:Int64){t:\(LayoutBuilder.text(of: Tree.self)),m:[String:json<A>]?,u:URL??}")
        let json = #"{"id":-12,"t":{"node":{"children":[{"leaf":{"_0":5}}]}},"m":{"a\n":[1,{"b":null}]},"u":["a:b"]}"#
        #expect(try layout.read(json: json).json == json)
        let alphabet = Array("{}[],:\"\\un0e-.$ ".unicodeScalars)
        for _ in 0..<5000 {
            var text = Array(json.unicodeScalars)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let index = Int.random(in: 0..<text.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: text.remove(at: index)
                case 1: text.insert(alphabet.randomElement(using: &generator) ?? "x", at: index)
                default: text[index] = alphabet.randomElement(using: &generator) ?? "x"
                }
            }
            let damaged = String(String.UnicodeScalarView(text))
            do throws(JSONError) {
                let back = try layout.read(json: damaged)
                #expect(try layout.read(json: back.json) == back, "\(damaged), TROVE_TEST_SEED=\(seed)")
            } catch {
                #expect((0...damaged.utf8.count).contains(error.offset), "\(damaged), TROVE_TEST_SEED=\(seed)")
            }
        }
    }

    private static func nested(_ levels: Int) -> String {
        "{\"a\":" + String(repeating: #"{"v":1,"all":["#, count: levels - 1) + #"{"v":0,"all":null}"#
            + String(repeating: "]}", count: levels - 1) + "}"
    }

    /// The deepest values fit on a small stack, as bytes do.
    @Test func deepValues_areReadAndWritten() throws {
        let limit = ValueWriter.depthLimit
        try onAnotherThread(stackSize: 512 << 10) {
            let layout = try RecordLayout("(){a:{v:Int8,all:[^1]?}}")
            let deepest = Self.nested(limit)
            #expect(try layout.read(json: deepest).json == deepest)
            for levels in [limit + 1, 10_000] {
                #expect(throws: JSONError.self) { try layout.read(json: Self.nested(levels)) }
            }
        }
    }
}

@Suite struct GregorianDayTests {
    /// A calendar that counts day by day.
    @Test func everyDay_isTheDayAfterTheDayBefore() {
        var (year, month, day) = (-801, 1, 1)
        var number = GregorianDay(year: year, month: month, day: day).number
        while year < 2402 {
            let expected = GregorianDay(year: year, month: month, day: day)
            guard expected.number == number, GregorianDay(number: number) == expected else {
                Issue.record("\(expected) is not day \(number)")
                return
            }
            number += 1
            day += 1
            let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            if day > days[month - 1] { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect(GregorianDay(number: 0) == GregorianDay(year: 2001, month: 1, day: 1))
    }

    @Test(arguments: [
        (-63_114_076_800.0, "0000-12-30T00:00:00Z"), (-63_113_904_000, "0001-01-01T00:00:00Z"),
        (-13_197_600_000, "1582-10-15T00:00:00Z"), (-13_197_686_400, "1582-10-14T00:00:00Z"),
        (252_423_993_599, "9999-12-31T23:59:59Z"), (252_423_993_600, "+010000-01-01T00:00:00Z"),
        (-63_145_526_400, "0000-01-01T00:00:00Z"), (-63_145_526_400.5, "-000001-12-31T23:59:59.5Z"),
        (31_493_806_473_599, "+999999-12-31T23:59:59Z"),
    ])
    func farDates_areGregorian(seconds: Double, text: String) {
        #expect(ISO8601Text.text(seconds) == text)
        #expect(ISO8601Text.seconds(text) == seconds)
    }

    @Test(arguments: [
        "2013-02-29T00:00:00Z", "2013-13-01T00:00:00Z", "2013-00-01T00:00:00Z", "2013-01-00T00:00:00Z",
        "2013-01-01T24:00:00Z", "2013-01-01T00:60:00Z", "2013-01-01T00:00:60Z", "-000000-01-01T00:00:00Z",
        "10000-01-01T00:00:00Z", "2013-01-01T00:00:00", "2013-01-01T00:00:00+24:00", "2013-01-01", "",
    ])
    func otherTexts_areNoDates(text: String) { #expect(ISO8601Text.seconds(text) == nil) }
}
