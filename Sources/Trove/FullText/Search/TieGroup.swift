// The records of equal scores in their order: by key, or by properties and then by key.
//
//     few records     their bytes are read and sorted
//     many records    a walk over all records in the order of their keys, each tested for the score
//
// A walk ends with the last hit that is needed. Where every record has the score, it visits the hits alone, and where
// every tenth record has it, ten records for a hit.

import LMDB
import TroveCoding

/// The order of records with equal scores.
struct TieOrder {
    /// The numbers of all records by key, if the keys decide; nil if other bytes do, or if a scan numbers the records.
    let numbers: RecordNumbers?
    /// The number of records with equal scores that are sorted rather than found by a walk.
    var sortedLimit = 1_024
    /// Returns the bytes of a record that decide between equal scores.
    let tie: (_ id: UInt64) throws -> [UInt8]

    init(_ numbers: RecordNumbers?, tie: @escaping (_ id: UInt64) throws -> [UInt8]) {
        self.numbers = numbers
        self.tie = tie
    }
}

/// The records with a score, in their order.
final class TieGroup {
    /// The number of candidates that cost as much to visit as a record costs to test by a seek.
    private static let seekCost: UInt64 = 64
    /// The number of records on a walk that cost as much as the lookup of a key.
    private static let stepsPerLookup = 16
    private static let firstBatchSize = 16
    private static let greatestBatchSize = 4_096

    private let score: Double
    private let order: TieOrder
    /// Returns a new scorer.
    private let scorer: () throws -> (any TextScorer)?
    /// The numbers and the bytes of the last records that were read.
    private var ids: [UInt64] = []
    private let ties = EntryBuffer()
    /// The hits among them, in order, and the number of hits returned.
    private var hits: [Int] = []
    private var position = 0
    /// The walk; nil if all records were sorted, and at its end.
    private var walk: RecordNumberWalk?
    /// The key of the last record of the walk; nil before the first.
    private var last: [UInt8]?
    private var batchSize = TieGroup.firstBatchSize
    private var testCount: UInt64 = 0
    /// The numbers of all records with the score, once many were tested.
    private var members: RecordNumberSet?

    /// - Parameters:
    ///   - ids: The numbers of all records with the score, ascending; nil if they are unknown.
    ///   - start: The bytes after which to begin; nil for the first record.
    init(
        score: Double, ids: [UInt64]?, after start: [UInt8]?, order: TieOrder,
        scorer: @escaping () throws -> (any TextScorer)?
    ) throws {
        self.score = score
        self.order = order
        self.scorer = scorer
        last = start
        if let ids {
            guard try !sortsFirst(ids.count) else {
                try sort(ids, after: start)
                return
            }
            members = RecordNumberSet(ids)
        }
        walk = try order.numbers?.walk(after: start)
        if walk == nil { try sort(ids ?? allNumbers(), after: start) }
    }

    /// Returns whether so many records are sorted rather than found by a walk.
    private func sortsFirst(_ count: Int) throws -> Bool {
        guard count > order.sortedLimit, let numbers = order.numbers else { return true }
        return try count < numbers.count() / Self.stepsPerLookup
    }

    private func allNumbers() throws -> [UInt64] {
        try scorer().map { try TextSearch($0).numbers(withScore: score) } ?? []
    }

    /// Returns the next record; nil after the last.
    func next() throws -> TextMatch? {
        while position == hits.count { guard try readBatch() else { return nil } }
        defer { position += 1 }
        return TextMatch(score: score, id: ids[hits[position]], tie: ties[hits[position]].key.copy())
    }

    /// Sorts all records.
    private func sort(_ ids: [UInt64], after start: [UInt8]?) throws {
        self.ids = ids
        ties.removeAll()
        for id in ids { ByteView.with(try order.tie(id)) { ties.append(key: $0) } }
        hits = ties.sortedIndices().map(Int.init)
        position = 0
        guard let start else { return }
        hits.removeAll { place in ByteView.with(start) { ties[place].key.compare($0) <= 0 } }
    }

    /// Reads the next records of the walk. Returns whether there are any.
    private func readBatch() throws -> Bool {
        guard walk != nil else { return false }
        ids.removeAll(keepingCapacity: true)
        ties.removeAll()
        (hits, position) = ([], 0)
        while ids.count < batchSize, let (id, key) = try walk?.next() {
            ids.append(id)
            ties.append(key: key)
        }
        guard !ids.isEmpty else {
            walk = nil
            return false
        }
        batchSize = min(2 * batchSize, Self.greatestBatchSize)
        let next = ties[ids.count - 1].key.copy()
        if try findHits() { last = next }
        return true
    }

    /// Finds the records with the score among the records read. If few records have the score, ends the walk, and sorts
    /// all of them that come after its last record.
    ///
    /// - Returns: Whether the walk goes on.
    private func findHits() throws -> Bool {
        testCount += UInt64(ids.count)
        if members == nil, let scorer = try scorer() {
            guard testCount * Self.seekCost > scorer.cost else {
                hits = try places(of: scorer)
                return true
            }
            let all = try TextSearch(scorer).numbers(withScore: score)
            if try sortsFirst(all.count) {
                walk = nil
                try sort(all, after: last)
                return false
            }
            members = RecordNumberSet(all)
        }
        if let members { hits = ids.indices.filter { members.contains(ids[$0]) } }
        return true
    }

    /// Returns the places of the records with the score among the records read.
    private func places(of scorer: any TextScorer) throws -> [Int] {
        var isHit = [Bool](repeating: false, count: ids.count)
        for place in ids.indices.sorted(by: { ids[$0] < ids[$1] }) {
            guard try scorer.seek(ids[place]) == ids[place], try scorer.isMatch() else { continue }
            isHit[place] = try scorer.score() == score
        }
        return ids.indices.filter { isHit[$0] }
    }
}
