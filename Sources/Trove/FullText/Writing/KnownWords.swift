// The words of a transaction, kept for the next one.

/// The words that the transactions of a process have used lately, with their stored numbers.
struct KnownWords {
    let words: WordTable
    private let nextWord: UInt64
    private let wordCount: UInt64

    /// - Parameters:
    ///   - words: The words, none of them new.
    ///   - statistics: The statistics as committed.
    init(_ words: WordTable, _ statistics: TextStatistics) {
        self.words = words
        nextWord = statistics.nextWord
        wordCount = statistics.wordCount
    }

    /// Returns whether all words still have their numbers, whichever process has written in between: a new word
    /// increases the next number, and a removed word without a new one decreases the number of words.
    func isValid(for statistics: TextStatistics) -> Bool {
        nextWord == statistics.nextWord && wordCount == statistics.wordCount && words.newWords.isEmpty
    }
}
