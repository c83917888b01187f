// Random pairs of layouts and random values: what the planner says against a table, and that nothing is lost on the way.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

/// What can be said of a conversion before a value is seen.
private enum Verdict: Int {
    case none, mayFail, safe

    func and(_ other: Verdict) -> Verdict { rawValue < other.rawValue ? self : other }
}

/// A type as this test sees it.
private indirect enum Model: Equatable {
    case scalar(String)
    case optional(Model)
    case array(Model)
    case record([Field])

    struct Field: Equatable {
        var name: String
        var type: Model
    }

    var layout: String {
        switch self {
        case .scalar(let name): name
        case .optional(let wrapped): wrapped.layout + "?"
        case .array(let element): "[\(element.layout)]"
        case .record(let fields): Self.layout(of: fields)
        }
    }

    static func layout(of fields: [Field]) -> String {
        "{" + fields.map { $0.name + ":" + $0.type.layout }.joined(separator: ",") + "}"
    }

    var isOptional: Bool {
        if case .optional = self { true } else { false }
    }
}

/// The table: what the documentation promises.
private enum Reference {
    static let scalars = [
        "Int8", "Int16", "Int64", "UInt8", "UInt64", "Float", "Double", "Bool", "String", "UUID", "Date", "Data",
        "Decimal",
    ]

    private static let numbers = ["Int8", "Int16", "Int64", "UInt8", "UInt64", "Float", "Double"]

    private static let safe: [String: [String]] = [
        "Int8": ["Int16", "Int64", "Float", "Double", "String"], "Int16": ["Int64", "Float", "Double", "String"],
        "Int64": ["String"], "UInt8": ["Int16", "Int64", "UInt64", "Float", "Double", "String"], "UInt64": ["String"],
        "Float": ["Double", "String"], "Double": ["String"], "Bool": ["String"],
    ]

    private static func scalar(_ old: String, _ new: String) -> Verdict {
        if old == new || safe[old]?.contains(new) == true { return .safe }
        if numbers.contains(new), numbers.contains(old) || old == "String" { return .mayFail }
        return old == "String" && new == "Bool" ? .mayFail : .none
    }

    static func verdict(_ old: Model, _ new: Model, hasDefault: Bool = false) -> Verdict {
        switch (old, new) {
        case (.scalar(let old), .scalar(let new)): scalar(old, new)
        case (.optional(let old), .optional(let new)): verdict(old, new)
        case (_, .optional(let new)): verdict(old, new)
        case (.optional(let old), _): verdict(old, new).and(hasDefault ? .safe : .mayFail)
        case (.array(let old), .array(let new)): verdict(old, new)
        case (.record(let old), .record(let new)):
            new.reduce(.safe) { result, field in
                let source = old.first { $0.name == field.name }
                let absent: Verdict = field.type.isOptional ? .safe : .none
                return result.and(source.map { verdict($0.type, field.type) } ?? absent)
            }
        default: .none
        }
    }
}

/// What makes layouts and values.
private struct Maker {
    var generator: SeededGenerator

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    mutating func element<Element>(of list: [Element]) -> Element {
        list[Int.random(in: 0..<list.count, using: &generator)]
    }

    mutating func type(depth: Int = 0) -> Model {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0, 1: return .optional(required(depth: depth))
        case 2 where depth < 2: return .array(type(depth: depth + 1))
        default: return required(depth: depth)
        }
    }

    private mutating func required(depth: Int) -> Model {
        if depth < 2, chance(15) {
            // Never empty: a value takes at least one byte.
            return .record(fields(of: ["a", "b"], depth: depth + 1) + [Model.Field(name: "c", type: .scalar("Int8"))])
        }
        return .scalar(element(of: Reference.scalars))
    }

    mutating func fields(of names: [String], depth: Int = 0) -> [Model.Field] {
        var fields: [Model.Field] = []
        for name in names.shuffled(using: &generator) where chance(75) {
            fields.append(Model.Field(name: name, type: type(depth: depth)))
        }
        return fields
    }

    /// A type near another, so that many pairs convert.
    mutating func neighbor(of type: Model) -> Model {
        if chance(25) { return type }
        switch type {
        case .scalar(let name) where chance(70):
            let others = Reference.scalars.filter { Reference.verdict(.scalar(name), .scalar($0)) != .none }
            let other = Model.scalar(element(of: others))
            return chance(20) ? .optional(other) : other
        case .optional(let wrapped):
            let other = neighbor(of: wrapped)
            return other.isOptional || chance(30) ? other : .optional(other)
        case .array(let element): return .array(neighbor(of: element))
        case .record(let fields):
            return .record(fields.map { Model.Field(name: $0.name, type: neighbor(of: $0.type)) })
        default: return self.type(depth: 1)
        }
    }

    mutating func value(of type: Model) -> FieldValue {
        switch type {
        case .optional(let wrapped): return chance(30) ? .null : value(of: wrapped)
        case .array(let element):
            return .array((0..<Int.random(in: 0...3, using: &generator)).map { _ in value(of: element) })
        case .record(let fields): return .record(values(of: fields))
        case .scalar(let name): return scalar(name)
        }
    }

    mutating func values(of fields: [Model.Field]) -> StoredFields {
        StoredFields(fields.map { StoredFields.Field($0.name, value(of: $0.type)) })
    }

    private mutating func scalar(_ name: String) -> FieldValue {
        switch name {
        case "Int8": return .integer(Int128(element(of: [Int8.min, -1, 0, 1, .max])))
        case "Int16": return .integer(Int128(element(of: [Int16.min, -129, 0, 127, 255, .max])))
        case "Int64": return .integer(Int128(element(of: [Int64.min, -1, 0, 200, 1 << 24 + 1, 1 << 53 + 1, .max])))
        case "UInt8": return .integer(Int128(element(of: [UInt8.min, 127, 128, .max])))
        case "UInt64": return .integer(Int128(element(of: [UInt64.min, 255, 1 << 53, 1 << 63, .max])))
        case "Float": return .float(element(of: [0, -1, 0.1, 0.5, 200, 1e30, .infinity]))
        case "Double": return .double(element(of: [0, -1, 0.1, 0.5, 200, 0x1p53, 0x1p63, 1e300, -.infinity]))
        case "Bool": return .bool(chance(50))
        case "String":
            return .string(
                element(of: ["", "0", "-1", "200", "0.1", "0.5", "1.0", "+1", "01", "1e300", "true", "inf", "é"]))
        case "UUID":
            let last = UInt8.random(in: 0...9, using: &generator)
            return .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, last)))
        case "Date": return .date(Date(timeIntervalSinceReferenceDate: element(of: [0, -0.5, 1e9])))
        case "Data": return .data(element(of: [[], [0], [1, 2, 3]]))
        default: return .decimal(Decimal(element(of: [0, -7, 1_000_000])))
        }
    }
}

