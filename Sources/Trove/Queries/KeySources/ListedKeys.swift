// A list of keys as a source of keys: the records that a program names, in its order.

import LMDB
import TroveCoding

/// The records with some keys, in the order of a list. A key that occurs twice counts once, at its first place.
final class ListedKeys: KeySource {
    fileprivate let keys: KeyList
    fileprivate let places: KeyPlaces
    /// The list as Swift.
    let swift: String

    init(_ keys: KeyList, swift: String) {
        self.keys = keys
        self.swift = swift
        places = KeyPlaces(keys, keys.startIndex..<keys.endIndex)
    }

    /// The number of distinct keys.
    var count: Int { places.distinct.count }

    /// Whether a key occurs twice.
    var hasRepeats: Bool { count < keys.count }

    var plan: String { "key in \(description)" }
    var description: String { count == 1 ? "a list of 1 key" : "a list of \(count) keys" }
    var share: Double { min(1, 0.001 * Double(count)) }
    var depth: Int { 0 }

    func check() {}

    func open(in context: ReadContext) -> any OpenKeySource { OpenListedKeys(self) }

    /// Appends the keys at some places among the distinct keys to a buffer.
    fileprivate func append(_ range: Range<Int>, to buffer: EntryBuffer) {
        for index in places.distinct[range] { keys.withKey(index) { buffer.append(key: $0) } }
    }
}

/// A list of keys in a transaction.
private final class OpenListedKeys: OpenKeySource {
    private let source: ListedKeys

    init(_ source: ListedKeys) { self.source = source }

    var description: String { source.description }
    var ownerPlan: QueryPlan? { nil }
    var isSingle: Bool { source.count <= 1 }
    var isInKeyOrder: Bool { false }

    func entryCount(atMost limit: Int) -> Int { min(source.count, limit) }

    func contains(_ key: ByteView) -> Bool { source.places.place(of: key) != nil }

    func place(of key: ByteView) -> [UInt8]? { source.places.place(of: key).map { KeyWriter.bytes(of: $0) } }

    func walk(after key: [UInt8]?, isDescending: Bool) -> (any SourceKeyWalk)? {
        guard let key else { return ListedKeyWalk(source, from: 0) }
        guard let place = ByteView.with(key, { source.places.place(of: $0) }) else { return nil }
        return ListedKeyWalk(source, from: place + 1)
    }
}

/// A walk over a list of keys.
private final class ListedKeyWalk: SourceKeyWalk {
    private let source: ListedKeys
    private var next: Int

    init(_ source: ListedKeys, from start: Int) {
        self.source = source
        next = start
    }

    func read(into keys: EntryBuffer, atMost limit: Int) -> Bool {
        let end = next + min(limit, source.count - next)
        source.append(next..<end, to: keys)
        defer { next = end }
        return end > next
    }
}
