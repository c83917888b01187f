// Tests of keys that change with the layout, and of the properties of their conversion.

import Testing
import TroveCoding

@Suite struct KeyConversionTests {
    @Test(
        arguments: [
            ("(a:Int64,b:String)", "(a:Int64,b:String)", true, true), ("(a:Int64)", "(new:Int64)", true, true),
            ("(a:Int8)", "(a:enum<Int8>)", true, true), ("(a:enum<String>?)", "(a:String?)", true, true),
            ("(a:Custom)", "(a:Custom)", true, true),
            ("(a:Int64,b:String)", "(b:String,a:Int64)", false, true), ("(a:Int8)", "(a:Int64)", false, true),
            ("(a:Int64)", "(a:Int64?)", false, true), ("(a:Int64?)", "(a:Int64)", false, true),
            ("(a:desc<Int64>)", "(a:Int64)", false, true), ("(a:Int64)", "(a:Int64,m:Int8?)", false, true),
            ("(a:Double)", "(a:String)", false, true), ("(a:String)", "(a:Int64)", false, true),
            // -0.0 and 0.0 are the same key, and so are all NaNs; their texts differ.
            ("(a:String)", "(a:Double)", false, false), ("(a:String)", "(a:Float?)", false, false),
            ("(a:Int64,b:String)", "(a:Int64)", false, false), ("(a:Int64)", "(m:Int8?)", false, false),
            ("(a:Int64,b:Int64)", "(a:Int64,c:Int64)", false, false),
        ])
    func whatStays_isSaid(old: String, new: String, keepsKey: Bool, keepsDistinct: Bool) throws {
        let conversion = try Conversion(
            old + "{c:Int64}", new + "{}", ["new": FieldRule(oldNames: ["a"])])
        #expect(conversion.rules.keepsKey == keepsKey)
        #expect(conversion.rules.keepsKeysDistinct == keepsDistinct)
    }

    @Test func aDefaultInPlaceOfNil_mayMeetAnotherKey() throws {
        let conversion = try Conversion("(a:Int64?){}", "(a:Int64){}", ["a": Conversion.defaultRule(3)])
        #expect(!conversion.rules.keepsKeysDistinct && !conversion.rules.canFail)
        #expect(try conversion.key([("a", .null)]) == StoredFields(named: [("a", .integer(3))]))
        #expect(try conversion.key([("a", .integer(3))]) == StoredFields(named: [("a", .integer(3))]))
    }

