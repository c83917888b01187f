// Tests of each conversion rule by values computed by hand, and of pairs without a rule.

import Foundation
import Testing
import TroveCoding
import TroveCodingSamples

@Suite struct ConversionTests {
    /// Two layouts without keys, and the migration rules of the new fields.
    private func conversion(
        _ old: String, _ new: String, _ rules: [String: FieldRule] = [:]
    ) throws -> Conversion {
        try Conversion("(){\(old)}", "(){\(new)}", rules)
    }

    /// Returns the new value of a single field; nil if its value cannot be converted.
    private func convert(_ old: String, _ new: String, _ value: FieldValue) throws -> FieldValue? {
        let conversion = try conversion("a:" + old, "a:" + new)
        do {
            return try conversion.fields([("a", value)]).fields.first?.value
        } catch is ConversionError {
            #expect(conversion.rules.canFail, "\(old) → \(new)")
            return nil
        }
    }

    private func single(_ a: Int128) -> FieldValue { .record(StoredFields([StoredFields.Field("a", .integer(a))])) }

    private func pair(_ a: Int128, _ b: Int128) -> FieldValue {
        .record(StoredFields([StoredFields.Field("a", .integer(a)), StoredFields.Field("b", .integer(b))]))
    }

    @Test func values_becomeWhatTheyWere_orErrors() throws {
        let null = FieldValue.null
        let cases: [(String, String, FieldValue, FieldValue?)] = [
            ("Int8", "Int64", .integer(-5), .integer(-5)), ("Int64", "Int8", .integer(-128), .integer(-128)),
            ("Int64", "Int8", .integer(128), nil), ("Int8", "UInt64", .integer(-1), nil),
            ("UInt8", "Int16", .integer(255), .integer(255)), ("UInt128", "Int64", .unsigned(.max), nil),
            ("Int64", "UInt128", .integer(7), .integer(7)),
            ("Int64", "Double", .integer(1 << 53), .double(0x1p53)), ("Int64", "Double", .integer((1 << 53) + 1), nil),
            ("Int32", "Double", .integer(-7), .double(-7)), ("Int64", "Float", .integer((1 << 24) + 1), nil),
            ("Double", "Int8", .double(-3), .integer(-3)), ("Double", "Int8", .double(2.5), nil),
            ("Double", "Int8", .double(128), nil), ("Double", "Int64", .double(.nan), nil),
            ("Float", "Double", .float(0.5), .double(0.5)), ("Double", "Float", .double(0.1), nil),
            ("Double", "Float", .double(.infinity), .float(.infinity)), ("Double", "Float", .double(1e300), nil),
            ("Int64", "String", .integer(-12), .string("-12")), ("String", "Int64", .string("-12"), .integer(-12)),
            ("String", "Int64", .string("+12"), nil), ("String", "Int64", .string("012"), nil),
            ("String", "Int8", .string("128"), nil), ("String", "Double", .string("1.5"), .double(1.5)),
            ("String", "Double", .string("1.50"), nil), ("Double", "String", .double(1.5), .string("1.5")),
            ("Bool", "String", .bool(true), .string("true")), ("String", "Bool", .string("false"), .bool(false)),
            ("String", "Bool", .string("no"), nil),
            ("String", "String?", .string("a"), .string("a")), ("String?", "String", .string("a"), .string("a")),
            ("String?", "String", null, nil), ("Int8?", "Int64?", null, null),
            ("Int8?", "Int64?", .integer(1), .integer(1)),
            ("Int64", "Int8?", .integer(300), nil), ("Bool??", "Bool", .some(.bool(true)), .bool(true)),
            ("enum<String>", "String", .string("low"), .string("low")),
            ("enum<Int8>", "enum<Int64>", .integer(1), .integer(1)), ("Int64", "enum<Int8>", .integer(200), nil),
            ("[Int8]", "[Int64]", .array([.integer(1)]), .array([.integer(1)])),
            ("Set<Int64>", "[Int8]", .array([.integer(1), .integer(300)]), nil),
            ("Set<Int8>", "Set<Int64>", .array([.integer(1)]), .array([.integer(1)])),
            (
                "Set<{a:Int8,b:Int8}>", "Set<{a:Int8}>", .array([pair(1, 2), pair(2, 2)]),
                .array([single(1), single(2)])
            ),
            ("Set<{a:Int8,b:Int8}>", "Set<{a:Int8}>", .array([pair(1, 2), pair(1, 3)]), nil),
            ("Int8??", "Int64?", .some(.integer(1)), .integer(1)), ("Int8??", "Int64?", .some(null), nil),
            ("Int8??", "Int64??", .some(null), FieldValue.some(null)),
            ("Int8?", "Int64??", .integer(1), FieldValue.some(.integer(1))),
            ("Int8", "Int8??", .integer(1), FieldValue.some(.integer(1))),
            ("desc<Int64>", "Int64", .integer(1), .integer(1)), ("json<A>", "json<B>", .json("1"), .json("1")),
        ]
        for (old, new, value, expected) in cases {
            #expect(try convert(old, new, value) == expected, "\(old) → \(new), \(value)")
        }
    }

