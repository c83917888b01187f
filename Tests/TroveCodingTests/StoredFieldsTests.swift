// Tests of named values, as a migration by hand changes them.

import Testing
import TroveCoding
import TroveCodingSamples

@Suite struct StoredFieldsTests {
    private let fields = StoredFields(named: [("a", .integer(1)), ("b", .string("x"))])

    @Test func aName_isSetReplacedAndRemoved() {
        var fields = fields
        fields["a"] = .integer(2)
        fields["c"] = .null
        fields["b"] = nil
        fields["nothing"] = nil
        #expect(fields == StoredFields(named: [("a", .integer(2)), ("c", .null)]))
    }

    @Test func aFieldThatIsRenamed_keepsItsPlace_andReplacesAnother() {
        var fields = fields
        fields.rename("a", to: "c")
        fields.rename("nothing", to: "b")
        fields.rename("b", to: "b")
        #expect(fields == StoredFields(named: [("c", .integer(1)), ("b", .string("x"))]))
        fields.rename("c", to: "b")
        #expect(fields == StoredFields(named: [("b", .integer(1))]))
    }

    @Test func aValueThatWasRead_hasItsLayout_untilItIsSetByHand() throws {
        let layout = try RecordLayout("(k:desc<Int8>){a:{b:Int8}}")
        let (key, bytes): ([UInt8], [UInt8]) = ([0x7E], [5])
        var fields = try layout.read(key: unsafe key.span.bytes, fields: unsafe bytes.span.bytes)
        fields.rename("a", to: "c")
        #expect(fields.fields.map(\.type) == [.descending(.integer(bits: 8, isSigned: true)), layout.fields[0].type])
        #expect(
            fields
                == StoredFields(named: [("k", .integer(1)), ("c", .record(StoredFields(named: [("b", .integer(5))])))]))
        fields["k"] = .integer(2)
        fields.fields[1].value = .null
        #expect(fields.fields.map(\.type) == [nil, nil])
    }

    @Test func aSwiftValue_isSetWithItsLayout() throws {
        var fields = fields
        let place = Place(name: "é", latitude: 2.5, tags: ["a"])
        try fields.setValue(place, for: "a")
        try fields.setValue(Int16(3), for: "c")
        #expect(try fields.value("a", as: Place.self) == place)
        #expect(fields.fields.map(\.name) == ["a", "b", "c"])
        #expect(fields.fields.map { $0.type?.description } == [LayoutBuilder.text(of: Place.self), nil, "Int16"])
    }

    @Test func aRecordOfOtherNames_isNotWritten() throws {
        let layout = try RecordLayout("(){a:{x:Int8,y:Int8}}")
        let values = StoredFields(named: [("y", .integer(1)), ("x", .integer(2))])
        #expect(throws: CodingError.self) { try layout.writeFields(StoredFields(named: [("a", .record(values))])) }
        let cases = try RecordLayout("(){a:enum{b(Int8,c:Int8)}}")
        let value = FieldValue.AssociatedValue(value: .integer(1))
        #expect(throws: CodingError.self) {
            try cases.writeFields(StoredFields(named: [("a", .enumeration("b", [value, value]))]))
        }
    }
}
