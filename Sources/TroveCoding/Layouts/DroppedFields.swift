// The fields of an old layout that have no place in a new layout, at any depth: a migration drops their values.

/// The fields that a conversion drops, and a search for their values in a record.
package struct DroppedFields: Sendable {
    /// The paths of the fields, such as `remarks` or `homes.city`.
    package private(set) var names: [String] = []
    /// The parts of a record that may contain them.
    private var root: [Int: Part] = [:]

    /// A part of a value that is dropped, or that contains dropped fields.
    private indirect enum Part: Sendable {
        /// The part is dropped itself. The number is the index of its name.
        case whole(Int)
        /// The elements of an array or a set, or the values of a dictionary.
        case elements(Part)
        /// The fields of a record, by index.
        case record([Int: Part])
        /// The associated values of an enum's cases, by index.
        case cases([String: [Int: Part]])
        /// The record or enum a number of levels up.
        case enclosing(Int)
        /// The keys of other records, some of which may be dropped. The number is the index of the field's name.
        case references(Int, ReferenceConversion)
        /// The keys of other records, all of which are dropped. A list without keys is no value.
        case allReferences(Int)
    }

    /// - Parameters:
    ///   - old: The old components and fields.
    ///   - matches: The sources of the new components and fields.
    /// - Throws: ``ConversionError`` for types without a conversion.
    init(from old: [LayoutField], _ matches: [FieldMatch]) throws(ConversionError) {
        root = try record(old, matches, in: "")
    }

    // MARK: Planning

    private mutating func whole(_ name: String) -> Part {
        names.append(name)
        return .whole(names.count - 1)
    }

    private mutating func record(
        _ old: [LayoutField], _ matches: [FieldMatch], in path: String
    ) throws(ConversionError) -> [Int: Part] {
        var parts: [Int: Part] = [:]
        for (index, field) in old.enumerated() {
            let users = matches.filter { $0.source == index }
            if let user = users.first?.field, let rule = user.rule.references,
                let references = ReferenceConversion(from: field.type, to: user.type, rule)
            {
                if references.mayDropKeys, rule.countsDroppedKeys {
                    names.append(path + field.name)
                    parts[index] = .references(names.count - 1, references)
                }
                continue
            }
            if users.isEmpty, field.rule.references != nil {
                names.append(path + field.name)
                parts[index] = .allReferences(names.count - 1)
                continue
            }
            parts[index] =
                users.isEmpty
                ? whole(path + field.name)
                : try part(field.type, users[0].field.type, at: path + field.name)
        }
        return parts
    }

    /// Returns the part of a value that is converted; nil if nothing in it is dropped.
    private mutating func part(
        _ old: LayoutType, _ new: LayoutType, at path: String
    ) throws(ConversionError) -> Part? {
        if old == new, old.reach == 0 { return nil }
        switch (old, new) {
        case (.optional(let wrapped), .optional(let other)): return try part(wrapped, other, at: path)
        case (_, .optional(let other)): return try part(old, other, at: path)
        case (.optional(let wrapped), _): return try part(wrapped, new, at: path)
        case (.array(let element), .array(let other)), (.set(let element), .array(let other)),
            (.set(let element), .set(let other)), (.dictionary(_, let element), .dictionary(_, let other)):
            return try part(element, other, at: path).map { .elements($0) }
        case (.record(let fields), .record(let others)):
            let parts = try record(fields, FieldMatch.all(from: fields, to: others), in: path + ".")
            return parts.isEmpty ? nil : .record(parts)
        case (.enumeration(let cases), .enumeration(let others)):
            let parts = try self.cases(cases, others, at: path)
            return parts.isEmpty ? nil : .cases(parts)
        case (.enclosing(let level), .enclosing): return .enclosing(level)
        default: return nil
        }
    }

    private mutating func cases(
        _ cases: [LayoutCase], _ others: [LayoutCase], at path: String
    ) throws(ConversionError) -> [String: [Int: Part]] {
        var result: [String: [Int: Part]] = [:]
        for old in cases {
            // A value of a removed case is not dropped: it does not convert.
            guard let new = others.first(where: { $0.name == old.name }) else { continue }
            let sources = ValueConversion.sources(of: new.values, in: old.values)
            var parts: [Int: Part] = [:]
            for (index, value) in old.values.enumerated() {
                let name = path + "." + old.name + "." + (value.label ?? "\(index)")
                if let user = sources.firstIndex(of: index) {
                    parts[index] = try part(value.type, new.values[user].type, at: name)
                } else {
                    parts[index] = whole(name)
                }
            }
            if !parts.isEmpty { result[old.name] = parts }
        }
        return result
    }

    // MARK: Searching

    /// Returns the indices in ``names`` of the fields that have a value in a record. Nil is no value.
    ///
    /// - Parameter record: The key components and the fields of the old layout.
    package func found(in record: StoredFields) -> Set<Int> {
        var found: Set<Int> = []
        search(record, for: root, within: [], into: &found)
        return found
    }

    /// - Parameter enclosing: The parts that contain the record, the outermost first.
    private func search(
        _ record: StoredFields, for parts: [Int: Part], within enclosing: [Part], into found: inout Set<Int>
    ) {
        for (index, part) in parts where record.fields.indices.contains(index) {
            search(record.fields[index].value, for: part, within: enclosing, into: &found)
        }
    }

    private func search(_ value: FieldValue, for part: Part, within enclosing: [Part], into found: inout Set<Int>) {
        switch (part, value) {
        case (_, .null): break
        case (.whole(let name), _): found.insert(name)
        case (.allReferences(let name), _):
            if !value.referencedKeys.isEmpty { found.insert(name) }
        case (.references(let name, let references), _):
            if references.dropsKeys(of: value) { found.insert(name) }
        case (_, .some(let inner)): search(inner, for: part, within: enclosing, into: &found)
        case (.elements(let part), .array(let elements)):
            for element in elements { search(element, for: part, within: enclosing, into: &found) }
        case (.elements(let part), .dictionary(let entries)):
            for entry in entries { search(entry.value, for: part, within: enclosing, into: &found) }
        case (.record(let parts), .record(let record)):
            search(record, for: parts, within: enclosing + [part], into: &found)
        case (.cases(let cases), .enumeration(let name, let values)):
            for (index, inner) in cases[name] ?? [:] where values.indices.contains(index) {
                search(values[index].value, for: inner, within: enclosing + [part], into: &found)
            }
        case (.enclosing(let level), _) where level <= enclosing.count:
            search(value, for: enclosing[enclosing.count - level], within: enclosing.dropLast(level), into: &found)
        default: break
        }
    }
}
