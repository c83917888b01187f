// The rows of an observed list by their bytes, in the list's order.
//
//     place = sort bytes, key        bytes that sort as the rows do; the key alone if the list is in key order
//
// The places of all rows are in one piece of memory. Rows are found by a binary search for their place. The place of a
// key is in a table, unless places are keys.

import LMDB
import TroveCoding

/// The places of a list's rows in order, and a hash of the contents of each row.
struct RowKeys {
    /// What decides the order of the rows.
    enum Order {
        /// The bytes of the keys, ascending or descending. A place is a key.
        case keys(isDescending: Bool)
        /// The bytes of the places.
        case places
        /// Nothing that bytes show. Rows are not found by their places, which are keys.
        case unknown
    }

    /// A row outside of a list.
    struct Row: Equatable {
        var place: [UInt8]
        var keySize: Int
        /// The hash of the row's contents.
        var hash: Int

        /// The bytes of the key.
        var key: [UInt8] { Array(place.suffix(keySize)) }
    }

    private struct Slot {
        var start: Int
        var size: Int32
        var keySize: Int32
        var hash: Int

        var place: Range<Int> { start..<start + Int(size) }
        var key: Range<Int> { place.upperBound - Int(keySize)..<place.upperBound }
    }

    private let order: Order
    private var bytes: [UInt8] = []
    private var slots: [Slot] = []
    /// The number of bytes of removed rows.
    private var unusedBytes = 0
    /// The places in ``bytes`` by the hashes of keys; empty if places are keys.
    private var places: [Int: Range<Int>] = [:]
    /// Whether two keys had the same hash. Then only one of them is in ``places``.
    private var hasSharedHashes = false

    /// Creates the places of some rows.
    ///
    /// - Parameter rows: The rows in order.
    init(_ order: Order, _ rows: [Row] = []) {
        self.order = order
        guard !rows.isEmpty else { return }
        slots.reserveCapacity(rows.count)
        bytes.reserveCapacity(rows.reduce(0) { $0 + $1.place.count })
        if keepsPlaces { places.reserveCapacity(rows.count) }
        for row in rows { insert(row, at: count) }
    }

    var count: Int { slots.count }

    /// The number of bytes of all places, and of places that were removed lately.
    var byteCount: Int { bytes.count }

    /// Returns the row at an offset.
    subscript(offset: Int) -> Row {
        let slot = slots[offset]
        return Row(place: Array(bytes[slot.place]), keySize: Int(slot.keySize), hash: slot.hash)
    }

    /// Returns the key of the row at an offset.
    func key(at offset: Int) -> [UInt8] { Array(bytes[slots[offset].key]) }

    /// Returns the hash of the contents of the row at an offset.
    func hash(at offset: Int) -> Int { slots[offset].hash }

    /// Returns whether the rows at two offsets of two lists have the same key.
    func hasKey(at offset: Int, of other: RowKeys, at otherOffset: Int) -> Bool {
        bytes[slots[offset].key] == other.bytes[other.slots[otherOffset].key]
    }

    // MARK: Finding

    /// Returns the offset of the first row that is not before a place. The list's order is known.
    func offset(ofPlace place: [UInt8]) -> Int {
        ByteView.with(place) { place in
            ByteView.with(bytes) { bytes in
                var (low, high) = (0, slots.count)
                while low < high {
                    let middle = (low + high) / 2
                    if precedes(bytes[slots[middle].place], place) { low = middle + 1 } else { high = middle }
                }
                return low
            }
        }
    }

    /// Returns the offset of the row with a key; nil if there is none. The list's order is known.
    func offset(ofKey key: [UInt8]) -> Int? {
        let place: [UInt8]
        if case .keys = order {
            place = key
        } else {
            guard let known = knownPlace(ofKey: key) else { return nil }
            place = Array(bytes[known])
        }
        let offset = offset(ofPlace: place)
        return offset < count && bytes[slots[offset].key] == key[...] ? offset : nil
    }

    /// Returns whether a row has a key.
    func contains(key: [UInt8]) -> Bool {
        if case .keys = order { return offset(ofKey: key) != nil }
        return knownPlace(ofKey: key) != nil
    }

    /// Returns whether a place is after the last row. The list's order is known.
    func isBehindLast(_ place: [UInt8]) -> Bool {
        guard let last = slots.last else { return true }
        return ByteView.with(place) { place in ByteView.with(bytes) { precedes($0[last.place], place) } }
    }

    /// Returns whether a place comes before another.
    func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        ByteView.with(left) { left in ByteView.with(right) { precedes(left, $0) } }
    }

    private func precedes(_ left: ByteView, _ right: ByteView) -> Bool {
        if case .keys(isDescending: true) = order { right.precedes(left) } else { left.precedes(right) }
    }

    private func knownPlace(ofKey key: [UInt8]) -> Range<Int>? {
        if let place = places[Self.hash(of: key[...])], bytes[place].suffix(key.count) == key[...] { return place }
        return hasSharedHashes ? slots.first { bytes[$0.key] == key[...] }?.place : nil
    }

    // MARK: Changing

    /// Inserts a row at an offset.
    mutating func insert(_ row: Row, at offset: Int) {
        let slot = Slot(
            start: bytes.count, size: Int32(row.place.count), keySize: Int32(row.keySize), hash: row.hash)
        bytes += row.place
        slots.insert(slot, at: offset)
        note(slot)
    }

    /// Removes the row at an offset.
    mutating func remove(at offset: Int) {
        let slot = slots.remove(at: offset)
        if keepsPlaces {
            let hash = Self.hash(of: bytes[slot.key])
            if places[hash] == slot.place { places[hash] = nil }
        }
        unusedBytes += slot.place.count
        if unusedBytes > 4_096, unusedBytes > bytes.count / 2 { compact() }
    }

    /// Sets the hash of the contents of the row at an offset.
    mutating func setHash(_ hash: Int, at offset: Int) { slots[offset].hash = hash }

    private var keepsPlaces: Bool { if case .keys = order { false } else { true } }

    private mutating func note(_ slot: Slot) {
        guard keepsPlaces, places.updateValue(slot.place, forKey: Self.hash(of: bytes[slot.key])) != nil else { return }
        hasSharedHashes = true
    }

    /// Frees the memory of removed rows.
    private mutating func compact() {
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count - unusedBytes)
        for index in slots.indices {
            let place = slots[index].place
            slots[index].start = kept.count
            kept += bytes[place]
        }
        (bytes, unusedBytes) = (kept, 0)
        (places, hasSharedHashes) = ([:], false)
        for slot in slots { note(slot) }
    }

    private static func hash(of key: ArraySlice<UInt8>) -> Int { ByteView.with(key, \.seededHash) }
}