@Suite struct RandomConversionTests {
    private func layout(_ fields: [Model.Field]) throws -> RecordLayout {
        try RecordLayout("()" + Model.layout(of: fields))
    }

    /// Converts, or gives nil where a value does not convert.
    private func convert(_ conversion: RecordConversion, _ values: StoredFields) -> StoredFields? {
        do throws(ConversionError) { return try conversion.convert(values) } catch { return nil }
    }

    @Test func thePlan_isWhatTheTableSays_andItsValuesAreOfTheNewLayout() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var maker = Maker(generator: generator)
        var seen: [Verdict: Int] = [:]
        for round in 0..<2000 {
            let comment = Comment(rawValue: "round \(round), TROVE_TEST_SEED=\(seed)")
            let old = maker.fields(of: ["a", "b", "c", "d"])
            var new: [Model.Field] = []
            for field in old.shuffled(using: &maker.generator) where maker.chance(80) {
                let name = maker.chance(20) ? "new" + field.name : field.name
                new.append(Model.Field(name: name, type: maker.neighbor(of: field.type)))
            }
            if maker.chance(20) { new.append(Model.Field(name: "e", type: maker.type())) }
            var rules: [String: RecordConversion.Rule] = [:]
            var expected = Verdict.safe
            var firstFailure: String?
            for field in new {
                let isRenamed = field.name.hasPrefix("new") && maker.chance(80)
                let value = maker.value(of: field.type)
                let hasDefault = value != .null && maker.chance(30)
                let makeDefault: RecordConversion.DefaultValue = { value }
                rules[field.name] = RecordConversion.Rule(
                    oldName: isRenamed ? String(field.name.dropFirst(3)) : nil,
                    makeDefault: hasDefault ? makeDefault : nil)
                let oldName = isRenamed ? String(field.name.dropFirst(3)) : field.name
                let source = old.first { $0.name == oldName }
                let verdict =
                    source.map { Reference.verdict($0.type, field.type, hasDefault: hasDefault) }
                    ?? (field.type.isOptional || hasDefault ? .safe : .none)
                if verdict == .none, firstFailure == nil { firstFailure = field.name }
                expected = expected.and(verdict)
            }
            seen[expected, default: 0] += 1
            let (oldLayout, newLayout) = (try layout(old), try layout(new))
            let conversion: RecordConversion
            do throws(ConversionError) {
                conversion = try RecordConversion(from: oldLayout, to: newLayout, rules: rules)
            } catch {
                #expect(error.field == firstFailure, comment)
                continue
            }
            #expect(firstFailure == nil, comment)
            #expect(conversion.canFail == (expected == .mayFail), comment)
            let converted = convert(conversion, maker.values(of: old))
            #expect(converted != nil || expected == .mayFail, comment)
            guard let converted else { continue }
            let bytes = try newLayout.writeFields(converted)
            #expect(try unsafe newLayout.readFields(bytes.span.bytes) == converted, comment)
        }
        // Each of the three was really tried.
        for verdict in [Verdict.none, .mayFail, .safe] { #expect(seen[verdict, default: 0] > 50, "seed \(seed)") }
    }

    @Test func theSameLayout_givesTheSameValues() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var maker = Maker(generator: generator)
        for _ in 0..<300 {
            let fields = maker.fields(of: ["a", "b", "c", "d"])
            let values = maker.values(of: fields)
            let conversion = try RecordConversion(from: layout(fields), to: layout(fields))
            #expect(!conversion.canFail && conversion.changes.isEmpty)
            #expect(convert(conversion, values) == values, "TROVE_TEST_SEED=\(seed)")
        }
    }

    @Test func whatConverts_comesBackTheSame() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var maker = Maker(generator: generator)
        var returned = 0
        for round in 0..<2000 {
            let old = maker.fields(of: ["a", "b"])
            let new = old.map { Model.Field(name: $0.name, type: maker.neighbor(of: $0.type)) }
            let there = Reference.verdict(.record(old), .record(new))
            let back = Reference.verdict(.record(new), .record(old))
            guard there != .none, back != .none else { continue }
            let values = maker.values(of: old)
            guard let converted = convert(try RecordConversion(from: layout(old), to: layout(new)), values) else {
                continue
            }
            returned += 1
            let result = convert(try RecordConversion(from: layout(new), to: layout(old)), converted)
            #expect(result == values, "round \(round), TROVE_TEST_SEED=\(seed)")
        }
        #expect(returned > 100)
    }
}
