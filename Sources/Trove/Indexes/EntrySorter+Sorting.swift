// Entries in the order of their bytes, so that an index is written from its first entry to its last.
//
// They are sorted by eight bytes at a time, byte after byte from the last to the first, as cards are: that takes no
// comparison, keeps the order of what is equal, and costs nothing for bytes that all have in common. Those that are
// equal so far are sorted by the next eight; where they are few, by comparison.

import LMDB

extension EntrySorter {
    /// Fewer entries are sorted by comparison.
    private static let fewest = 256

    /// Sorts the entries by their bytes. They were added in the order of the records' keys.
    mutating func sort() {
        guard places.count > 1 else { return }
        var free = [Place](repeating: places[0], count: places.count)
        var unsorted = [(range: places.indices, depth: 0)]
        while let (range, depth) = unsorted.popLast() {
            sortByHeads(range, &free)
            var start = range.lowerBound
            while start < range.upperBound {
                let head = places[start].head
                let end = places[start..<range.upperBound].firstIndex { $0.head != head } ?? range.upperBound
                // If the value of an entry ends here, all have the same value: no value is the beginning of another.
                // The rest is the keys of records, which are in order.
                if end - start > 1, valueSize(of: start) > depth + 8 {
                    if end - start < Self.fewest {
                        sortFew(start..<end)
                    } else {
                        setHeads(of: start..<end, at: depth + 8)
                        unsorted.append((start..<end, depth + 8))
                    }
                }
                start = end
            }
        }
    }

    private mutating func setHeads(of range: Range<Int>, at depth: Int) {
        for index in range {
            places[index].head = withBytes { bytes in bytes(places[index]).dropFirst(depth).head }
        }
    }

    private mutating func sortFew(_ range: Range<Int>) {
        let sorted = withBytes { bytes in places[range].sorted { bytes($0).compare(bytes($1)) < 0 } }
        places.replaceSubrange(range, with: sorted)
    }

    /// - Parameter free: A list of the same size, to sort into.
    private mutating func sortByHeads(_ range: Range<Int>, _ free: inout [Place]) {
        let first = places[range.lowerBound].head
        let differences = places[range].reduce(0) { $0 | ($1.head ^ first) }
        // Each pass moves all places from one list into the other.
        var isMoved = false
        for shift in stride(from: UInt64(0), to: 64, by: 8) where differences >> shift & 0xFF != 0 {
            var ends = [Int](repeating: 0, count: 256)
            for index in range { ends[Int(places[index].head >> shift & 0xFF)] += 1 }
            var sum = range.lowerBound
            for digit in ends.indices { (ends[digit], sum) = (sum, sum + ends[digit]) }
            for index in range {
                let digit = Int(places[index].head >> shift & 0xFF)
                free[ends[digit]] = places[index]
                ends[digit] += 1
            }
            swap(&places, &free)
            isMoved.toggle()
        }
        guard isMoved else { return }
        for index in range { free[index] = places[index] }
        swap(&places, &free)
    }
}
