// A table of edit distances: the distances between the beginnings of a pattern and the beginnings of a word.
//
//     distance(i, j) = least of  distance(i − 1, j) + 1                the word's letter i is inserted
//                                distance(i, j − 1) + 1                the pattern's letter j is removed
//                                distance(i − 1, j − 1) + (0 or 1)     both are the same, or one replaces the other
//                                distance(i − 2, j − 2) + 1            two neighbors are exchanged
//
// A row has the cells that can be within the limit: the cells with |i − j| at most the limit. A beginning whose row has
// no such cell is no beginning of a word within the limit: an exchange cannot help, since its letters can be replaced.
//
// Source: optimal string alignment, the restricted distance of F. Damerau, A Technique for Computer Detection and
// Correction of Spelling Errors (1964); the band is from E. Ukkonen, Algorithms for Approximate String Matching
// (1985).

/// The edit distances of a pattern and of the beginnings of a word.
struct EditTable {
    private let pattern: [UInt32]
    private let limit: Int
    /// The number of cells of a row: from `row − limit` to `row + limit`.
    private let width: Int
    private var cells: [UInt8] = []
    /// The letters of the word so far.
    private(set) var word: [UInt32] = []

    /// - Parameter edits: The greatest distance that differs from all greater ones, at most 100.
    init(_ pattern: [UInt32], edits: Int) {
        self.pattern = pattern
        limit = edits
        width = 2 * edits + 1
        for column in -edits...edits {
            cells.append(UInt8(column < 0 || column > pattern.count ? edits + 1 : column))
        }
    }

    /// Appends a letter to the word, if words within the limit may begin so.
    ///
    /// - Returns: Whether the letter was appended.
    mutating func append(_ letter: UInt32) -> Bool {
        let isPossible = appendRow(letter)
        if isPossible { word.append(letter) } else { cells.removeLast(width) }
        return isPossible
    }

    /// Removes the last letter of the word, and returns it.
    mutating func removeLast() -> UInt32 {
        cells.removeLast(width)
        return word.removeLast()
    }

    /// The distance of the word; nil beyond the limit.
    var distance: Int? {
        let place = pattern.count - word.count + limit
        guard 0..<width ~= place else { return nil }
        let distance = Int(cells[word.count * width + place])
        return distance <= limit ? distance : nil
    }

    /// A letter by which a beginning can go on.
    enum NextLetter: Equatable {
        case any
        case letter(UInt32)
        case none
    }

    /// Returns the least letter after a letter by which the word can go on.
    mutating func nextLetter(after letter: UInt32) -> NextLetter {
        // No scalar: a letter that the pattern does not have.
        if accepts(.max) { return .any }
        var least: UInt32?
        let row = word.count + 1
        for column in max(0, row - limit - 2)..<max(0, min(pattern.count, row + limit)) {
            let next = pattern[column]
            if next > letter, next < least ?? .max, accepts(next) { least = next }
        }
        return least.map { .letter($0) } ?? .none
    }

    private mutating func accepts(_ letter: UInt32) -> Bool {
        defer { cells.removeLast(width) }
        return appendRow(letter)
    }

    /// Appends the row of the word with one more letter. Returns whether a cell is within the limit.
    private mutating func appendRow(_ letter: UInt32) -> Bool {
        let row = word.count + 1
        let start = cells.count
        let beyond = UInt8(limit + 1)
        var least = beyond
        for place in 0..<width {
            let column = row + place - limit
            var cell = beyond
            if column >= 0, column <= pattern.count {
                if place + 1 < width { cell = min(cell, cells[start - width + place + 1] + 1) }
                if place > 0 { cell = min(cell, cells[start + place - 1] + 1) }
                if column > 0 {
                    let known = pattern[column - 1]
                    cell = min(cell, cells[start - width + place] + (known == letter ? 0 : 1))
                    if column > 1, row > 1, pattern[column - 2] == letter, known == word[row - 2] {
                        cell = min(cell, cells[start - 2 * width + place] + 1)
                    }
                }
            }
            cells.append(cell)
            least = min(least, cell)
        }
        return least < beyond
    }
}
