// Random layouts, similar layouts, and their values.

import Foundation
import TroveCoding
import TroveTestSupport

/// A generator of layouts and values.
struct ConversionMaker {
    var generator: SeededGenerator

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    mutating func element<Element>(of list: [Element]) -> Element {
        list[Int.random(in: 0..<list.count, using: &generator)]
    }

    // MARK: Layouts

    /// - Parameters:
    ///   - depth: The number of types that contain the new type.
    ///   - enclosing: The number of records and enums among them.
    mutating func type(depth: Int = 0, in enclosing: Int = 0) -> Model {
        if enclosing > 0, chance(15) { return repetition(in: enclosing) }
        return switch Int.random(in: 0..<14, using: &generator) {
        case 0: .optional(required(depth: depth, in: enclosing))
        case 1: .optional(chance(30) ? .optional(required(depth: 2)) : required(depth: depth, in: enclosing))
        case 2 where depth < 2: .array(type(depth: depth + 1, in: enclosing))
        case 3 where depth < 2: .set(required(depth: 2))
        case 4 where depth < 2: .dictionary(type(depth: depth + 1, in: enclosing))
        default: required(depth: depth, in: enclosing)
        }
    }

    /// Returns a reference to an enclosing type, in a container that can be empty: so values are finite.
    private mutating func repetition(in enclosing: Int) -> Model {
        let type = Model.enclosing(Int.random(in: 1...enclosing, using: &generator))
        return element(of: [.optional(type), .array(type), .dictionary(type), .optional(.optional(type))])
    }

