// Stored values from JSON: the inverse of `JSONText.swift`, which has the forms.

extension RecordLayout {
    /// Reads a record from JSON, in the form in which ``StoredFields/json`` writes it.
    ///
    /// Fields may be in any order. A missing optional is nil.
    ///
    /// - Parameter json: An object with the key components and the other fields.
    /// - Returns: The components of the key, then the fields.
    /// - Throws: ``JSONError`` with the field and the expected value.
    public func read(json: String) throws(JSONError) -> StoredFields {
        try read(json: json, convertingParts: false)
    }

    /// Reads a record from JSON, in the form in which ``StoredFields/json`` writes it.
    ///
    /// - Parameters:
    ///   - json: An object with the key components and the other fields.
    ///   - convertingParts: Whether the structs in the fields may be of older or newer versions. Then other members are
    ///     skipped, and a missing member has the value of an old name, or the default of its field.
    package func read(json: String, convertingParts: Bool) throws(JSONError) -> StoredFields {
        var values = OpenJSON(json, convertingParts: convertingParts)
        let record = try values.readRecord(key + fields)
        guard case .record(var list) = record else { return StoredFields() }
        for (index, field) in (key + fields).enumerated() {
            list.fields[index] = StoredFields.Field(field.name, list.fields[index].value, field.type)
        }
        return list
    }
}

/// The values whose parts are being read, each inside the previous value: a list as in reading of bytes.
private struct OpenJSON {
    private var reader: JSONReader
    private var list: [OpenPart] = []
    /// Whether records in the fields may be of other versions.
    private let convertingParts: Bool

    init(_ json: String, convertingParts: Bool) {
        reader = JSONReader(json)
        self.convertingParts = convertingParts
    }

    mutating func readRecord(_ fields: [LayoutField]) throws(JSONError) -> FieldValue {
        do throws(JSONError) {
            try reader.expect("{", "an object")
            list.append(OpenPart(.record(fields), in: Nesting()))
            let value = try readParts()
            try reader.finish()
            return value
        } catch {
            var error = error
            error.field = list.map(\.label).filter { !$0.isEmpty }.reduce("") { path, label in
                path + (path.isEmpty || label.hasPrefix("[") ? "" : ".") + label
            }
            throw error
        }
    }

    private mutating func readParts() throws(JSONError) -> FieldValue {
        while true {
            let last = list.count - 1
            if let type = try list[last].nextType(&reader) {
                if let part = try begin(type, in: list[last].nesting) { try list[last].append(part, reader) }
            } else {
                let value = list[last].value
                list.removeLast()
                if list.isEmpty { return value }
                try list[last - 1].append(value, reader)
            }
        }
    }

    /// Reads a value without parts, or opens a value with parts and returns nil.
    private mutating func begin(_ type: LayoutType, in nesting: Nesting) throws(JSONError) -> FieldValue? {
        let (type, nesting) = try checked { () throws(CodingError) in try nesting.resolved(type, at: 0) }
        if case .optional(let wrapped) = type {
            if reader.takeNull() { return .null }
            let inside = try checked { () throws(CodingError) in try nesting.inside(type, at: 0) }
            guard wrapped.hasJSONNull else { return try begin(wrapped, in: inside) }
            try reader.expect("[", "null or a value in brackets")
            list.append(OpenPart(type, in: inside))
            return nil
        }
        guard type.hasParts else { return try plain(type) }
        let inside = try checked { () throws(CodingError) in try nesting.inside(type, at: 0) }
        if case .enumeration(let cases) = type { return try beginCase(of: cases, type, inside) }
        let isObject = if case .dictionary(let key, _) = type { key.isText } else { type.isRecord }
        try reader.expect(isObject ? "{" : "[", isObject ? "an object" : "an array")
        list.append(OpenPart(type, in: inside, isConverted: convertingParts && type.isRecord))
        return nil
    }

    /// Reads a case without associated values, or opens a case with values.
    private mutating func beginCase(
        of cases: [LayoutCase], _ type: LayoutType, _ nesting: Nesting
    ) throws(JSONError) -> FieldValue? {
        let start = reader
        let hasValues = reader.take("{")
        let name = try reader.string("a case of the enum")
        guard let index = cases.firstIndex(where: { $0.name == name && $0.values.isEmpty != hasValues }) else {
            let names = cases.map { $0.values.isEmpty ? $0.name : "{“\($0.name)”:{…}}" }.joined(separator: ", ")
            reader = start
            _ = reader.peek()
            throw reader.mismatch("a case of the enum: \(names)")
        }
        guard hasValues else { return .enumeration(name, []) }
        try reader.expect(":")
        try reader.expect("{", "an object with the associated values")
        list.append(OpenPart(type, in: nesting, caseIndex: index))
        return nil
    }

