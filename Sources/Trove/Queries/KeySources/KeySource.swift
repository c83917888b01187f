// Conditions on records that other tables decide, and the keys that these tables list: links of entities, for example,
// or the times of their last saves.
//
//     condition    tested for a record by its key
//     source       a condition whose table lists the keys of all matches, in an order of its own
//
// A plan walks a source, or tests it as a condition (SourceScan.swift).

import LMDB
import TroveCoding

/// A condition on records that another table decides by their keys.
protocol KeyCondition: LookupCondition {
    /// The condition as a source; nil if no table lists the keys of the matches.
    var source: (any KeySource)? { get }

    /// The usual order by the scores that the condition gives to its matches; nil if it gives none.
    var scoreOrder: (any ScoreOrder)? { get }

    /// Returns the test for a single run of a query.
    func test(in context: ReadContext) throws -> any KeyTest
}

extension KeyCondition {
    var scoreOrder: (any ScoreOrder)? { nil }
}

extension FilterTree {
    /// The condition that another table decides; nil for another part of a filter.
    var keyCondition: (any KeyCondition)? {
        if case .keys(let condition) = self { condition as? any KeyCondition } else { nil }
    }
}

/// A condition in a transaction.
protocol KeyTest: AnyObject {
    /// Returns whether the record with a key matches.
    func contains(_ key: ByteView) throws -> Bool

    /// Returns the matches among some records of a run, a bit each.
    func bits(_ run: borrowing RecordRun, among candidates: UInt64) throws -> UInt64
}

extension KeyTest {
    func bits(_ run: borrowing RecordRun, among candidates: UInt64) throws -> UInt64 {
        var found: UInt64 = 0
        for index in 0..<run.count where candidates & 1 &<< UInt64(index) != 0 {
            if try contains(run.key(at: index)) { found |= 1 &<< UInt64(index) }
        }
        return found
    }
}

/// A condition whose table lists the keys of all matches. Some keys may have no record.
protocol KeySource: KeyCondition {
    /// The assumed selectivity, if nothing is counted: the share of a large table's records.
    var share: Double { get }

    /// The number of queries that run within each other to list the keys.
    var depth: Int { get }

    /// Throws the error of a query on which the source depends.
    func check() throws

    /// Returns the source for a single run of a query: it keeps the results of planning.
    func planned(in context: ReadContext) throws -> any KeySource

    /// Returns a source with the keys of another source in the order of this source; nil if that takes a sort.
    func ordering(_ other: any KeySource) -> (any KeySource)?

    /// Returns the source in a transaction.
    func open(in context: ReadContext) throws -> any OpenKeySource
}

extension KeySource {
    var source: (any KeySource)? { self }

    func test(in context: ReadContext) throws -> any KeyTest { try open(in: context) }
    func planned(in context: ReadContext) throws -> any KeySource { self }
    var depth: Int { 0 }
    func ordering(_ other: any KeySource) -> (any KeySource)? { nil }
}
