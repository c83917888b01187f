// Tests of values read by their layout alone: every sample of every type is written back byte for byte.

import Foundation
import Testing
import TroveCoding
import TroveCodingSamples
import TroveTestSupport

@Suite struct FieldValueTests {
    private static func layout(_ text: String) throws -> RecordLayout { try RecordLayout(text) }

    @Test(arguments: FieldType.all) func fields_comeBackByteForByte(type: FieldType) throws {
        try checkFields(type.type)
    }

    private func checkFields<Value: Sampled>(_: Value.Type) throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let layout = try Self.layout("(){value:\(LayoutBuilder.text(of: Value.self)),end:UInt8}")
        for sample in Value.samples(100, using: &generator) {
            var bytes = try DirectField<Value>.bytes(of: sample)
            bytes.append(0x5A)
            let fields = try layout.readFields(unsafe bytes.span.bytes)
            #expect(fields["end"] == .integer(0x5A), "\(sample), TROVE_TEST_SEED=\(seed)")
            #expect(try layout.writeFields(fields) == bytes, "\(sample), TROVE_TEST_SEED=\(seed)")
        }
    }

    @Test(arguments: KeyType.all) func keys_comeBackByteForByte(type: KeyType) throws {
        try checkKeys(type.type)
    }

    private func checkKeys<Value: SampledKey>(_: Value.Type) throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let layout = try Self.layout("(value:\(LayoutBuilder.text(of: Value.self)),end:UInt8){}")
        for sample in Value.samples(100, using: &generator) {
            let bytes = KeyWriter.bytes { writer in
                sample.encodeKey(into: &writer)
                writer.writeByte(0x5A)
            }
            let key = try layout.readKey(unsafe bytes.span.bytes)
            #expect(key["end"] == .integer(0x5A), "\(sample), TROVE_TEST_SEED=\(seed)")
            #expect(try layout.writeKey(key) == bytes, "\(sample), TROVE_TEST_SEED=\(seed)")
        }
    }

    @Test func values_areWhatWasWritten() throws {
        let text =
            "(id:Int64,name:desc<String>){tags:[String]?,place:{name:String,latitude:Double,tags:[String]?},tree:"
        let layout = try Self.layout(text + LayoutBuilder.text(of: Tree.self) + ",note:json<Note>}")
        let key = KeyWriter.bytes { writer in
            7.encodeKey(into: &writer)
            Descending("a").encodeKey(into: &writer)
        }
        let fields =
            try DirectField<[String]?>.bytes(of: ["x", ""])
            + DirectField<Place>.bytes(of: Place(name: "é", latitude: 2.5, tags: nil))
            + DirectField<Tree>.bytes(of: .node([.leaf(-1)])) + DirectField<String>.bytes(of: "{}")
        let list = try layout.read(key: unsafe key.span.bytes, fields: unsafe fields.span.bytes)
        #expect(list.fields.map(\.name) == ["id", "name", "tags", "place", "tree", "note"])
        #expect(list["id"] == .integer(7))
        #expect(list["name"] == .string("a"))
        #expect(list["tags"] == .array([.string("x"), .string("")]))
        let place = StoredFields([
            StoredFields.Field("name", .string("é")), StoredFields.Field("latitude", .double(2.5)),
            StoredFields.Field("tags", .null),
        ])
        #expect(list["place"] == .record(place))
        let leaf = FieldValue.enumeration("leaf", [FieldValue.AssociatedValue(value: .integer(-1))])
        #expect(
            list["tree"]
                == .enumeration("node", [FieldValue.AssociatedValue(label: "children", value: .array([leaf]))]))
        #expect(list["note"] == .json("{}"))
        #expect(list["nothing"] == nil)
    }

    @Test(arguments: FieldType.all) func damagedBytes_areValuesOrErrors(type: FieldType) throws {
        try damage(type.type)
    }

    private func damage<Value: Sampled>(_: Value.Type) throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let layout = try Self.layout("(){value:\(LayoutBuilder.text(of: Value.self))}")
        for sample in Value.samples(40, using: &generator) {
            var bytes = try DirectField<Value>.bytes(of: sample)
            guard let index = bytes.indices.randomElement(using: &generator) else { continue }
            bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
            let fields: StoredFields
            do throws(CodingError) {
                fields = try layout.readFields(unsafe bytes.span.bytes)
            } catch {
                #expect((0...bytes.count).contains(error.offset), "TROVE_TEST_SEED=\(seed)")
                continue
            }
            #expect(try layout.writeFields(fields) == bytes, "\(bytes), TROVE_TEST_SEED=\(seed)")
        }
    }
}