    @Test func componentsAndFields_changePlaces() throws {
        let conversion = try Conversion(
            "(id:Int32,town:String){name:String,age:Int8}", "(name:desc<String>,id:Int64){town:String?,age:Int64}")
        let key: [(String, FieldValue)] = [("id", .integer(-1)), ("town", .string("a\0b"))]
        let fields: [(String, FieldValue)] = [("name", .string("Zoe")), ("age", .integer(-5))]
        #expect(
            try conversion.key(key, fields: fields)
                == StoredFields(named: [("name", .string("Zoe")), ("id", .integer(-1))]))
        #expect(
            try conversion.fields(fields, key: key)
                == StoredFields(named: [("town", .string("a\0b")), ("age", .integer(-5))]))
        #expect(!conversion.rules.keepsKeysDistinct)
        #expect(
            conversion.rules.changes.map(\.description) == [
                "name, in the key, was String, is desc<String>", "name, in the key, was a field",
                "id, in the key, was Int32, is Int64", "town was String, is String?", "town was in the key",
                "age was Int8, is Int64",
            ])
    }

    @Test func componentsThatChangePlaces_areNamed() throws {
        let conversion = try Conversion("(a:Int8,b:Int8,c:Int8){}", "(c:Int8,a:Int8){}")
        #expect(
            conversion.rules.changes.map(\.description) == [
                "a, in the key, has another place", "b, in the key, is removed, with what is stored in it",
            ])
    }

    @Test func aKeyThatBecomesTooLong_isAnError_whichIsToBeExpected() throws {
        let conversion = try Conversion("(a:Int64){b:String}", "(a:Int64,b:String){}")
        #expect(conversion.rules.canFail)
        let size = KeyWriter.sizeLimit - 8 - 1
        _ = try conversion.key([("a", .integer(1))], fields: [("b", .string(String(repeating: "b", count: size)))])
        let error = CodingError(.keyTooLarge(size: KeyWriter.sizeLimit + 1, limit: KeyWriter.sizeLimit))
        #expect(throws: error) {
            try conversion.key([("a", .integer(1))], fields: [("b", .string(String(repeating: "b", count: size + 1)))])
        }
        // Components of unchanged bytes, or of a limited size, cannot become too long.
        #expect(try !Conversion("(a:Int64,b:String){}", "(b:String,a:Int64){}").rules.canFail)
        #expect(try !Conversion("(a:Int64){b:UUID}", "(b:UUID?,a:desc<Int64>){}").rules.canFail)
    }

    @Test func aKeyThatOnlyItsTypeKnows_mayStay_butNotBeRead() throws {
        let kept = try Conversion("(a:Custom){b:Int8}", "(a:Custom){b:Int64}")
        var fields: [UInt8] = []
        let (key, old): ([UInt8], [UInt8]) = ([1, 2, 3], [0xFE])
        try kept.rules.convertFields(key: unsafe key.span.bytes, fields: unsafe old.span.bytes, into: &fields)
        #expect(fields == [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        let unknown = ConversionError(field: "a", reason: .unknownLayout("Custom"))
        #expect(throws: unknown) { try Conversion("(a:Custom,b:Int8){}", "(a:Custom){b:Int8}") }
        #expect(throws: unknown) { try Conversion("(b:Int8){a:Custom}", "(b:Int8){a:Custom}") }
    }

    /// The old field b is now named c, and b is the new name of the key.
    @Test func aKeyThatStays_isMatchedByPlace_andFieldsByTheirOldNames() throws {
        var new = try RecordLayout("(b:Int64){c:Int8,a:Int8?}")
        new.key[0].rule.oldNames = ["a"]
        new.fields[0].rule.oldNames = ["b"]
        let conversion = try Conversion(RecordLayout("(a:Int64){b:Int8}"), new, keepingKeys: true)
        #expect(conversion.rules.keepsKey && conversion.rules.keepsKeysDistinct && !conversion.rules.canFail)
        #expect(
            try conversion.fields([("b", .integer(5))], key: [("a", .integer(1))])
                == StoredFields(named: [("c", .integer(5)), ("a", .null)]))
        #expect(try conversion.key([("a", .integer(1))]) == StoredFields(named: [("b", .integer(1))]))
        #expect(
            conversion.rules.changes.map(\.description) == [
                "b, in the key, was named a", "c was named b", "a is new: nil in old records",
            ])
        // The old name of the component is irrelevant for the key, but fields may still refer to it.
        new.fields = [LayoutField("copy", .integer(bits: 64, isSigned: true))]
        new.fields[0].rule.oldNames = ["z"]
        let older = try Conversion(RecordLayout("(z:Int64){}"), new, keepingKeys: true)
        #expect(
            try older.fields([], key: [("z", .integer(3))]) == StoredFields(named: [("copy", .integer(3))]))
    }

    @Test func anOffset_isThatOfAField() throws {
        let conversion = try Conversion("(){a:Int8,b:String,c:Int8}", "(){a:Int64,b:String,c:Int8}")
        let bytes: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 2, 0x61, 0x62, 5]
        let names = (0...12).map { conversion.rules.fieldName(at: $0, in: unsafe bytes.span.bytes) }
        #expect(names == Array(repeating: "a", count: 8) + ["b", "b", "b", "c", "c"])
        let damaged: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 9, 0x61]
        #expect(conversion.rules.fieldName(at: 9, in: unsafe damaged.span.bytes) == "b")
    }
}
