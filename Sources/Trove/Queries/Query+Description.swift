// Queries as text: as a person writes them, as far as their values are known.

import TroveCoding

extension Query: CustomStringConvertible {
    /// The query as Swift, such as `Person.filter(\\.age > 3).sorted(by: \\.name).limit(20)`.
    ///
    /// A closure is printed as `{ … }`.
    public var description: String {
        var text = QueryText(ranges, keyOrder, Record.schema, source: source?.keys.swift)
        if let failure = filter.failure {
            text.call("filter", "/* \(failure) */")
        } else {
            for part in filter.tree.conjuncts { text.call("filter", part.swift) }
        }
        if let otherOrder { text.call("sorted", "by: \(otherOrder.swift)") }
        if !sort.isEmpty { text.call("sorted", "by: " + sort.map(\.swift).joined(separator: ", ")) }
        text.call("unordered", hasScoreOrder || hasOrder ? nil : "")
        text.call("offset", offset > 0 ? "\(offset)" : nil)
        text.call("limit", limit.map(String.init))
        switch continuation {
        case .key(let key)?, .record(let key, _, _)?: text.call("after", "key: " + text.key(key))
        case nil: break
        }
        return text.text + (requests?.swift ?? "")
    }

    /// The calls of a nested query, after its subject.
    var nestedCalls: String {
        let text = description
        for start in ["\(Record.schema.name).query()", Record.schema.name] where text.hasPrefix(start) {
            return String(text.dropFirst(start.count))
        }
        return text
    }
}

extension GroupedQuery: CustomStringConvertible {
    /// The query as Swift, such as `Person.filter(\\.age > 3).grouped(by: \\.name)`.
    public var description: String { "\(query)\(call)" }

    /// The call that groups the records, as Swift.
    var call: String { ".grouped(by: \(terms.map(\.swift).joined(separator: ", ")))" }
}

extension Bound: CustomStringConvertible where Request: CustomStringConvertible {
    /// The request without its context.
    public var description: String { request.description }
}

extension RecordQuery: CustomStringConvertible {
    /// The query as Swift, such as `Person.query(19999)`.
    public var description: String {
        if let list {
            return "\(list.query.withoutRequests).\(list.isLast ? "last" : "first")" + (shape?.nestedCalls ?? "")
        }
        let text = QueryText(.everything, nil, Record.schema)
        let argument = key.map { text.key(KeyWriter.bytes(of: $0)) } ?? ""
        return "\(Record.schema.name).query(\(argument))" + (shape?.nestedCalls ?? "")
    }
}

extension RecordListQuery: CustomStringConvertible {
    /// The query as Swift, such as `Person.query([19999, 20000])`.
    public var description: String {
        let text = QueryText(.everything, nil, Record.schema)
        let arguments = keys.map { text.key(KeyWriter.bytes(of: $0)) }.joined(separator: ", ")
        return "\(Record.schema.name).query([\(arguments)])" + (shape?.nestedCalls ?? "")
    }
}

/// The text of a query: the type, then a chain of calls.
private struct QueryText {
    private let schema: RecordSchema
    private let start: String
    private let source: String?
    private var calls: [String] = []

    /// - Parameter source: The source of the records, as Swift; nil for all records.
    init(_ ranges: [KeyRange], _ order: KeyOrder?, _ schema: RecordSchema, source: String? = nil) {
        self.schema = schema
        self.source = source
        let known = KeyRangeText(ranges, schema)
        let isAll = ranges.isEverything
        let isPlain = isAll && order == nil
        start = isPlain ? "" : ".query(\(isAll ? "" : known?.arguments ?? "…"))"
        let isDescending = !isAll && known?.isDescendingByDefault == true
        if order == .descending && !isDescending { call("order", ".descending") }
        if source != nil && order == .ascending || order != .descending && isDescending { call("order", ".ascending") }
    }

    /// Adds a call, unless its argument is nil.
    mutating func call(_ name: String, _ argument: String?) {
        if let argument { calls.append(".\(name)(\(argument))") }
    }

    /// The type of the records is named by the first call.
    var text: String {
        if let source { return source + calls.joined() }
        let isFilter = calls.first?.hasPrefix(".filter(") == true
        return schema.name + (start.isEmpty && !isFilter ? ".query()" : start) + calls.joined()
    }

    /// Returns a key as an argument.
    func key(_ bytes: [UInt8]) -> String {
        guard let texts = schema.storedKey(bytes).componentTexts else { return "…" }
        return texts.count == 1 ? texts[0] : "Tuple(\(texts.joined(separator: ", ")))"
    }
}

extension SortTerm {
    /// The property as a key path.
    var swift: String {
        do throws(StoreError) {
            return "\\.\(try property().name)\(isDescending ? ".desc" : "")"
        } catch {
            return "/* \(error) */"
        }
    }
}
