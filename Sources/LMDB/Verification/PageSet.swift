// A set of page numbers, 64 to a word. It is small for adjacent pages. Whatever the numbers are, it never exceeds a few
// times the size of the data read to fill it.

/// A set of page numbers.
package struct PageSet {
    private var words: [UInt64: UInt64] = [:]
    package private(set) var count: UInt64 = 0

    package init() {}

    /// Returns whether a page is in the set.
    package func contains(_ page: UInt64) -> Bool {
        (words[page / 64] ?? 0) & (1 << (page % 64)) != 0
    }

    /// Adds a page. Returns false if it was in the set already.
    package mutating func insert(_ page: UInt64) -> Bool {
        let bit: UInt64 = 1 << (page % 64)
        let word = words[page / 64, default: 0]
        guard word & bit == 0 else { return false }
        words[page / 64] = word | bit
        count += 1
        return true
    }

    /// Adds pages up to the first page already in the set, and returns it.
    package mutating func insert(contentsOf pages: Range<UInt64>) -> UInt64? { pages.first { !insert($0) } }

    /// Returns the pages in both sets, ascending.
    func intersection(_ other: PageSet) -> [UInt64] {
        let common = words.compactMap { index, word in
            let both = word & (other.words[index] ?? 0)
            return both == 0 ? nil : (index: index, word: both)
        }
        return common.sorted { $0.index < $1.index }.flatMap { index, word in
            (0..<64).filter { word & (1 << $0) != 0 }.map { index * 64 + $0 }
        }
    }
}
