// A text query as a source of a query's records, in the order of their numbers. RelevanceSource.swift has the order of
// relevance.

import LMDB
import TroveCoding
import TroveText

/// A text query of a type.
final class TextSource: KeySource {
    private let schema: RecordSchema
    private let clause: TextClause
    /// The name of the index to use; nil for the first that has the query's properties.
    private let index: String?
    private let text: String
    private let failure: StoreError?

    init<Record>(_ query: TextQuery<Record>, index: String?) {
        schema = Record.schema
        clause = query.clause
        failure = query.failure
        text = query.description
        self.index = index
    }

    var plan: String { "words match \(text)" }

    var swift: String { ".matches(\"\(text.replacing("\"", with: "\\\""))\")" }

    /// The share of records that a text query finds is unknown before its words are counted.
    var share: Double { 0.1 }

    func check() throws { if let failure { throw failure } }

    func open(in context: ReadContext) throws -> any OpenKeySource {
        try opened(in: context, RelevanceOrder()) ?? NoTexts()
    }

    /// Returns the source in a transaction, with the weights of an order; nil if the store has no table for the type.
    func opened(in context: ReadContext, _ order: RelevanceOrder) throws -> OpenTextSource? {
        try check()
        try context.flushTexts()
        guard let table = try context.table(for: schema) else { return nil }
        let place = try self.place()
        let declared = schema.indexes[place]
        guard let rule = declared.rule, let text = table.indexes[place].text else {
            throw StoreError.noFullTextIndex(type: schema.name, properties: clause.properties)
        }
        guard table.indexes[place].isReady else {
            throw StoreError.textNotReady(
                type: schema.name, index: declared.text, done: Int(table.indexes[place].state.done),
                total: try context.keyspace.count(table.database))
        }
        let reader = TextReader(text.parts, context.keyspace)
        return OpenTextSource(
            clause, reader, RecordNumbers(text.numbers, context.keyspace), order.parameters(declared), rule, declared,
            schema.name)
    }

    /// Returns the position of the index among the indexes of the type.
    private func place() throws(StoreError) -> Int {
        let properties = clause.properties
        let place = schema.indexes.firstIndex { declared in
            guard declared.kind.isText else { return false }
            if let index { return declared.name == index || declared.text == index }
            return properties.isSubset(of: declared.properties)
        }
        guard let place else { throw .noFullTextIndex(type: schema.name, properties: properties) }
        return place
    }
}

extension TextClause {
    /// The names of all properties in the clause.
    var properties: Set<String> {
        switch self {
        case .nothing, .everything, .phrase, .near, .prefix, .fuzzy: []
        case .all(let clauses), .any(let clauses): clauses.reduce(into: []) { $0.formUnion($1.properties) }
        case .excluding(let clause, let other), .preferring(let clause, let other):
            clause.properties.union(other.properties)
        case .within(let names, let clause): clause.properties.union(names)
        case .boosted(let clause, _): clause.properties
        }
    }
}

/// The texts of a type without records.
private final class NoTexts: OpenKeySource {
    var description: String { "search" }
    var ownerPlan: QueryPlan? { nil }
    var isSingle: Bool { false }
    var isInKeyOrder: Bool { false }

    func contains(_ key: ByteView) throws -> Bool { false }
    func entryCount(atMost limit: Int) throws -> Int { 0 }
    func place(of key: ByteView) throws -> [UInt8]? { nil }
    func walk(after key: [UInt8]?, isDescending: Bool) throws -> (any SourceKeyWalk)? { nil }
}
