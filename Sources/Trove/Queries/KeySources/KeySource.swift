// Conditions on records that other tables decide, and the keys that those tables list: links of entities, for example,
// or the times of their last saves.
//
//     condition    tested for a record by its key
//     source       a condition whose table lists the keys of all matches, in an order of its own
//
// A plan walks a source, or tests it as a condition (SourceScan.swift).

import LMDB
import TroveCoding

/// A condition on records that another table decides by their keys.
protocol KeyCondition: AnyObject, Sendable {
    /// The condition in a plan, such as `author linked to "1"`.
    var plan: String { get }
    /// The condition as Swift.
    var swift: String { get }
    /// The condition as a source; nil if no table lists the keys of the matches.
    var source: (any KeySource)? { get }

    /// Returns the test for a single run of a query.
    func test(in context: ReadContext) throws -> any KeyTest
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

    /// Returns the source for a single run of a query: it keeps what planning finds out.
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

/// A source in a transaction. Each key has a place in the source's order.
protocol OpenKeySource: KeyTest {
    /// The source in a plan, such as `links Chat.messages of 1 owner`.
    var description: String { get }
    /// The plan of the query on which the source depends; nil if there is none.
    var ownerPlan: QueryPlan? { get }
    /// Whether the source lists a single key at most.
    var isSingle: Bool { get }
    /// Whether the order of the source is that of the keys.
    var isInKeyOrder: Bool { get }

    /// Returns the number of entries to read for all keys, up to a limit.
    func entryCount(atMost limit: Int) throws -> Int

    /// Returns bytes that sort as the places in the source; nil if the source does not list the key.
    func place(of key: ByteView) throws -> [UInt8]?

    /// Returns the place of the key after which a page begins.
    ///
    /// - Throws: ``StoreError/noContinuation(type:key:)`` if the source does not list the key.
    func place(ofStart key: [UInt8], _ table: RecordTable) throws -> [UInt8]

    /// Whether ``prepare(_:)`` makes places cheaper.
    var preparesPlaces: Bool { get }

    /// Reads what the places of some keys depend on.
    func prepare(_ keys: EntryBuffer) throws

    /// Returns a walk over the keys, each once, in the source's order.
    ///
    /// - Parameters:
    ///   - key: The key after which to begin.
    ///   - isDescending: Whether to walk backwards. Only a source in key order can.
    /// - Returns: Nil if the source has no place for `key`.
    func walk(after key: [UInt8]?, isDescending: Bool) throws -> (any SourceKeyWalk)?

    /// Whether ``entryCount(atMost:)`` costs the same for any limit.
    var isCounted: Bool { get }

    /// Returns the number of keys, up to a limit; nil if each key has to be looked up.
    func matchCount(atMost limit: Int) throws -> Int?

    /// The beginning of a plan that walks the source, and of a plan whose matches get its order.
    var walkText: String { get }
    var orderText: String { get }
    /// The name of the order in a plan; nil if the source names it.
    var orderName: String? { get }

    /// Returns what a plan tells about the source beyond its description; nil for nothing.
    func details() throws -> String?
}

/// A walk over the keys of a source.
protocol SourceKeyWalk: AnyObject {
    /// Appends the next keys to a buffer.
    ///
    /// - Returns: False at the end.
    func read(into keys: EntryBuffer, atMost limit: Int) throws -> Bool
}

extension OpenKeySource {
    var isCounted: Bool { false }
    func matchCount(atMost limit: Int) throws -> Int? { nil }

    var walkText: String { "walk \(description)" }
    var orderText: String { "order as \(description)" }
    var orderName: String? { nil }
    func details() throws -> String? { nil }

    var preparesPlaces: Bool { false }
    func prepare(_ keys: EntryBuffer) throws {}

    func place(ofStart key: [UInt8], _ table: RecordTable) throws -> [UInt8] {
        guard let place = try ByteView.with(key, { try place(of: $0) }) else {
            throw table.noContinuation(after: key)
        }
        return place
    }
}