    private mutating func required(depth: Int, in enclosing: Int = 0) -> Model {
        if depth < 2, chance(15) {
            // Never empty: a value takes at least one byte.
            let fields = fields(of: ["a", "b"], depth: depth + 1, in: enclosing + 1)
            return .record(fields + [Model.Field(name: "c", type: .scalar("Int8"))])
        }
        if depth < 2, chance(10) {
            var values: [Model.Value] = []
            for label in ["l", "m", "n"].shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator)) {
                let type = type(depth: depth + 1, in: enclosing + 1)
                values.append(Model.Value(label: chance(50) ? label : nil, type: type))
            }
            return .enumeration([Model.Case(name: "x", values: []), Model.Case(name: "y", values: values)])
        }
        return chance(10) ? .raw(element(of: ["Int8", "Int64", "String"])) : .scalar(element(of: Reference.scalars))
    }

    mutating func fields(of names: [String], depth: Int = 0, in enclosing: Int = 0) -> [Model.Field] {
        var fields: [Model.Field] = []
        for name in names.shuffled(using: &generator) where chance(75) {
            fields.append(Model.Field(name: name, type: type(depth: depth, in: enclosing)))
        }
        return fields
    }

    /// Returns the components of a key.
    mutating func key(of names: [String]) -> [Model.Field] {
        names.map { name in
            let scalar = element(of: Reference.scalars.filter { $0 != "Decimal" })
            let type: Model = chance(10) ? .raw(element(of: ["Int8", "String"])) : .scalar(scalar)
            return Model.Field(name: name, type: chance(25) ? .optional(type) : type)
        }
    }

    /// Returns the name of a field, perhaps among names that no field has, and after the name of another field.
    private mutating func oldNames(of field: Model.Field, among old: [Model.Field]) -> [String] {
        var names = [field.name]
        if chance(20) { names.insert(element(of: old).name, at: 0) }
        if chance(30) { names.insert("never", at: chance(50) ? 0 : names.count) }
        return names
    }

    /// Returns fields similar to others: fewer, in another order, with other names and types, and a new field.
    ///
    /// - Parameter added: The name of the new field.
    mutating func neighbors(of old: [Model.Field], adding added: String, inKey: Bool = false) -> [Model.Field] {
        var new: [Model.Field] = []
        for field in chance(50) ? old.shuffled(using: &generator) : old where chance(85) {
            let isRenamed = chance(20)
            let type = chance(40) ? field.type : inKey ? plainNeighbor(of: field.type) : neighbor(of: field.type)
            new.append(
                Model.Field(
                    name: isRenamed ? "new" + field.name : field.name, type: type,
                    oldNames: isRenamed && chance(80) ? oldNames(of: field, among: old) : []))
        }
        if chance(20) { new.append(Model.Field(name: added, type: inKey ? .optional(.scalar("Int8")) : type())) }
        // A default is decoded on its own, so its type must be complete in itself.
        for index in new.indices where !inKey && new[index].type.reach == 0 && chance(30) {
            let value = value(of: new[index].type)
            if value != .null { new[index].defaultValue = value }
        }
        return new
    }

    /// Returns a scalar type similar to a type, or an optional of it: different values have different bytes.
    private mutating func plainNeighbor(of type: Model) -> Model {
        while true {
            let other = neighbor(of: type)
            switch other {
            case .scalar(let name) where name != "Decimal": return other
            case .raw, .optional(.scalar), .optional(.raw): return other
            default: continue
            }
        }
    }

    /// Returns a type similar to another, so that many pairs convert.
    mutating func neighbor(of type: Model) -> Model {
        if chance(25) { return type }
        switch type {
        case .scalar(let name) where chance(70):
            let others = Reference.scalars.filter { Reference.verdict(.scalar(name), .scalar($0)) != .none }
            let other = Model.scalar(element(of: others))
            return chance(20) ? .optional(other) : other
        case .raw(let raw) where chance(70): return chance(50) ? .scalar(raw) : neighbor(of: .scalar(raw))
        case .optional(let wrapped):
            let other = neighbor(of: wrapped)
            if case .enclosing = other { return .optional(other) }
            return chance(other.isOptional ? 70 : 30) ? other : .optional(other)
        case .array(let element): return .array(neighbor(of: element))
        case .set(let element): return chance(50) ? .set(plainNeighbor(of: element)) : .array(neighbor(of: element))
        case .dictionary(let value): return .dictionary(neighbor(of: value))
        case .record(let fields):
            // A value takes at least one byte.
            let new = neighbors(of: fields, adding: "d")
            return .record(new.isEmpty ? fields : new)
        case .enclosing: return chance(20) ? .optional(type) : type
        case .enumeration(let cases): return .enumeration(neighbors(of: cases))
        default: return self.type(depth: 1)
        }
    }

    /// Returns a similar type that converts there and back without loss: records keep their fields.
    mutating func losslessNeighbor(of type: Model) -> Model {
        switch type {
        case .record, .enumeration, .enclosing: type
        case .array(let element): .array(losslessNeighbor(of: element))
        case .dictionary(let value): .dictionary(losslessNeighbor(of: value))
        case .optional(let wrapped): .optional(losslessNeighbor(of: wrapped))
        default: neighbor(of: type)
        }
    }

    private mutating func neighbors(of cases: [Model.Case]) -> [Model.Case] {
        var new: [Model.Case] = []
        for element in chance(30) ? cases.shuffled(using: &generator) : cases where chance(90) {
            var values: [Model.Value] = []
            for value in chance(20) ? element.values.shuffled(using: &generator) : element.values {
                let label = chance(70) ? value.label : value.label == nil ? self.element(of: ["l", "p"]) : nil
                let type = chance(30) ? value.type : neighbor(of: value.type)
                let isTaken = label != nil && values.contains { $0.label == label }
                values.append(Model.Value(label: isTaken ? nil : label, type: type))
            }
            if chance(20), !values.isEmpty { values.remove(at: Int.random(in: values.indices, using: &generator)) }
            if chance(20) {
                values.append(Model.Value(label: chance(50) ? "q" : nil, type: .optional(.scalar("Int8"))))
            }
            new.append(Model.Case(name: element.name, values: values))
        }
        if chance(40) { new.append(Model.Case(name: "z", values: [])) }
        return new.isEmpty ? cases : new
    }

    // MARK: Values

    /// - Parameter outside: The records and enums that contain the value, the outermost first.
    mutating func value(of type: Model, in outside: [Model] = [], depth: Int = 0) -> FieldValue {
        switch type {
        case .optional(let wrapped):
            if depth > 8 || chance(30) { return .null }
            let value = value(of: wrapped, in: outside, depth: depth + 1)
            return wrapped.isOptional ? .some(value) : value
        case .array(let element): return .array(values(of: element, in: outside, depth: depth + 1))
        case .set(let element): return .array(distinct(values(of: element, in: outside, depth: depth + 1)))
        case .dictionary(let value):
            let keys = distinct(values(of: .scalar("String"), in: [], depth: depth))
            var entries: [FieldValue.Entry] = []
            for key in keys {
                let value = self.value(of: value, in: outside, depth: depth + 1)
                entries.append(FieldValue.Entry(key: key, value: value))
            }
            return .dictionary(entries)
        case .record(let fields): return .record(values(of: fields, in: outside + [type], depth: depth + 1))
        case .enumeration(let cases):
            let chosen = element(of: cases)
            var values: [FieldValue.AssociatedValue] = []
            for part in chosen.values {
                let value = value(of: part.type, in: outside + [type], depth: depth + 1)
                values.append(FieldValue.AssociatedValue(label: part.label, value: value))
            }
            return .enumeration(chosen.name, values)
        case .enclosing(let level):
            return value(of: outside[outside.count - level], in: Array(outside.dropLast(level)), depth: depth)
        case .scalar(let name), .raw(let name): return scalar(name)
        }
    }

    private mutating func values(of type: Model, in outside: [Model], depth: Int) -> [FieldValue] {
        guard depth < 8 else { return [] }
        return (0..<Int.random(in: 0...3, using: &generator)).map { _ in value(of: type, in: outside, depth: depth) }
    }

    private func distinct(_ values: [FieldValue]) -> [FieldValue] {
        values.enumerated().filter { index, value in !values[..<index].contains(value) }.map(\.element)
    }

    mutating func values(of fields: [Model.Field], in outside: [Model] = [], depth: Int = 0) -> StoredFields {
        StoredFields(fields.map { StoredFields.Field($0.name, value(of: $0.type, in: outside, depth: depth)) })
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
                element(of: ["", "0", "-1", "200", "0.1", "0.5", "1.0", "0.0", "-0.0", "+1", "01", "true", "inf", "é"]))
        case "UUID":
            let last = UInt8.random(in: 0...9, using: &generator)
            return .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, last)))
        case "Date": return .date(Date(timeIntervalSinceReferenceDate: element(of: [0, -0.5, 1e9])))
        case "Data": return .data(element(of: [[], [0], [1, 2, 3]]))
        default: return .decimal(Decimal(element(of: [0, -7, 1_000_000])))
        }
    }
}
