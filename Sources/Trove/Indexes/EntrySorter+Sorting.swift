// Sorts entries by their bytes, so an index is written from its first entry to its last.
//
// Each step sorts by the next eight bytes, with a radix sort from the last byte to the first. A radix sort needs no
// comparisons, keeps the order of equal entries, and skips bytes common to all entries. Equal entries are sorted by the
// next eight bytes; few equal entries are sorted by comparison.

import LMDB

extension EntrySorter {
    /// The number of entries below which a comparison sort is used.
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
                // If the value of an entry ends here, all entries have the same value: no value is the beginning of
                // another. Their record keys follow, which are in order already.
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

    /// - Parameter free: A list of the same size, as memory for the sort.
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
