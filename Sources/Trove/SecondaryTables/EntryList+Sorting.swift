// The entries of many records in the order of their bytes, so that a table is written from its first row to its last.
//
// They are sorted by eight bytes at a time, byte after byte from the last to the first, as cards are: that takes no
// comparison, keeps the order of what is equal, and costs nothing for bytes that all have in common. Those that are equal
// so far are sorted by the next eight.

import LMDB

extension EntryList {
    /// The places of the entries of one table in the order of their bytes, where they were added in that of the records'
    /// keys.
    func sortedPlaces() -> [Int] {
        var sorting = EntrySorting(self)
        unsafe bytes.withUnsafeBytes { unsafe sorting.sort(0..<entries.count, at: 0, $0) }
        return sorting.order
    }
}

/// The sorting of a list's entries.
private struct EntrySorting {
    /// An entry, and eight of its bytes, as a number that sorts as they do.
    private struct Place {
        var head: UInt64
        var index: Int
    }

    private let entries: [EntryList.Entry]
    private var places: [Place]
    private var sorted: [Place]

    init(_ list: EntryList) {
        entries = list.entries
        places = entries.indices.map { Place(head: 0, index: $0) }
        sorted = places
    }

    var order: [Int] { places.map(\.index) }

    /// Sorts entries that have their first bytes in common.
    ///
    /// - Parameter depth: How many bytes they have in common.
    @unsafe mutating func sort(_ range: Range<Int>, at depth: Int, _ bytes: UnsafeRawBufferPointer) {
        // What is left to compare is the keys of records, which are in their order.
        guard range.count > 1, range.contains(where: { valueSize(of: places[$0].index) > depth }) else { return }
        for place in range { unsafe places[place].head = head(of: places[place].index, at: depth, bytes) }
        if range.count < 64 { sortFew(range) } else { sortMany(range) }
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start + 1
            while end < range.upperBound, places[end].head == places[start].head { end += 1 }
            unsafe sort(start..<end, at: depth + 8, bytes)
            start = end
        }
    }

    private func valueSize(of index: Int) -> Int { entries[index].valueEnd - entries[index].start }

    private func head(of index: Int, at depth: Int, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let (start, end) = (entries[index].start + depth, entries[index].end)
        if start + 8 <= end {
            return UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        }
        guard start < end else { return 0 }
        let head = unsafe bytes[start..<end].reduce(0) { $0 << 8 | UInt64($1) }
        return head << UInt64(8 * (8 - (end - start)))
    }

    /// Puts each where it belongs among those before it.
    private mutating func sortFew(_ range: Range<Int>) {
        for place in range.dropFirst() {
            let moved = places[place]
            var free = place
            while free > range.lowerBound, places[free - 1].head > moved.head {
                places[free] = places[free - 1]
                free -= 1
            }
            places[free] = moved
        }
    }

    private mutating func sortMany(_ range: Range<Int>) {
        // A pass moves all from one list into the other.
        var isMoved = false
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            var ends = [Int](repeating: 0, count: 256)
            for place in range { ends[Int(places[place].head >> shift & 0xFF)] += 1 }
            if ends.contains(range.count) { continue }
            var sum = range.lowerBound
            for digit in ends.indices { (ends[digit], sum) = (sum, sum + ends[digit]) }
            for place in range {
                let digit = Int(places[place].head >> shift & 0xFF)
                sorted[ends[digit]] = places[place]
                ends[digit] += 1
            }
            swap(&places, &sorted)
            isMoved.toggle()
        }
        guard isMoved else { return }
        for place in range { sorted[place] = places[place] }
        swap(&places, &sorted)
    }
}
