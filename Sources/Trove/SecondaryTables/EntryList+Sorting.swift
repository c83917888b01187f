// The entries of many records in the order of their bytes, so that a table is written from its first row to its last.
//
// They are sorted by their first eight bytes, byte after byte from the last to the first, as cards are: that takes no
// comparison, keeps the order of what is equal, and costs nothing for bytes that all have in common. Where the values are
// longer, those that begin alike are then compared.

import LMDB

extension EntryList {
    /// An entry, and the bytes with which it begins, as a number that sorts as they do.
    private struct Place {
        var head: UInt64
        var index: Int
    }

    /// The places of the entries of one table in the order of their bytes, where they were added in that of the records'
    /// keys.
    func sortedPlaces() -> [Int] {
        var places = heads()
        Self.sort(&places)
        var start = 0
        while start < places.count {
            let head = places[start].head
            var end = start + 1
            while end < places.count, places[end].head == head { end += 1 }
            if end - start > 1 { compare(&places[start..<end]) }
            start = end
        }
        return places.map(\.index)
    }

    private func heads() -> [Place] {
        let all = unsafe bytes.span.bytes
        return entries.enumerated().map { index, entry in
            if entry.end - entry.start >= 8 {
                let head = unsafe all.unsafeLoadUnaligned(fromByteOffset: entry.start, as: UInt64.self)
                return Place(head: UInt64(bigEndian: head), index: index)
            }
            let head = bytes(of: index).reduce(0) { $0 << 8 | UInt64($1) }
            return Place(head: head << (8 * (8 - (entry.end - entry.start))), index: index)
        }
    }

    private static func sort(_ places: inout [Place]) {
        var sorted = places
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            var ends = [Int](repeating: 0, count: 256)
            for place in places { ends[Int(place.head >> shift & 0xFF)] += 1 }
            if ends.contains(places.count) { continue }
            var sum = 0
            for digit in ends.indices {
                (ends[digit], sum) = (sum, sum + ends[digit])
            }
            for place in places {
                let digit = Int(place.head >> shift & 0xFF)
                sorted[ends[digit]] = place
                ends[digit] += 1
            }
            swap(&places, &sorted)
        }
    }

    /// Sorts entries that begin alike. Where they have the same value, they are in their order already.
    private func compare(_ places: inout ArraySlice<Place>) {
        guard places.contains(where: { entries[$0.index].valueEnd - entries[$0.index].start > 8 }) else { return }
        places.sort { first, second in order(bytes(of: first.index), bytes(of: second.index)) < 0 }
    }

    /// Whether two entries have the same value.
    func haveSameValue(_ first: Int, _ second: Int) -> Bool { order(value(of: first), value(of: second)) == 0 }

    private func order(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Int {
        unsafe first.withUnsafeBytes { first in unsafe second.withUnsafeBytes { unsafe byteOrder(first, $0) } }
    }
}
