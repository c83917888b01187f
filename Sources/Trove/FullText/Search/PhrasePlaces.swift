// The places of a phrase's words in a field.

/// The positions of a phrase's words in a field.
struct PhrasePlaces {
    /// The positions of each different word, ascending.
    private(set) var positions: [[Int]]
    /// The positions of the first word where the phrase may begin, as places in the first list.
    private(set) var starts: [Int] = []
    private let atStart: Bool
    private var position = -TextColumn.elementGap
    /// Whether the current word begins a text.
    private var isStart = false

    init(of phrase: PhraseMatcher) {
        positions = [[Int]](repeating: [], count: phrase.different.count)
        atStart = phrase.atStart
    }

    /// Begins the next word of the field, whether or not it is of the phrase.
    mutating func begin(at position: Int) {
        // Words at one position begin a text together.
        if position != self.position { isStart = Self.isStart(position, after: self.position) }
        self.position = position
    }

    /// Adds the current word.
    ///
    /// - Parameter word: The place of the word among the different words of the phrase.
    mutating func add(_ word: Int) { add(word, at: position, isStart: isStart) }

    /// Adds a word.
    ///
    /// - Parameters:
    ///   - word: The place of the word among the different words of the phrase.
    ///   - position: The position in the field, at least the position of the word before.
    ///   - isStart: Whether the word begins a text.
    mutating func add(_ word: Int, at position: Int, isStart: Bool) {
        if word == 0, isStart || !atStart { starts.append(positions[0].count) }
        positions[word].append(position)
    }

    /// Returns whether a word begins a text of a field.
    ///
    /// - Parameter last: The position of the word before; a position before the field for the first word.
    static func isStart(_ position: Int, after last: Int) -> Bool {
        position - last >= TextColumn.elementGap || position == 0
    }
}