@Suite struct LayoutParserTests {
    @Test func everyForm_isRead() throws {
        let layout = try RecordLayout(
            #"("a b":desc<(String,UUID?)>,n:enum<Int8>??){d:[String:[Decimal]],s:Set<UInt128>,j:json<"Array<X>">,"#
                + #"e:enum{none,some(Int64,"la\\bel":{t:^2?}),String(String:Money)},"":Data}"#)
        #expect(
            layout.key == [
                LayoutField("a b", .descending(.tuple([.string, .optional(.uuid)]))),
                LayoutField("n", .optional(.optional(.rawValue(.integer(bits: 8, isSigned: true))))),
            ])
        let some = LayoutCase(
            "some",
            [
                LayoutCase.Value(label: nil, type: .integer(bits: 64, isSigned: true)),
                LayoutCase.Value(label: #"la\bel"#, type: .record([LayoutField("t", .optional(.enclosing(2)))])),
            ])
        let string = LayoutCase("String", [LayoutCase.Value(label: "String", type: .other("Money"))])
        #expect(
            layout.fields == [
                LayoutField("d", .dictionary(key: .string, value: .array(.decimal))),
                LayoutField("s", .set(.integer(bits: 128, isSigned: false))),
                LayoutField("j", .json(name: "Array<X>")),
                LayoutField("e", .enumeration([LayoutCase("none"), some, string])), LayoutField("", .data),
            ])
    }

    @Test(arguments: [
        ("", 0), ("(", 1), ("(){", 3), ("(){}x", 4), ("(a){}", 2), ("(a:){}", 3), ("(a:[Int8){}", 8), ("(){a:^0}", 6),
        (#"(){"a:Int8}"#, 11), ("(){a:enum<Int8}", 14), ("(){a:Int8,}", 10),
    ]) func otherTexts_areRefused_where(text: String, offset: Int) throws {
        let error = #expect(throws: CodingError.self) { try RecordLayout(text) }
        #expect(error?.offset == offset, "\(text)")
    }

    @Test(arguments: FieldType.all) func description_isTheLayoutsText(type: FieldType) throws {
        let text = LayoutBuilder.text(of: type.type)
        let layout = try RecordLayout("(\"a b\":\(text)){c:\(text)}")
        #expect(layout.description == "(\"a b\":\(text)){c:\(text)}")
    }

    @Test func nesting_hasAnEnd() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: CodingError.self) { try RecordLayout("(){a:" + deep) }
        #expect(throws: CodingError.self) {
            try RecordLayout("(){a:Int8" + String(repeating: "?", count: 100_000) + "}")
        }
    }
}

