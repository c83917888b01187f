// The test of a filter in a run of a query: properties, closures, and conditions that other tables decide.

import LMDB
import TroveCoding

/// A filter in a single run of a query. Conditions on properties are tested before closures, which decode a record,
/// and before conditions that need a lookup.
enum FilterTest {
    case properties(RunTest)
    case keys(any KeyTest)
    case closure(ClosureCondition)
    case and([FilterTest])
    case or([FilterTest])
    indirect case not(FilterTest)

    /// Creates the test of a filter; nil if every record matches.
    init?(_ filter: FilterTree, in context: ReadContext) throws {
        guard !filter.isOfProperties else {
            guard let test = filter.test() else { return nil }
            self = .properties(test)
            return
        }
        switch filter {
        case .condition(let condition): self = .properties(condition.test())
        case .keys(let condition):
            guard let tested = filter.keyCondition else {
                throw StoreError.query(.notStored(type: "filter", property: condition.plan))
            }
            self = .keys(try tested.test(in: context))
        case .closure(let condition): self = .closure(condition)
        case .and(let parts):
            let parts = parts.all
            let properties = FilterTree.and(FilterParts(parts.filter(\.isOfProperties)))
            let others = parts.filter { !$0.isOfProperties }
            self = .and(try ([properties] + others).compactMap { try FilterTest($0, in: context) })
        case .or(let parts):
            self = .or(
                try parts.all.map { try FilterTest($0, in: context) ?? .properties { run in run.all } })
        case .not(let part):
            self = .not(try FilterTest(part, in: context) ?? .properties { run in run.all })
        }
    }

    /// Whether a record's properties are read.
    var readsProperties: Bool {
        switch self {
        case .properties, .closure: true
        case .keys: false
        case .and(let parts), .or(let parts): parts.contains(where: \.readsProperties)
        case .not(let part): part.readsProperties
        }
    }

    /// Whether other tables are read.
    var readsOtherTables: Bool {
        switch self {
        case .properties, .closure: false
        case .keys: true
        case .and(let parts), .or(let parts): parts.contains(where: \.readsOtherTables)
        case .not(let part): part.readsOtherTables
        }
    }

    /// Returns the matches among some records of a run, a bit each.
    func bits(_ run: inout RecordRun, among candidates: UInt64) throws -> UInt64 {
        switch self {
        case .properties(let test): return try test(&run) & candidates
        case .keys(let test): return try translatingErrors { try test.bits(run, among: candidates) }
        case .closure(let condition): return try condition.bits(&run, candidates)
        case .and(let parts):
            var found = candidates
            for part in parts where found != 0 { found = try part.bits(&run, among: found) }
            return found
        case .or(let parts):
            var found: UInt64 = 0
            for part in parts where found != candidates {
                found |= try part.bits(&run, among: candidates & ~found)
            }
            return found
        case .not(let part): return candidates & ~(try part.bits(&run, among: candidates))
        }
    }
}
