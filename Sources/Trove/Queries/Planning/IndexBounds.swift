// Derives the ranges of a table or index from a filter: equality on the leading components, then a range on the next
// component.
//
//     key (lastName, firstName)
//     lastName == "Dallas" and age > 3             a single range; age remains as a filter
//     lastName within […] and firstName < "Ruby"   a range for each last name
//     lastName == "Dallas" or lastName > "X"       two ranges: both conditions name the same component
//     (lastName == "A" and age > 3) or lastName == "B"    two ranges; the whole filter remains

import TroveCoding

/// The ranges of an access path for some filters: they contain all matches. Filters not expressed by the ranges remain
/// to be tested.
struct IndexBounds {
    private(set) var ranges: [KeyRange] = .everything
    private(set) var used: [FilterTree] = []
    /// The remaining filters, by their positions.
    var rest: [Int]
    /// The number of leading components with a fixed value.
    private(set) var fixedCount = 0
    /// The assumed selectivity: the share of a large table in the ranges.
    private(set) var share = 1.0
    /// Whether the ranges fix the elements of an index of elements. If not, records without elements are missing.
    private(set) var reachesElements = false
    /// Whether the ranges may contain several entries of a record: they allow several elements.
    private(set) var repeatsRecords = false

    /// The maximum number of ranges from several components together.
    private static let rangeLimit = 10_000

    /// Finds the ranges.
    ///
    /// - Parameter elements: The only filter to use on the elements of an index, by its position; nil for the first. A
    ///   record may match two filters by two of its elements, so their ranges have no intersection.
    init(_ filters: [FilterTree], _ path: AccessPath, elements: Int? = nil) {
        rest = Array(filters.indices)
        // The bytes of the components so far; nil before the first.
        var prefixes: [[UInt8]]?
        for component in path.components {
            let isOfElements = component.form == .element
            var bounds: [ByteRanges] = []
            var found: [FilterTree] = []
            var others: [Int] = []
            for place in rest {
                let isOther = isOfElements && (!bounds.isEmpty || elements ?? place != place)
                if !isOther, let next = filters[place].bounds(on: component) {
                    bounds.append(next)
                    found.append(filters[place])
                } else {
                    others.append(place)
                }
            }
            let count = prefixes?.count ?? 1
            guard var admitted = ByteRanges.intersection(of: bounds),
                count * admitted.parts.count <= Self.rangeLimit || count == 1
            else { break }
            if component.isDescending { admitted = admitted.descending() }
            if used.isEmpty { used = found } else { used += found }
            rest = others
            if isOfElements {
                reachesElements = true
                repeatsRecords = admitted.singleValue == nil
            }
            guard let values = admitted.values else {
                let last = admitted.parts.map(\.range)
                ranges = prefixes.map { $0.flatMap { prefix in last.map { $0.prefixed(by: prefix) } } } ?? last
                share *= 0.1
                return
            }
            var longer = values
            if let prefixes {
                longer.removeAll(keepingCapacity: true)
                for prefix in prefixes { for value in values { longer.append(prefix + value) } }
            }
            prefixes = longer
            share *= min(1, 0.01 * Double(values.count))
            if longer.count <= 1 { fixedCount += 1 }
        }
        if let prefixes { ranges = prefixes.map(KeyRange.init(prefix:)) }
        if used.isEmpty { uniteBranches(filters, path) }
    }

    /// Uses the union of the ranges of an `or` if each branch has ranges.
    private mutating func uniteBranches(_ filters: [FilterTree], _ path: AccessPath) {
        for place in rest {
            guard case .or(let branches) = filters[place] else { continue }
            let parts = branches.all.map { IndexBounds($0.conjuncts, path) }
            guard parts.allSatisfy({ !$0.used.isEmpty }) else { continue }
            if path.elements != nil {
                guard parts.allSatisfy(\.reachesElements) else { continue }
                (reachesElements, repeatsRecords) = (true, true)
            }
            ranges = KeyRange.united(parts.flatMap(\.ranges))
            share = min(1, parts.reduce(0) { $0 + $1.share })
            used = parts.map { $0.used.count == 1 ? $0.used[0] : .and(FilterParts($0.used)) }
            if used.count > 1 { used = [.or(FilterParts(used))] }
            if parts.allSatisfy({ $0.rest.isEmpty }) { rest.removeAll { $0 == place } }
            return
        }
    }
}

extension FilterTree {
    /// Returns some parts of a conjunction, by their positions.
    func parts(_ places: [Int]) -> FilterTree {
        if places.isEmpty { return .everything }
        let conjuncts = conjuncts
        if places.count == conjuncts.count { return self }
        return places.count == 1 ? conjuncts[places[0]] : .and(FilterParts(places.map { conjuncts[$0] }))
    }
}

extension KeyRange {
    /// Returns the range of keys that begin with some bytes and continue with bytes of this range.
    func prefixed(by prefix: [UInt8]) -> KeyRange {
        if prefix.isEmpty { return self }
        return KeyRange(lower: prefix + lower, upper: upper.map { prefix + $0 } ?? Self.successor(of: prefix))
    }

    /// Whether a bound is longer than the head of a cut entry.
    var isBeyondHeads: Bool {
        lower.count > IndexEntries.headSize || (upper?.count ?? 0) > IndexEntries.headSize
    }

    /// The range extended to whole heads: it contains every cut entry that may belong to it.
    var overHeads: KeyRange {
        let size = IndexEntries.headSize
        return KeyRange(
            lower: Array(lower.prefix(size)),
            upper: upper.flatMap { $0.count > size ? Self.successor(of: Array($0.prefix(size))) : $0 })
    }
}
