// A search for keys by their bytes, without an object for each key.

import LMDB
import TroveCoding

/// The keys of a list, each once, in the order of their first places: a hash table with open addressing.
struct KeyPlaces {
    private let keys: KeyList
    /// The places of distinct keys in the list, in order.
    private(set) var distinct: [Int] = []
    /// Indices in ``distinct``, at the hashes of the keys; -1 in a free slot. The number of slots is a power of two.
    private var slots: [Int]
    /// A random number, so that no keys can be chosen for their equal hashes.
    private let seed = UInt64.random(in: .min ... .max)

    /// - Parameter range: The indices of the keys.
    init(_ keys: KeyList, _ range: Range<Int>) {
        self.keys = keys
        slots = Array(repeating: -1, count: 1 << (Int.bitWidth - (2 * range.count + 1).leadingZeroBitCount))
        distinct.reserveCapacity(range.count)
        for index in range {
            let slot = keys.withKey(index) { self.slot(of: $0) }
            guard slots[slot] < 0 else { continue }
            slots[slot] = distinct.count
            distinct.append(index)
        }
    }

    /// Returns the index in ``distinct`` of a key; nil if the list does not have it.
    func place(of key: ByteView) -> Int? {
        let place = slots[slot(of: key)]
        return place < 0 ? nil : place
    }

    /// Returns the slot of a key, or the free slot where it belongs.
    private func slot(of key: ByteView) -> Int {
        var slot = Int(truncatingIfNeeded: hash(key)) & (slots.count - 1)
        while slots[slot] >= 0, !keys.withKey(distinct[slots[slot]], { $0.equals(key) }) {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    /// Returns the hash of a key, eight bytes at a time.
    private func hash(_ key: ByteView) -> UInt64 {
        var hash = seed ^ UInt64(key.count)
        var rest = key
        repeat {
            let product = (hash ^ rest.head).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            hash = product.high ^ product.low
            rest = rest.dropFirst(8)
        } while !rest.isEmpty
        return hash
    }
}
