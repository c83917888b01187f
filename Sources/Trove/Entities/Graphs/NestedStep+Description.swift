// Nested requests as text: as lines of a query's plan, and as Swift.
//
//     with User.chats
//       with Chat.messages: filter text != "", sorted by sent descending, limit 20
//         id Message.author

import TroveCoding

extension RelationRequest {
    var lines: [String] {
        let name = "\(Owner.schema.name).\(relation.property)"
        let subject = form.isOfSchema && relation.isToMany ? "all of \(Target.schema.name) for \(name)" : name
        let head = "\(call)\(form.isSlice ? " slice" : "") \(subject)"
        switch content {
        case .bulk(let nested, let filter):
            let forms = nested.isEmpty ? [] : ["all relations as " + nested.map { "\($0)" }.joined(separator: ", ")]
            let parts = (filter.map { ["filter \($0.filter(Target.self))"] } ?? []) + forms
            return [parts.isEmpty ? head : "\(head): \(parts.joined(separator: ", "))"]
        case .query(let query):
            let parts = query.nestedParts
            return [parts.isEmpty ? head : "\(head): \(parts.joined(separator: ", "))"]
                + query.nestedLines.map { "  " + $0 }
        }
    }

    var swift: String {
        let path = "\(form.isSlice ? "slice: " : "")\\.$\(relation.property)"
        switch content {
        case .bulk(let nested, let filter):
            let forms = nested.map { ".\($0)" }.joined(separator: ", ")
            let calls =
                (filter.map { ".filter(\($0))" } ?? "") + (forms.isEmpty ? "" : ".with(\(forms))")
            return ".\(call)(\(path))" + (calls.isEmpty ? "" : " { $0\(calls) }")
        case .query(let query):
            let calls = query.nestedCalls
            return ".\(call)(\(path))" + (calls.isEmpty ? "" : " { $0\(calls) }")
        }
    }

    private var call: String {
        switch form.content {
        case .entities: "with"
        case .fragments: "fragment"
        case .ids: "id"
        }
    }
}

extension Query {
    /// The source, the filter, the order and the page of a nested query.
    fileprivate var nestedParts: [String] {
        var parts: [String] = []
        if !ranges.isEverything { parts.append("keys in \(ranges.count == 1 ? "1 range" : "\(ranges.count) ranges")") }
        if let source { parts.append(source.keys.plan) }
        if !filter.tree.isEverything { parts.append("filter \(filter)") }
        if !sort.isEmpty { parts.append("sorted by \(sort.map(\.text).joined(separator: ", "))") }
        if sort.isEmpty, let keyOrder { parts.append("sorted by key\(keyOrder == .descending ? " descending" : "")") }
        if let otherOrder { parts.append("sorted by \(otherOrder.text)") }
        if continuation != nil { parts.append("after a key") }
        if let limit { parts.append("limit \(limit)") }
        if offset > 0 { parts.append("offset \(offset)") }
        return parts
    }
}

extension SortTerm {
    /// The property and its direction; the error of a property that cannot be read.
    fileprivate var text: String {
        do throws(StoreError) {
            return try property().name + (isDescending ? " descending" : "")
        } catch {
            return "\(error)"
        }
    }
}
