// The ranges of a query's keys as conditions on components of the key, so that indexes serve them too.
//
//     key (lastName, firstName, id)
//     ["Dallas" "Ruby", "Dallas" "Zorg")      lastName == "Dallas" and firstName in a range
//     "Dallas" "A" …, "Dallas" "B" …          lastName == "Dallas" and firstName within "A", "B"
//
// A bound of such a range is whole components, or whole components and a bound of the next component. No component is a
// prefix of a bound, except its own bytes: so the bytes of the component decide alone.

import LMDB
import TroveCoding

extension [KeyRange] {
    /// Returns conditions on components of the key that together have the meaning of the ranges.
    ///
    /// - Returns: Nil if no conditions on single components have that meaning.
    func conditions(on schema: RecordSchema) -> [FilterTree]? {
        let parts = map { KeyRangeParts($0, schema.candidates[0].skips) }
        guard let first = parts.first else { return nil }
        let fixed = first.values.enumerated().map { condition(on: $0, ByteRanges(value: $1), schema) }
        if parts.count == 1 {
            return fixed + (first.rest.map { [condition(on: fixed.count, ByteRanges($0), schema)] } ?? [])
        }
        guard let last = first.values.indices.last,
            parts.allSatisfy({
                $0.rest == nil && $0.values.count == fixed.count && $0.values[..<last] == first.values[..<last]
            }), let values = ByteRanges.union(of: parts.map { ByteRanges(value: $0.values[last]) })
        else { return nil }
        return fixed.dropLast() + [condition(on: last, values, schema)]
    }

    private func condition(on component: Int, _ bounds: ByteRanges, _ schema: RecordSchema) -> FilterTree {
        let skips = schema.key.prefix(component).map(\.skip)
        let skip = schema.key[component].skip
        let property = StoredProperty(name: schema.key[component].name, place: .key(component))
        return .condition(
            Condition(
                property, bounds, field: nil, { [ranges = self] in ConditionText(keyRanges: ranges, component, schema) }
            ) {
                { run throws(CodingError) in
                    run.rewind()
                    for skip in skips { try skip(&run) }
                    let starts = run.offsets
                    try skip(&run)
                    var found: UInt64 = 0
                    for (index, start) in starts.enumerated()
                    where bounds.contains(run.key(at: index)[start..<run.position(at: index)]) {
                        found |= 1 &<< UInt64(index)
                    }
                    return found
                }
            })
    }
}

/// The components that all keys of a range have, and the range of the next component.
private struct KeyRangeParts {
    private(set) var values: [[UInt8]] = []
    /// Nil if the next component can have any value.
    private(set) var rest: KeyRange?

    init(_ range: KeyRange, _ skips: [KeySkip]) {
        var start = 0
        ByteView.with(range.lower) { lower in
            var reader = KeyReader(lower)
            for skip in skips {
                do throws(CodingError) { try skip(&reader) } catch { return }
                let shared = KeyRange(prefix: Array(range.lower[..<reader.offset]))
                guard shared.intersection(range) == range else { return }
                values.append(Array(range.lower[start..<reader.offset]))
                start = reader.offset
            }
        }
        let prefix = Array(range.lower[..<start])
        guard range != KeyRange(prefix: prefix) else { return }
        let end = range.upper.flatMap { $0.starts(with: prefix) ? Array($0[start...]) : nil }
        rest = KeyRange(lower: Array(range.lower[start...]), upper: end)
    }
}

extension ConditionText {
    /// Creates the text of the condition of a query's keys on a component of the key.
    fileprivate init(keyRanges ranges: [KeyRange], _ component: Int, _ schema: RecordSchema) {
        let components = KeyRangeText(ranges, schema)?.components ?? []
        let text = components.indices.contains(component) ? components[component] : "…"
        for (function, symbol) in [
            (".lessThan(", "<"), (".lessThanOrEqual(", "<="), (".greaterThan(", ">"), (".greaterThanOrEqual(", ">="),
            (".within(", "within"), (".hasPrefix(", "hasPrefix"), (".range(", "in"), (".closedRange(", "in"),
        ] where text.hasPrefix(function) {
            self.init(stringLiteral: "\(symbol) \(text.dropFirst(function.count).dropLast())")
            return
        }
        self.init(stringLiteral: "== \(text)")
    }
}