    private mutating func plain(_ type: LayoutType) throws(JSONError) -> FieldValue {
        _ = reader.peek()
        let start = reader
        switch type {
        case .scalar(let scalar):
            if let token = try reader.scalar(), let value = scalar.type.fieldValue(of: token) { return value }
            let found = reader.text(since: start)
            reader = start
            throw reader.mismatch("\(type)", found: found)
        case .json: return .json(try json())
        default: throw reader.mismatch("a type that can be read without its program, instead of \(type)")
        }
    }

    /// Reads the stored text of a `Codable` type.
    private mutating func json() throws(JSONError) -> String {
        let json = try reader.json()
        guard json.hasPrefix("{\"\(FieldValue.jsonTextMember)\":") else { return json }
        var wrapper = JSONReader(json)
        try wrapper.expect("{")
        _ = try wrapper.string("a member")
        try wrapper.expect(":")
        let text = try wrapper.string("the stored text")
        try wrapper.expect("}")
        return text
    }

    private func checked<R>(_ body: () throws(CodingError) -> R) throws(JSONError) -> R {
        do throws(CodingError) {
            return try body()
        } catch {
            throw reader.mismatch("a value of its layout: \(error)")
        }
    }
}

/// A value whose parts are being read.
private struct OpenPart {
    /// The levels around its parts.
    let nesting: Nesting
    /// The field or the index of the part being read; empty between parts.
    private(set) var label = ""
    private let type: LayoutType
    private let caseIndex: Int
    /// The parts of a record or an enum, with their names; nil for other types.
    private let members: [LayoutField]?
    /// Whether the record may be of another version.
    private let isConverted: Bool
    /// The ranks of the names under which the parts of such a record were read.
    private var ranks: [Int: Int] = [:]
    /// The parts of a record or an enum by their places, nil if not yet read; else the parts so far.
    private var parts: [FieldValue?] = []
    private var place = 0
    private var isFirst = true
    private var keys: Set<[UInt8]> = []
    private var distinct = DistinctValues()

    init(_ type: LayoutType, in nesting: Nesting, caseIndex: Int = 0, isConverted: Bool = false) {
        self.type = type
        self.nesting = nesting
        self.caseIndex = caseIndex
        self.isConverted = isConverted
        members =
            switch type {
            case .record(let fields): fields
            case .enumeration(let cases):
                cases[caseIndex].values.enumerated().map { index, value in
                    LayoutField(value.label ?? "_\(index)", value.type)
                }
            default: nil
            }
        if let members { parts = Array(repeating: nil, count: members.count) }
    }

    /// Reads up to the next part, and returns its layout; nil after the last part.
    mutating func nextType(_ reader: inout JSONReader) throws(JSONError) -> LayoutType? {
        label = ""
        switch type {
        case .record, .enumeration: return try nextMember(&reader)
        case .dictionary(let key, let value):
            if parts.count % 2 == 1 { return try entryValue(value, isObject: key.isText, &reader) }
            if !key.isText, !parts.isEmpty { try reader.expect("]", "the end of a key and its value") }
            guard try takesNext(closing: key.isText ? "}" : "]", &reader) else { return nil }
            if !key.isText { try reader.expect("[", "an array of a key and its value") }
            label = "[\(parts.count / 2)]"
            return key
        case .tuple(let types):
            if parts.count == types.count {
                try reader.expect("]", "the end of an array of \(types.count)")
                return nil
            }
            if !parts.isEmpty { try reader.expect(",", "an array of \(types.count)") }
            label = "[\(parts.count)]"
            return types[parts.count]
        case .optional(let wrapped):
            if parts.isEmpty { return wrapped }
            try reader.expect("]", "the end of an array of one")
            return nil
        case .array(let element), .set(let element):
            guard try takesNext(closing: "]", &reader) else { return nil }
            label = "[\(parts.count)]"
            return element
        default: return nil
        }
    }

    private mutating func entryValue(
        _ type: LayoutType, isObject: Bool, _ reader: inout JSONReader
    ) throws(JSONError) -> LayoutType {
        label = "[\(parts.count / 2)]"
        try reader.expect(isObject ? ":" : ",", "the key's value")
        return type
    }

