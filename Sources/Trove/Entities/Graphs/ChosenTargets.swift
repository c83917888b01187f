// The targets that each owner gets, after filter, order and page.

import TroveCoding

/// For each owner, the indices of its targets among some values.
@usableFromInline
struct ChosenTargets {
    /// The indices of all owners, one list after the other.
    @usableFromInline private(set) var indices: [Int32] = []
    @usableFromInline private(set) var ends: [Int] = []
    /// Whether each list lacks links of its owner.
    @usableFromInline private(set) var areParts: [Bool] = []
    /// Whether the page of an owner lacks targets only because too few of its links have been read.
    private(set) var needsLinks = false

    /// Chooses all links.
    init(_ lists: TargetLists) {
        indices = (0..<Int32(lists.keys.count)).map(\.self)
        (ends, areParts) = (lists.ends, lists.areCut)
    }

    /// Chooses the links to found targets.
    ///
    /// - Parameters:
    ///   - places: For each link, the index of its target among distinct keys.
    ///   - found: The targets found among these keys.
    ///   - offset: The number of targets of each owner to skip.
    ///   - limit: The maximum number of targets of an owner; nil for no limit.
    ///   - first: The key of the link after which each list begins; nil at the beginning.
    /// - Throws: ``StoreError/QueryError/noContinuation(type:key:)`` if a list lacks that link.
    init(
        _ lists: TargetLists, _ places: [Int32], _ found: FoundTargets, offset: Int, limit: Int?,
        after first: [UInt8]?, of schema: RecordSchema
    ) throws {
        indices.reserveCapacity(places.count)
        ends.reserveCapacity(lists.count)
        areParts.reserveCapacity(lists.count)
        for owner in 0..<lists.count {
            let start = indices.count
            for link in try lists.links(of: owner, after: first, schema) {
                let index = found.indices[Int(places[link])]
                if index >= 0 { indices.append(index) }
            }
            let isWhole = indices.count - start == lists[owner].count && !lists.areCut[owner]
            if let ranks = found.ranks { indices[start...].sort { ranks[Int($0)] < ranks[Int($1)] } }
            let rest = min(offset, indices.count - start)
            indices.removeSubrange(start..<start + rest)
            let surplus = indices.count - start - min(max(0, limit ?? .max), indices.count - start)
            indices.removeLast(surplus)
            if let limit, lists.areCut[owner], indices.count - start < limit { needsLinks = true }
            ends.append(indices.count)
            areParts.append(!isWhole || rest > 0 || surplus > 0)
        }
    }

    /// The number of owners.
    var count: Int { ends.count }

    /// The indices of an owner's targets.
    @inlinable
    subscript(owner: Int) -> ArraySlice<Int32> { indices[(owner == 0 ? 0 : ends[owner - 1])..<ends[owner]] }

    /// Gives the chosen values new numbers, without gaps.
    ///
    /// - Parameter count: The number of values.
    /// - Returns: The indices of the chosen values, ascending.
    mutating func renumber(_ count: Int) -> [Int32] {
        var numbers = [Int32](repeating: -1, count: count)
        for index in indices { numbers[Int(index)] = 0 }
        let chosen = numbers.indices.filter { numbers[$0] == 0 }.map(Int32.init)
        for (number, index) in chosen.enumerated() { numbers[Int(index)] = Int32(number) }
        for place in indices.indices { indices[place] = numbers[Int(indices[place])] }
        return chosen
    }
}