@Suite struct JSONTextTests {
    @Test func values_haveOneText() throws {
        let place = StoredFields([
            StoredFields.Field("na\"me", .string("a\n\u{1}é")), StoredFields.Field("x", .double(2.5)),
        ])
        let values: [(FieldValue, String)] = [
            (.null, "null"), (.some(.null), "[null]"), (.bool(true), "true"), (.integer(-7), "-7"),
            (.integer(1 << 53), "9007199254740992"), (.integer(1 << 53 + 1), #""9007199254740993""#),
            (.integer(.min), #""-170141183460469231731687303715884105728""#), (.unsigned(.max), "\"\(UInt128.max)\""),
            (.double(.infinity), #""inf""#), (.double(1e300), "1e+300"), (.float(0.1), "0.1"),
            (.float(Float(bitPattern: 0x7F80_0008)), #""nan(0x7f800008)""#),
            (.data([1, 2, 255]), #""AQL/""#),
            (.date(Date(timeIntervalSinceReferenceDate: 0)), #""2001-01-01T00:00:00Z""#),
            (.date(Date(timeIntervalSinceReferenceDate: 0.25)), #""2001-01-01T00:00:00.25Z""#),
            (.date(.distantPast), #""0000-12-30T00:00:00Z""#), (.decimal(12.5), #""12.5""#),
            (.array([.integer(1), .null]), "[1,null]"), (.record(place), #"{"na\"me":"a\n\u0001é","x":2.5}"#),
            (.dictionary([FieldValue.Entry(key: .string("a"), value: .integer(1))]), #"{"a":1}"#),
            (.dictionary([FieldValue.Entry(key: .integer(2), value: .integer(1))]), "[[2,1]]"),
            (.enumeration("none", []), #""none""#),
            (
                .enumeration(
                    "some",
                    [
                        FieldValue.AssociatedValue(value: .integer(1)),
                        FieldValue.AssociatedValue(label: "b", value: .null),
                    ]), #"{"some":{"_0":1,"b":null}}"#
            ), (.json(#"{"x":[1]}"#), #"{"x":[1]}"#), (.string("\u{7F}\u{9B}31m\u{2028}"), #""\u007f\u009b31m\u2028""#),
        ]
        for (value, text) in values { #expect(value.json == text) }
    }

    @Test func dates_haveAllTheirDigits_andNoExponent() {
        let cases: [(Double, String)] = [
            (0x1p-14, "2001-01-01T00:00:00.00006103515625Z"), (0x1p-20, "2001-01-01T00:00:00.00000095367431640625Z"),
            (0x1p-24, "2001-01-01T00:00:00.00000005960464477539063Z"), (0.1, "2001-01-01T00:00:00.1Z"),
            (-0.5, "2000-12-31T23:59:59.5Z"), (-0x1p-24, "2000-12-31T23:59:59.99999994039535522460937Z"),
            (-1, "2000-12-31T23:59:59Z"), (-86_400.25, "2000-12-30T23:59:59.75Z"),
        ]
        for (seconds, text) in cases {
            #expect(FieldValue.date(Date(timeIntervalSinceReferenceDate: seconds)).json == "\"\(text)\"")
        }
    }

    /// Parsing the text of a date returns the same date, to the last bit of its seconds.
    @Test func datesAsText_areTheSameDates() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        var dates: [Double] = [0, -0.0, 0x1p-1074, -0x1p-1074, -1e-17, .infinity, -63_114_076_800, 251_999_999_999.9]
        for exponent in 0...30 {
            for base in [0, 1, -1, 86_400, -1e6, 4e8] as [Double] {
                let part = Double(sign: .plus, exponent: -exponent, significand: 1)
                dates += [base + part, base - part]
            }
        }
        for _ in 0..<500 {
            dates.append(Double.random(in: -70_000_000_000..<260_000_000_000, using: &generator))
            let any = Double(bitPattern: .random(in: 0...(.max), using: &generator))
            if !any.isNaN { dates.append(any) }
        }
        for seconds in dates {
            let json = FieldValue.date(Date(timeIntervalSinceReferenceDate: seconds)).json
            let text = json.hasPrefix("\"") ? String(json.dropFirst().dropLast()) : json
            guard case .date(let date) = try FieldValue(text: text, as: .date) else {
                Issue.record("\(text) is no date, TROVE_TEST_SEED=\(seed)")
                continue
            }
            let pattern = date.timeIntervalSinceReferenceDate.bitPattern
            #expect(pattern == seconds.bitPattern, "\(seconds) as \(text), TROVE_TEST_SEED=\(seed)")
        }
    }

    /// JSON with space or control characters is a string, from which the same text can be read back.
    @Test func storedJSON_isOnOneLine() {
        let cases = [
            ("{ \"a\" : [1, -2.5e+3 , true,\n null ] }", #"{"$json":"{ \"a\" : [1, -2.5e+3 , true,\n null ] }"}"#),
            (#"{"a":[1,-2.5e+3,true,null],"b":{},"c":[]}"#, #"{"a":[1,-2.5e+3,true,null],"b":{},"c":[]}"#),
            ("\"\u{9B}\u{2028}\"", #"{"$json":"\"\u009b\u2028\""}"#), (#""\u001b\n""#, #""\u001b\n""#), ("0", "0"),
        ]
        for (json, text) in cases { #expect(FieldValue.json(json).json == text) }
    }

    @Test func whatIsNoJSON_isAString() {
        let cases = [
            ("", #""""#), ("01", #""01""#), ("1 2", #""1 2""#), ("[1,]", #""[1,]""#), ("tru", #""tru""#),
            ("1.", #""1.""#), ("\"\\x\"", #""\"\\x\"""#), ("{\"a\n\":1}", #""{\"a\n\":1}""#),
            ("\u{1B}[31m\n", #""\u001b[31m\n""#), ("\"\\u00g0\"", #""\"\\u00g0\"""#),
        ]
        for (json, text) in cases { #expect(FieldValue.json(json).json == "{\"$json\":\(text)}") }
        let deep = String(repeating: "[", count: 100_000)
        #expect(FieldValue.json(deep).json == "{\"$json\":\"\(deep)\"}")
    }

    /// Foundation accepts each of these texts.
    @Test(arguments: FieldType.all) func everySample_isJSON(type: FieldType) throws { try check(type.type) }

    private func check<Value: Sampled>(_: Value.Type) throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let layout = try RecordLayout("(){value:\(LayoutBuilder.text(of: Value.self))}")
        for sample in Value.samples(40, using: &generator) {
            let bytes = try DirectField<Value>.bytes(of: sample)
            let text = try layout.readFields(unsafe bytes.span.bytes).json
            #expect(throws: Never.self, "\(text), TROVE_TEST_SEED=\(seed)") {
                try JSONSerialization.jsonObject(with: Data(text.utf8))
            }
            #expect(!text.contains("\n"))
        }
    }
}

@Suite struct TextValueTests {
    @Test func texts_areValuesOfTheirType() throws {
        let cases: [(String, LayoutType, FieldValue)] = [
            ("-128", .integer(bits: 8, isSigned: true), .integer(-128)),
            ("255", .integer(bits: 8, isSigned: false), .integer(255)),
            ("\(Int128.min)", .integer(bits: 128, isSigned: true), .integer(.min)),
            ("\(UInt128.max)", .integer(bits: 128, isSigned: false), .unsigned(.max)),
            ("1.5", .double, .double(1.5)), ("true", .bool, .bool(true)), ("", .string, .string("")),
            ("AQL/", .data, .data([1, 2, 255])), ("null", .optional(.string), .null),
            ("x", .optional(.string), .string("x")),
            ("3", .descending(.rawValue(.integer(bits: 16, isSigned: true))), .integer(3)),
            ("2001-01-01T00:00:10Z", .date, .date(Date(timeIntervalSinceReferenceDate: 10))),
            ("-2.5", .date, .date(Date(timeIntervalSinceReferenceDate: -2.5))),
            ("2001-01-01T00:00:10.5Z", .date, .date(Date(timeIntervalSinceReferenceDate: 10.5))),
            ("2001-01-01T01:00:00.125+01:00", .date, .date(Date(timeIntervalSinceReferenceDate: 0.125))),
        ]
        for (text, type, value) in cases { #expect(try FieldValue(text: text, as: type) == value, "\(text)") }
    }

    @Test func otherTexts_areRefused() {
        let cases: [(String, LayoutType)] = [
            ("128", .integer(bits: 8, isSigned: true)), ("-1", .integer(bits: 8, isSigned: false)),
            ("256", .integer(bits: 8, isSigned: false)), ("x", .double), ("yes", .bool), ("null", .bool), ("@", .data),
            ("tomorrow", .date), ("2001-01-01T00:00:10.Z", .date), ("2001-01-01T00:00:10Z?", .date),
            ("2001-01-01T00:00:10.5", .date), ("1", .array(.string)), ("1", .uuid),
        ]
        for (text, type) in cases {
            #expect(throws: CodingError.self, "\(text)") { try FieldValue(text: text, as: type) }
        }
    }
}
