// The properties of typed queries and of the words of texts, whatever the text.
//
//     input = options · text     a byte; the text is read as UTF-8, with replacements for what is not
//
// A query never fails. It counts as many records as it finds, in the same order in whole and in pages, and what it is
// written as is a query too. The words of a text have ascending positions and places, and no word is empty. The marks
// of hits, and parts of words: TypedProperties+Parts.swift.

import Trove

enum TypedProperties {
    /// The records with replaced words and trigrams, in the order of their keys.
    static let notes = (0..<60).map(PartedNote.note)

    private static let store = Result {
        let store = try Store.temporary(records: [LetteredNote.self, PartedNote.self])
        try store.insert(contentsOf: (0..<60).map(LetteredNote.note))
        try store.insert(contentsOf: notes)
        return store
    }

    static func check(_ input: [UInt8]) throws {
        guard let options = input.first else { return }
        let text = String(decoding: input.dropFirst(), as: UTF8.self)
        try checkWords(of: text)
        let store = try store.get()
        let query = TextQuery<LetteredNote>(
            text, joining: options & 1 == 0 ? .all : .any, lastIsPrefix: options & 2 != 0)
        let matching = LetteredNote.matching(query)
        let keys = try matching.keys(in: store)
        try require(try matching.count(in: store) == keys.count, "\(text) counts other records than it finds")
        let hits = try matching.hits(in: store)
        try require(hits.map(\.record.id) == keys, "\(text) has other hits than keys")
        try require(zip(hits, hits.dropFirst()).allSatisfy { $0.score >= $1.score }, "\(text) is not in order")
        try require(hits.allSatisfy { $0.score.isFinite && $0.score >= 0 }, "\(text) has a score that is no number")
        try checkMarks(of: hits)
        try checkParts(of: text, options, in: store)
        let page = try matching.offset(2).limit(3).keys(in: store)
        try require(page == Array(keys.dropFirst(2).prefix(3)), "a page of \(text) has other records")
        let filtered = try LetteredNote.filter(.matches(query) && \.id < 40).keys(in: store)
        try require(Set(filtered) == Set(keys.filter { $0 < 40 }), "\(text) under a condition finds others")
        let others = try LetteredNote.filter(.not(.matches(query))).keys(in: store)
        try require(Set(others).isDisjoint(with: keys) && others.count + keys.count == 60, "not \(text) finds others")
        _ = try LetteredNote.matching("\(query)").count(in: store)
        _ = try LetteredNote.matching(.plain(text)).count(in: store)
        for part: TextQuery<LetteredNote> in [
            .word(text), .phrase(text, slop: 2), .prefix(text), .near(text, within: 1), .fuzzy(text),
            .fuzzy(text, edits: 2, anyFirstLetter: true),
        ] {
            _ = try LetteredNote.matching(part).count(in: store)
        }
        try checkSuggestions(for: text, in: store)
    }

    private static func checkSuggestions(for text: String, in store: Store) throws {
        try store.read { context in
            let words = try context.words(of: LetteredNote.self, beginning: text, limit: 5)
            try require(
                zip(words, words.dropFirst()).allSatisfy { $0.recordCount >= $1.recordCount },
                "the words that begin with \(text) are not in order")
            for suggestion in try context.suggestions(for: text, of: LetteredNote.self, limit: 2) {
                let count = try LetteredNote.matching(suggestion.text).count(in: context)
                try require(count == suggestion.recordCount && count > 0, "\(suggestion) for \(text) finds \(count)")
                try require(
                    suggestion.ranges.allSatisfy { !suggestion.text[$0].isEmpty }, "\(suggestion) has no words")
            }
        }
    }

    private static func checkWords(of text: String) throws {
        let analyzers: [TextAnalyzer] = [
            .standard, .standard.keepingMarks().keepingCase(), .trigrams, .whole, .standard.without(.english),
        ]
        for analyzer in analyzers {
            let tokens = analyzer.tokens(of: text)
            try require(tokens.allSatisfy { !$0.term.isEmpty }, "an empty word of \(text)")
            try require(
                zip(tokens, tokens.dropFirst()).allSatisfy {
                    $0.position < $1.position && $0.range.lowerBound <= $1.range.lowerBound
                }, "the words of \(text) do not ascend")
            try require(
                tokens.allSatisfy { $0.range.upperBound <= text.endIndex }, "a word beyond the end of \(text)")
        }
    }
}
