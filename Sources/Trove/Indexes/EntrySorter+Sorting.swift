// Entries in the order of their bytes, so that a table is written from its first row to its last.
//
// They are sorted by eight bytes at a time, byte after byte from the last to the first, as cards are: that takes no
// comparison, keeps the order of what is equal, and costs nothing for bytes that all have in common. Those that are
// equal so far are sorted by the next eight; where they are few, by comparison.

import LMDB

extension EntrySorter {
    /// Fewer are compared with each other.
    private static let fewest = 256

    /// Puts the entries in the order of their bytes, where they were added in that of the records' keys.
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
                // Where the value of one is over, all have the same: none is the beginning of another. What is left is
                // the keys of records, which are in their order.
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
            places[index].head = unsafe withBytes { bytes in
                let entry = unsafe bytes(places[index])
                return unsafe ByteView(entry).dropFirst(depth).head
            }
        }
    }

    private mutating func sortFew(_ range: Range<Int>) {
        let sorted = unsafe withBytes { bytes in
            places[range].sorted { unsafe byteOrder(bytes($0), bytes($1)) < 0 }
        }
        places.replaceSubrange(range, with: sorted)
    }

    /// - Parameter free: As many other places, to sort into.
    private mutating func sortByHeads(_ range: Range<Int>, _ free: inout [Place]) {
        let first = places[range.lowerBound].head
        let differences = places[range].reduce(0) { $0 | ($1.head ^ first) }
        // A pass moves all from one list into the other.
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
