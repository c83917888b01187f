// The trigrams of a filter's matches in an index: a condition that is weaker than the filter, or the same.
//
//     title contains "banana" and year > 3      title has ban, ana, nan
//     title contains "apple" or body contains "pear"      title has app, ppl, ple; or body has pea, ear

import LMDB
import TroveCoding

/// The trigrams that each match of a filter has in an index.
indirect enum TrigramFilter: Sendable {
    /// All of some trigrams, in the property with a stored name.
    case trigrams([[UInt8]], property: String)
    case all([TrigramFilter])
    case any([TrigramFilter])

    /// Creates the condition of a normalized filter; nil if records without any trigram may match.
    init?(_ filter: FilterTree, _ path: TrigramPath) {
        switch filter {
        case .condition(let condition):
            guard let pattern = condition.pattern, path.properties.contains(condition.property.name) else { return nil }
            let trigrams = pattern.trigrams(path.analyzer)
            if trigrams.isEmpty { return nil }
            self = .trigrams(trigrams, property: condition.property.name)
        case .keys, .closure, .not: return nil
        case .and(let parts): self.init(all: parts.all, path)
        case .or(let parts):
            let all = parts.all
            let known = all.compactMap { TrigramFilter($0, path) }
            guard !all.isEmpty, known.count == all.count else { return nil }
            self = .any(known)
        }
    }

    /// Creates the condition of filters that must all match.
    init?(all filters: [FilterTree], _ path: TrigramPath) {
        let known = filters.compactMap { TrigramFilter($0, path) }
        guard let first = known.first else { return nil }
        self = known.count == 1 ? first : .all(known)
    }
}

extension TrigramFilter {
    /// The number of trigrams of a pattern to search for, the rarest first. The others would hardly find fewer records,
    /// and each of these is tested.
    static let searchedCount = 4

    /// The maximum number of patterns, so that the trigrams of all of them count in a query.
    static let patternLimit = TextCompiler.wordLimit / searchedCount

    /// The number of patterns.
    var patternCount: Int {
        switch self {
        case .trigrams: 1
        case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.patternCount }
        }
    }

    /// Returns the condition as a query for the rarest trigrams.
    func clause(in reader: TextReader, _ properties: [String]) throws -> TextClause {
        switch self {
        case .trigrams(let trigrams, let property):
            guard let field = properties.firstIndex(of: property) else { return .everything }
            guard let rarest = try Self.rarest(trigrams, in: reader, field) else { return .nothing }
            return .within([property], .joining(all: rarest.map { .phrase(String(decoding: $0, as: UTF8.self)) }))
        case .all(let parts):
            let clauses = try parts.map { try $0.clause(in: reader, properties) }
            return clauses.contains(.nothing) ? .nothing : .joining(all: clauses)
        case .any(let parts):
            return .joining(any: try parts.map { try $0.clause(in: reader, properties) }.filter { $0 != .nothing })
        }
    }

    /// Returns the trigrams that the fewest records have in a field; nil if no record has one of them.
    private static func rarest(_ trigrams: [[UInt8]], in reader: TextReader, _ field: Int) throws -> [[UInt8]]? {
        var counted: [(trigram: [UInt8], count: UInt64)] = []
        for trigram in trigrams {
            guard let number = try ByteView.with(trigram, { try reader.number(of: $0) }),
                let counts = try reader.counts(of: number), counts.byField[field] > 0
            else { return nil }
            counted.append((trigram, counts.byField[field]))
        }
        return counted.sorted { $0.count < $1.count }.prefix(searchedCount).map(\.trigram)
    }
}
