// The words that a scan has to look for.

import LMDB
import TroveCoding

/// The words of a query, the beginnings of words, and the words near words.
struct WantedWords {
    private var words: Set<[UInt8]> = []
    private var beginnings: Set<[UInt8]> = []
    private var patterns: Set<FuzzyPattern> = []
    /// Whether the order of words matters.
    private(set) var hasPhrases = false
    /// Whether records without any of the words may match.
    private(set) var hasEverything = false

    /// - Parameter split: Makes the words of a text.
    init(_ clause: TextClause, _ split: QuerySpelling.Splitter) { add(clause, split) }

    /// - Parameters:
    ///   - beginning: The beginning of the words; empty for all words.
    ///   - term: Another word; nil for none.
    init(beginning: [UInt8], term: [UInt8]? = nil) {
        beginnings = [beginning]
        if let term { words = [term] }
    }

    init(words: [[UInt8]], patterns: [FuzzyPattern]) {
        self.words = Set(words)
        self.patterns = Set(patterns)
    }

    private mutating func add(_ clause: TextClause, _ split: QuerySpelling.Splitter) {
        switch clause {
        case .nothing: break
        case .everything: hasEverything = true
        case .phrase(let text, _, let atStart):
            add(split(text, false))
            hasPhrases = hasPhrases || atStart
        case .near(let text, _): add(split(text, false))
        case .fuzzy(let text, let edits, let anyFirstLetter):
            let found = split(text, false)
            add(found)
            for word in found.flatMap(\.words) {
                if let pattern = word.pattern(edits: edits, anyFirstLetter: anyFirstLetter) {
                    patterns.insert(pattern)
                }
            }
        case .prefix(let text): add(split(text, true))
        case .all(let clauses), .any(let clauses): for clause in clauses { add(clause, split) }
        case .excluding(let clause, let other), .preferring(let clause, let other):
            add(clause, split)
            add(other, split)
        case .within(_, let clause), .boosted(let clause, _): add(clause, split)
        }
    }

    private mutating func add(_ spellings: [QuerySpelling]) {
        for spelling in spellings {
            hasPhrases = hasPhrases || spelling.words.count > 1
            for word in spelling.words {
                words.insert(word.bytes)
                // A phrase leaves out a last sign alone, so another word may be the beginning.
                if word.isLastSign || spelling.endsWithPrefix { beginnings.insert(word.bytes) }
            }
        }
    }

    /// Returns whether a word is one of the words, begins with one of the beginnings, or is near one of the words.
    func contains(_ word: ByteView) -> Bool {
        if word.isEmpty { return false }
        let word = word.copy()
        return words.contains(word) || beginnings.contains { word.starts(with: $0) }
            || patterns.contains { $0.edits(of: word) != nil }
    }
}