    @Test func nestedRecords_goByTheNamesOfTheirFields() throws {
        let old = StoredFields([
            StoredFields.Field("x", .integer(1)), StoredFields.Field("gone", .string("?")),
            StoredFields.Field("y", .string("2")),
        ])
        let new = StoredFields([
            StoredFields.Field("y", .integer(2)), StoredFields.Field("new", .null), StoredFields.Field("x", .double(1)),
        ])
        #expect(
            try convert("[{x:Int8,gone:String,y:String}]", "[{y:Int64,new:Date?,x:Double}]", .array([.record(old)]))
                == .array([.record(new)]))
    }

    @Test func typesThatContainThemselves_areConvertedOnEveryLevel() throws {
        func node(_ fields: [(String, FieldValue)]) -> FieldValue {
            .record(StoredFields(fields.map { StoredFields.Field($0, $1) }))
        }
        let leaf = node([("value", .integer(1)), ("children", .array([]))])
        let old = node([("value", .integer(2)), ("children", .array([leaf, leaf]))])
        let newLeaf = node([("children", .array([])), ("value", .string("1")), ("note", .null)])
        let new = node([("children", .array([newLeaf, newLeaf])), ("value", .string("2")), ("note", .null)])
        let (oldLayout, newLayout) = ("{value:Int8,children:[^1]}", "{children:[^1],value:String,note:Date?}")
        #expect(try convert(oldLayout, newLayout, old) == new)

        // Through an enum, two levels up, and in an optional.
        func cases(_ value: FieldValue) -> FieldValue {
            .record(
                StoredFields([
                    StoredFields.Field("next", .enumeration("more", [FieldValue.AssociatedValue(value: value)]))
                ]))
        }
        #expect(
            try convert("{next:enum{end,more(^2?)}}", "{next:enum{more(^2?),end,last}}", cases(cases(.null)))
                == cases(cases(.null)))
        #expect(throws: ConversionError.self) {
            try convert("{value:Int8,children:[^1]}", "{value:Int8,children:[Int8]}", leaf)
        }
    }

    @Test func cases_goByTheirNames_andTheirValuesByLabel() throws {
        func value(_ value: FieldValue, _ label: String? = nil) -> FieldValue.AssociatedValue {
            FieldValue.AssociatedValue(label: label, value: value)
        }
        let old = "enum{none,some(Int8,b:Int8,c:Bool),gone}"
        #expect(
            try convert(
                old, "enum{more,some(Int64,d:Date?,b:Int64),none}",
                .enumeration("some", [value(.integer(1)), value(.integer(2), "b"), value(.bool(true), "c")]))
                == .enumeration("some", [value(.integer(1)), value(.null, "d"), value(.integer(2), "b")]))
        #expect(try convert(old, "enum{none}", .enumeration("none", [])) == .enumeration("none", []))
        #expect(try convert(old, "enum{none}", .enumeration("gone", [])) == nil)
        #expect(throws: ConversionError.self) { try convert(old, "enum{some(Int8,e:Int8)}", .null) }
    }

    /// Regression: a value that gained a label became nil.
    @Test func associatedValues_thatGainOrLoseALabel_keepTheirPlace() throws {
        func shape(_ values: [(String?, FieldValue)]) -> FieldValue {
            .enumeration("c", values.map { FieldValue.AssociatedValue(label: $0, value: $1) })
        }
        let (one, two) = (FieldValue.integer(1), FieldValue.integer(2))
        let cases: [(String, String, FieldValue, FieldValue)] = [
            ("Double", "radius:Double?", shape([(nil, .double(2.5))]), shape([("radius", .double(2.5))])),
            ("radius:Int8", "Int64", shape([("radius", one)]), shape([(nil, one)])),
            ("Int8,Int8", "a:Int8,b:Int8", shape([(nil, one), (nil, two)]), shape([("a", one), ("b", two)])),
            // The label takes precedence over the place, and no value is used twice.
            ("a:Int8,Int8", "Int8?,a:Int8", shape([("a", one), (nil, two)]), shape([(nil, .null), ("a", one)])),
            ("a:Int8,b:Int8", "b:Int8,a:Int8", shape([("a", one), ("b", two)]), shape([("b", two), ("a", one)])),
            // A value with another label in its place is another value.
            ("a:Int8", "b:Int8?", shape([("a", one)]), shape([("b", .null)])),
        ]
        for (old, new, value, expected) in cases {
            #expect(try convert("enum{c(\(old))}", "enum{c(\(new))}", value) == expected, "\(old) → \(new)")
        }
        for (old, new) in [("a:Int8", "b:Int8"), ("a:Int8,Int8", "Int8,a:Int8"), ("Int8", "Int8,Int8")] {
            #expect(throws: ConversionError.self) { try convert("enum{c(\(old))}", "enum{c(\(new))}", .null) }
        }
    }

    @Test func fields_areFoundByName_thenByTheirOldName() throws {
        let conversion = try conversion(
            "name:String,age:Int64,old:Bool", "age:Int64,full:String,score:Double,nick:String?",
            ["full": FieldRule(oldNames: ["name"]), "score": Conversion.defaultRule(1.5)])
        let old: [(String, FieldValue)] = [("name", .string("Zoe")), ("age", .integer(5)), ("old", .bool(true))]
        let new: [(String, FieldValue)] = [
            ("age", .integer(5)), ("full", .string("Zoe")), ("score", .double(1.5)), ("nick", .null),
        ]
        #expect(try conversion.fields(old) == StoredFields(named: new))
        #expect(!conversion.rules.canFail)
        #expect(
            conversion.rules.changes.map(\.description) == [
                "full was named name", "score is new: its default in old records", "nick is new: nil in old records",
                "old is removed, with what is stored in it",
            ])
    }

    @Test func aFieldRenamedTwice_hasTheValueOfItsNewestName() throws {
        let rules = ["display": FieldRule(oldNames: ["name", "full"])]
        for (names, source) in [
            (["name"], "name"), (["full"], "full"), (["name", "full"], "full"), (["full", "name"], "full"),
        ] {
            let old = names.map { $0 + ":String" }.joined(separator: ",")
            let conversion = try conversion(old, "display:String", rules)
            let result = try conversion.fields(names.map { ($0, .string("of " + $0)) })
            #expect(result == StoredFields(named: [("display", .string("of " + source))]))
            #expect(conversion.rules.changes.first?.description == "display was named \(source)")
        }
    }

    @Test func nil_takesTheDefault_onlyWhereItIsNotPossibleAnyMore() throws {
        func value(_ old: String, _ new: String, _ value: FieldValue) throws -> FieldValue? {
            let conversion = try conversion("a:" + old, "a:" + new, ["a": Conversion.defaultRule(9)])
            return try conversion.fields([("a", value)]).fields.first?.value
        }
        for old in ["Int64?", "Int8?"] {
            #expect(try value(old, "Int64", .null) == .integer(9))
            #expect(try value(old, "Int64", .integer(1)) == .integer(1))
            #expect(try value(old, "Int64?", .null) == .null)
        }
        #expect(try !conversion("a:Int64?", "a:Int64", ["a": Conversion.defaultRule(9)]).rules.canFail)
    }

    @Test func rules_holdInsideNestedRecords_andInRecordsThatContainThemselves() throws {
        let old = try RecordLayout("(){root:{name:String,children:[^1]}}")
        let node = LayoutField("children", .array(.enclosing(1)))
        var title = LayoutField("title", .string)
        title.rule.oldNames = ["label", "name"]
        var count = LayoutField("count", .integer(bits: 64, isSigned: true))
        count.rule = Conversion.defaultRule(7)
        let new = RecordLayout(key: [], fields: [LayoutField("root", .record([count, node, title]))])
        let conversion = try Conversion(old, new)
        func record(_ fields: [(String, FieldValue)]) -> FieldValue { .record(StoredFields(named: fields)) }
        let oldLeaf = record([("name", .string("leaf")), ("children", .array([]))])
        let newLeaf = record([("count", .integer(7)), ("children", .array([])), ("title", .string("leaf"))])
        let result = try conversion.fields([
            ("root", record([("name", .string("root")), ("children", .array([oldLeaf]))]))
        ])
        #expect(
            result["root"]
                == record([("count", .integer(7)), ("children", .array([newLeaf])), ("title", .string("root"))]))
    }

    @Test func whatCannotBeConverted_isNamed() throws {
        func failure(_ old: String, _ new: String) -> ConversionError? {
            do {
                _ = try conversion(old, new)
                return nil
            } catch {
                return error as? ConversionError
            }
        }
        #expect(failure("a:Int64", "a:Int64,b:Int64") == ConversionError(field: "b", reason: .noDefault))
        #expect(
            failure("a:UUID", "a:Int64")
                == ConversionError(
                    field: "a", reason: .differentTypes(from: .uuid, to: .integer(bits: 64, isSigned: true))))
        #expect(failure("a:[UUID]", "a:[Date]")?.field == "a")
        let missing = ConversionError(field: "a.y.z", reason: .noDefault)
        #expect(failure("a:[{y:{x:Int8}?}]", "a:[{y:{x:Int8,z:Int8}}]") == missing)
    }

    @Test func storedFields_giveSwiftValues() throws {
        let fields = StoredFields([
            StoredFields.Field("name", .string("Zoe")), StoredFields.Field("age", .integer(5)),
            StoredFields.Field("tags", .array([.string("a")])), StoredFields.Field("nothing", .null),
        ])
        #expect(try fields.value("name", as: String.self) == "Zoe")
        #expect(try fields.value("age", as: Int8.self) == 5)
        #expect(try fields.value("age", as: Int?.self) == 5)
        #expect(try fields.value("tags", as: [String].self) == ["a"])
        #expect(try fields.value("nothing", as: String?.self) == nil)
        #expect(try fields.value("missing", as: Int?.self) == nil)
        #expect(throws: ConversionError.self) { try fields.value("missing", as: Int.self) }
        #expect(throws: ConversionError.self) { try fields.value("name", as: Int.self) }
    }
}
