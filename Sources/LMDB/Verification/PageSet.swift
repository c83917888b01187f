// A set of page numbers, 64 to a word: small where pages lie side by side, and never larger than a few times what was
// read to fill it, whatever the numbers are.

/// A set of page numbers.
package struct PageSet {
    private var words: [UInt64: UInt64] = [:]
    package private(set) var count: UInt64 = 0

    package init() {}

    /// Whether a page is in the set.
    package func contains(_ page: UInt64) -> Bool {
        (words[page / 64] ?? 0) & (1 << (page % 64)) != 0
    }

    /// Adds a page; false where it was there.
    package mutating func insert(_ page: UInt64) -> Bool {
        let bit: UInt64 = 1 << (page % 64)
        let word = words[page / 64, default: 0]
        guard word & bit == 0 else { return false }
        words[page / 64] = word | bit
        count += 1
        return true
    }

    /// Adds pages up to the first one that was there; gives that.
    package mutating func insert(contentsOf pages: Range<UInt64>) -> UInt64? { pages.first { !insert($0) } }

    /// The pages that are in both sets, ascending.
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
