// How a record of one layout becomes one of another: by the names of its fields.

/// What happens to one property when records of one layout become records of another.
public struct FieldChange: Hashable, Sendable {
    /// What happens.
    public enum Kind: Hashable, Sendable {
        /// The field is new: old records get nil.
        case addedAsNil
        /// The field is new: old records get its default value.
        case addedWithDefault
        /// The field is gone, and with it what was stored in it.
        case removed
        /// The field has another name.
        case renamed(from: String)
        /// The field has another type. `canFail` says whether there are values for which that is not possible.
        case converted(from: LayoutType, to: LayoutType, canFail: Bool)
    }

    /// The name of the field, the new one where there are two.
    public var name: String
    /// What happens to it.
    public var kind: Kind
}

extension FieldChange: CustomStringConvertible {
    /// One line, as a person would read it.
    public var description: String {
        switch kind {
        case .addedAsNil: "\(name) is new: nil in old records"
        case .addedWithDefault: "\(name) is new: its default in old records"
        case .removed: "\(name) is removed, with what is stored in it"
        case .renamed(let old): "\(name) was named \(old)"
        case .converted(let old, let new, let canFail):
            "\(name) was \(old), is \(new)" + (canFail ? ", where each value can be converted" : "")
        }
    }
}

/// Converts the records of one layout into those of another.
public struct RecordConversion: Sendable {
    /// Makes the value that a field takes where there was none, for each record anew.
    public typealias DefaultValue = @Sendable () throws(CodingError) -> FieldValue

    /// What is known of a field beyond its layout.
    public struct Rule: Sendable {
        /// The name that the field had.
        public var oldName: String?
        /// Makes its value where there was none.
        public var makeDefault: DefaultValue?

        /// Makes a rule.
        public init(oldName: String? = nil, makeDefault: DefaultValue? = nil) {
            self.oldName = oldName
            self.makeDefault = makeDefault
        }
    }

    /// What happens to each field to which something happens, in the order of the new layout; those that go come last.
    public let changes: [FieldChange]
    private let steps: [Step]

    private struct Step: Sendable {
        var name: String
        /// Which of the old values; nil for a new field.
        var source: Int?
        var conversion: ValueConversion
        var makeDefault: DefaultValue?
    }

    /// Whether there are records that cannot be converted.
    public var canFail: Bool { steps.contains { $0.conversion.canFail } }

    /// Finds the conversion.
    ///
    /// - Parameters:
    ///   - old: The layout with which records were written.
    ///   - new: The layout that they are to have.
    ///   - rules: What is known of the new layout's fields, by name.
    /// - Throws: ``ConversionError`` at the first field for which there is none.
    public init(
        from old: RecordLayout, to new: RecordLayout, rules: [String: Rule] = [:]
    ) throws(ConversionError) {
        self = try Self.find(from: old.key + old.fields, to: new.key + new.fields, rules)
    }

    private init(_ steps: [Step], _ changes: [FieldChange]) {
        self.steps = steps
        self.changes = changes
    }

    private static func find(
        from old: [LayoutField], to new: [LayoutField], _ rules: [String: Rule]
    ) throws(ConversionError) -> RecordConversion {
        var (steps, changes): ([Step], [FieldChange]) = ([], [])
        var used: Set<Int> = []
        for field in new {
            let rule = rules[field.name]
            let source =
                old.firstIndex { $0.name == field.name }
                ?? rule?.oldName.flatMap { name in old.firstIndex { $0.name == name } }
            guard let source else {
                steps.append(try addition(field, rule, &changes))
                continue
            }
            used.insert(source)
            let (oldName, oldType) = (old[source].name, old[source].type)
            guard var conversion = ValueConversion(from: oldType, to: field.type) else {
                throw ConversionError(field: field.name, reason: .differentTypes(from: oldType, to: field.type))
            }
            if oldName != field.name { changes.append(FieldChange(name: field.name, kind: .renamed(from: oldName))) }
            // Where nil is still possible, it stays; else it takes the default.
            let makeDefault = field.type.isOptional ? nil : rule?.makeDefault
            if case .optional(let wrapped) = oldType, makeDefault != nil,
                let inner = ValueConversion(from: wrapped, to: field.type)
            {
                conversion = ValueConversion(canFail: inner.canFail, conversion.convert)
            }
            if oldType != field.type {
                let kind = FieldChange.Kind.converted(from: oldType, to: field.type, canFail: conversion.canFail)
                changes.append(FieldChange(name: field.name, kind: kind))
            }
            steps.append(Step(name: field.name, source: source, conversion: conversion, makeDefault: makeDefault))
        }
        for (index, field) in old.enumerated() where !used.contains(index) {
            changes.append(FieldChange(name: field.name, kind: .removed))
        }
        return RecordConversion(steps, changes)
    }

    private static func addition(
        _ field: LayoutField, _ rule: Rule?, _ changes: inout [FieldChange]
    ) throws(ConversionError) -> Step {
        if let makeDefault = rule?.makeDefault {
            changes.append(FieldChange(name: field.name, kind: .addedWithDefault))
            return Step(name: field.name, source: nil, conversion: .identity, makeDefault: makeDefault)
        }
        guard field.type.isOptional else { throw ConversionError(field: field.name, reason: .noDefault) }
        changes.append(FieldChange(name: field.name, kind: .addedAsNil))
        return Step(name: field.name, source: nil, conversion: .identity, makeDefault: nil)
    }

    /// The values of a record in the new layout.
    ///
    /// - Parameter old: The values of the key and the fields in the old layout, in its order.
    /// - Throws: ``ConversionError`` with the field whose value cannot be converted.
    public func convert(_ old: StoredFields) throws(ConversionError) -> StoredFields {
        try convert(old, in: [])
    }

    /// - Parameter enclosing: The conversions of the records and enums that contain this one, the outermost first.
    fileprivate func convert(
        _ old: StoredFields, in enclosing: [ValueConversion]
    ) throws(ConversionError) -> StoredFields {
        var new = StoredFields()
        new.fields.reserveCapacity(steps.count)
        for step in steps {
            do throws(CodingError) {
                new.fields.append(StoredFields.Field(step.name, try value(of: step, old, enclosing)))
            } catch {
                throw ConversionError(field: step.name, reason: .value(error))
            }
        }
        return new
    }

    private func value(
        of step: Step, _ old: StoredFields, _ enclosing: [ValueConversion]
    ) throws(CodingError) -> FieldValue {
        guard let source = step.source, old.fields.indices.contains(source) else {
            return try step.makeDefault?() ?? .null
        }
        let value = old.fields[source].value
        if value == .null, let makeDefault = step.makeDefault { return try makeDefault() }
        return try step.conversion.convert(value, enclosing)
    }

    /// The conversion of nested records, which have no rules of their own.
    static func fields(_ old: [LayoutField], _ new: [LayoutField]) -> ValueConversion? {
        do throws(ConversionError) {
            return ValueConversion(record: try find(from: old, to: new, [:]))
        } catch {
            return nil
        }
    }
}

extension ValueConversion {
    fileprivate init(record conversion: RecordConversion) {
        let convert: Conversions.Conversion = { (value, enclosing) throws(CodingError) in
            guard case .record(let list) = value else { throw Conversions.failure(value, "a record") }
            do throws(ConversionError) {
                return .record(try conversion.convert(list, in: enclosing + [ValueConversion(record: conversion)]))
            } catch {
                throw error.asCodingError
            }
        }
        self.init(canFail: conversion.canFail, convert)
    }
}
