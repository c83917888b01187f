// The sort of a query's matches.

import LMDB
import TroveCoding

/// Sorts the matches of a single query run.
@usableFromInline
struct MatchSorter {
    private enum Order {
        case properties([SortTerm], RecordTable)
        case source(any OpenKeySource)
        case closure(any DecodedSorting)
    }

    private let order: Order
    private var bytes = SortBytes()
    private let continuation: [UInt8]?
    private var sorted: TopN

    /// Creates a sorter by properties.
    ///
    /// - Parameter continuation: The record after which the result begins.
    init(_ terms: [SortTerm], _ table: RecordTable, wanted: Int?, after continuation: CurrentRecord?) throws {
        order = .properties(terms, table)
        sorted = TopN(wanted: wanted)
        guard let continuation else {
            self.continuation = nil
            return
        }
        self.continuation = try Self.read(terms, of: continuation.matches, in: table, into: &bytes)[0]
    }

    /// Returns the bytes by which a record is sorted.
    static func bytes(of record: CurrentRecord, _ terms: [SortTerm], _ table: RecordTable) throws -> [UInt8] {
        var bytes = SortBytes()
        return try read(terms, of: record.matches, in: table, into: &bytes)[0]
    }

    /// Creates a sorter by a closure.
    init(_ sorter: any DecodedSorting) {
        order = .closure(sorter)
        sorted = TopN(wanted: nil)
        continuation = nil
    }

    /// Creates a sorter by the places in a source. It leaves out matches without a place.
    ///
    /// - Parameter continuation: The place after which the result begins.
    init(_ source: any OpenKeySource, wanted: Int?, after continuation: [UInt8]?) {
        order = .source(source)
        sorted = TopN(wanted: wanted)
        self.continuation = continuation
    }

    /// Reads the properties of matches that the order needs.
    @usableFromInline
    mutating func read(_ matches: Matches) throws {
        switch order {
        case .properties(let terms, let table): _ = try Self.read(terms, of: matches, in: table, into: &bytes)
        case .closure(let sorter): try sorter.read(matches)
        case .source(let source): try bytes.read(placesOf: matches, in: source)
        }
    }

    /// Returns the array index for a match that was read; nil if the result does not need it.
    @usableFromInline
    mutating func insert(_ index: Int) -> Int? {
        if case .closure(let sorter) = order { return sorter.insert(index) }
        if let continuation, !TopN.precedes(continuation, bytes.values[index]) { return nil }
        if bytes.values[index].isEmpty { return nil }
        return sorted.insert(bytes.values[index])
    }

    /// Returns the array indices of the result, in order.
    @usableFromInline
    mutating func places(from offset: Int) -> [Int] {
        if case .closure(let sorter) = order { return sorter.places(from: offset) }
        return sorted.places(from: offset)
    }

    private static func read(
        _ terms: [SortTerm], of matches: Matches, in table: RecordTable, into bytes: inout SortBytes
    ) throws -> [[UInt8]] {
        var run = RecordRun(matches.batch)
        do throws(CodingError) {
            try bytes.read(&run, matches.bits, terms)
        } catch {
            throw run.corrupted(table, error)
        }
        return bytes.values
    }
}

extension SortBytes {
    /// Reads the places of matches in a source. A match without a place has no bytes.
    fileprivate mutating func read(placesOf matches: Matches, in source: any OpenKeySource) throws {
        removeAll()
        isComplemented = false
        if source.preparesPlaces { try translatingErrors { try source.prepare(EntryBuffer(keysOf: matches)) } }
        var matches = matches
        while let index = matches.popFirst() {
            guard let place = try translatingErrors({ try source.place(of: matches[index].key) }) else { continue }
            ByteView.with(place) { append($0, to: index) }
        }
    }
}

extension EntryBuffer {
    /// Creates a buffer with the keys of matches.
    fileprivate convenience init(keysOf matches: Matches) {
        self.init()
        var matches = matches
        while let index = matches.popFirst() { append(key: matches[index].key) }
    }
}
