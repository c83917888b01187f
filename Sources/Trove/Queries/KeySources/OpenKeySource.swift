// A key source in a transaction, and the walks over its keys.

import LMDB

/// A source in a transaction. Each key has a place in the source's order.
protocol OpenKeySource: KeyTest {
    /// The source in a plan, such as `links Chat.messages of 1 owner`.
    var description: String { get }
    /// The plan of the query on which the source depends; nil if there is none.
    var ownerPlan: QueryPlan? { get }
    /// Whether the source lists a single key at most.
    var isSingle: Bool { get }
    /// Whether the source is in key order.
    var isInKeyOrder: Bool { get }

    /// Returns the number of entries to read for all keys, up to a limit.
    func entryCount(atMost limit: Int) throws -> Int

    /// Returns bytes that sort as the places in the source; nil if the source does not list the key.
    func place(of key: ByteView) throws -> [UInt8]?

    /// Returns the place of the key after which a page begins.
    ///
    /// - Throws: ``StoreError/QueryError/noContinuation(type:key:)`` if the source does not list the key.
    func place(ofStart key: [UInt8], _ table: RecordTable) throws -> [UInt8]

    /// Whether ``prepare(_:)`` makes places cheaper.
    var preparesPlaces: Bool { get }

    /// Reads the rows that the places of some keys depend on.
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

    /// Returns the words of a plan about the source beyond its description; nil for none.
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