    /// Moves past a comma, or past the end of the list. Returns whether another part follows.
    private mutating func takesNext(closing end: Unicode.Scalar, _ reader: inout JSONReader) throws(JSONError) -> Bool {
        defer { isFirst = false }
        if reader.take(end) { return false }
        if !isFirst { try reader.expect(",", "“,” or “\(end)”") }
        return true
    }

    private mutating func nextMember(_ reader: inout JSONReader) throws(JSONError) -> LayoutType? {
        guard let members else { return nil }
        while try takesNext(closing: "}", &reader) {
            _ = reader.peek()
            let start = reader
            let name = try reader.string("the name of a field")
            if let index = index(ofMember: name, in: members) {
                place = index
                label = name
                try reader.expect(":")
                return members[index].type
            }
            let isTwice = members.contains { $0.name == name }
            guard isConverted, !isTwice else {
                reader = start
                let names = members.map(\.name).joined(separator: ", ")
                label = name
                throw reader.mismatch(isTwice ? "the field once" : names.isEmpty ? "no field" : "a field of: \(names)")
            }
            try reader.expect(":")
            _ = try reader.json()
        }
        for (index, member) in members.enumerated() where parts[index] == nil {
            parts[index] = try missing(member, reader)
        }
        if type.isRecord { return nil }
        try reader.expect("}", "the end of the case")
        return nil
    }

    /// Returns the index of the member to which a value belongs; nil if there is none, or if it has a value already.
    private mutating func index(ofMember name: String, in members: [LayoutField]) -> Int? {
        guard isConverted else { return members.indices.first { members[$0].name == name && parts[$0] == nil } }
        let own = members.firstIndex { $0.name == name }
        guard let index = own ?? members.firstIndex(where: { $0.rule.oldNames.contains(name) }) else { return nil }
        // Of several names of a member, the newest counts.
        let rank = own != nil ? .max : members[index].rule.oldNames.firstIndex(of: name) ?? 0
        guard rank > ranks[index] ?? -1 else { return nil }
        ranks[index] = rank
        return index
    }

    /// Returns the value of a member that the text lacks.
    private mutating func missing(_ member: LayoutField, _ reader: JSONReader) throws(JSONError) -> FieldValue {
        label = member.name
        if isConverted, let rule = member.rule.defaultValue {
            do throws(CodingError) {
                return try rule.fieldValueMaker()()
            } catch {
                throw reader.mismatch("a value of its layout: \(error)")
            }
        }
        guard case .optional = member.type else {
            throw reader.mismatch("\(member.type), and the field is missing")
        }
        return .null
    }

    /// Adds the part that was read.
    mutating func append(_ part: FieldValue, _ reader: JSONReader) throws(JSONError) {
        switch type {
        case .record, .enumeration:
            parts[place] = part
            return
        case .dictionary(let key, _) where parts.count % 2 == 0: try checkIsNew(part, as: key, reader)
        case .set(let element): try checkIsNew(part, as: element, reader)
        default: break
        }
        parts.append(part)
    }

    private mutating func checkIsNew(
        _ part: FieldValue, as type: LayoutType, _ reader: JSONReader
    ) throws(JSONError) {
        guard distinct.insert(part, as: type) else { throw reader.mismatch("each key and element once") }
        guard type.reach == 0 else { return }
        var bytes: [UInt8] = []
        do throws(CodingError) {
            try part.write(as: type, into: &bytes)
        } catch {
            throw reader.mismatch("a value of \(type): \(error)")
        }
        guard keys.insert(bytes).inserted else { throw reader.mismatch("each key and element once") }
    }

    /// The value with all of its parts.
    var value: FieldValue {
        let parts = parts.compactMap(\.self)
        switch type {
        case .optional(let wrapped):
            guard let part = parts.first else { return .null }
            return wrapped.hasNull ? .some(part) : part
        case .dictionary:
            let entries = stride(from: 0, to: parts.count, by: 2).map { index in
                FieldValue.Entry(key: parts[index], value: parts[index + 1])
            }
            return .dictionary(entries)
        case .record(let fields):
            return .record(StoredFields(zip(fields, parts).map { StoredFields.Field($0.name, $1) }))
        case .enumeration(let cases):
            let values = zip(cases[caseIndex].values, parts).map { layout, part in
                FieldValue.AssociatedValue(label: layout.label, value: part)
            }
            return .enumeration(cases[caseIndex].name, values)
        default: return .array(parts)
        }
    }
}

extension LayoutType {
    fileprivate var isRecord: Bool { if case .record = self { true } else { false } }
}
