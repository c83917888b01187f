// The places of a query's words in the texts of a property.

/// The places of a query's words in the texts of a property, in bytes.
///
/// - A word is marked as a whole, also if a beginning or a stem of it was looked for. A single sign of a script without
///   spaces is found as the beginning of a pair, and marked alone.
/// - A phrase is a single mark, from its first word to its last. Words that may have others in between are marked one
///   by one.
struct TextMarks {
    /// A word or a phrase in a text.
    struct Occurrence: Hashable {
        /// The place of the word or the phrase among all that are looked for.
        var part: Int
        var range: Range<Int>
    }

    /// The ranges to mark in each of the texts, in any order.
    private(set) var ranges: [[Range<Int>]]
    /// The words and phrases found in each of the texts, in any order.
    private(set) var occurrences: [[Occurrence]]
    /// The weights of the words and phrases that are looked for.
    private(set) var weights: [Double] = []
    private var occurrenceCount = 0

    /// Looks for words in texts.
    ///
    /// - Parameter texts: The UTF-8 of the texts of a property, in order.
    init(_ texts: [[UInt8]], _ words: [HighlightedWords]) {
        ranges = [[Range<Int>]](repeating: [], count: texts.count)
        occurrences = [[Occurrence]](repeating: [], count: texts.count)
        for words in words {
            var found = FoundTokens(texts, words)
            for part in words.parts {
                if let phrase = part.phrase { add(phrase, part, &found) } else { add(part.words[0], &found) }
                weights.append(part.weight)
            }
            for token in found.tokens where !token.mark.isEmpty { ranges[token.text].append(token.mark) }
        }
    }

    /// Adds all places of a word.
    private mutating func add(_ word: Int, _ found: inout FoundTokens) {
        for place in found.places[word] {
            let range = found.mark(place, as: word)
            add(range, in: found.tokens[place].text)
        }
    }

    /// Adds the occurrences of a phrase.
    private mutating func add(_ phrase: PhraseMatcher, _ part: HighlightedWords.Part, _ found: inout FoundTokens) {
        let words = phrase.different.map { word in part.words[phrase.words.firstIndex(of: word) ?? 0] }
        var places = PhrasePlaces(of: phrase)
        for (index, word) in words.enumerated() {
            for place in found.places[word] {
                places.add(index, at: found.tokens[place].position, isStart: found.tokens[place].isStart)
            }
        }
        let isWhole = phrase.arrangement == .exact
        phrase.forEachOccurrence(in: places) { occurrence in
            // The words of an occurrence are in a single text, unless the query itself has a gap of many words.
            var bounds: (text: Int, range: Range<Int>)?
            for (index, places) in occurrence {
                for place in found.places[words[index]][places] {
                    if !isWhole { found.mark(place, as: words[index]) }
                    let token = found.tokens[place]
                    let range = token.range(ofSign: found.words.signSizes[words[index]])
                    if let known = bounds, known.text == token.text {
                        bounds = (token.text, known.range.union(range))
                    } else {
                        if let bounds { add(bounds.range, in: bounds.text, isMarked: isWhole) }
                        bounds = (token.text, range)
                    }
                }
            }
            if let bounds { add(bounds.range, in: bounds.text, isMarked: isWhole) }
        }
    }

    private mutating func add(_ range: Range<Int>, in text: Int, isMarked: Bool = false) {
        occurrenceCount += 1
        guard occurrenceCount <= FoundTokens.wordLimit else { return }
        occurrences[text].append(Occurrence(part: weights.count, range: range))
        if isMarked { ranges[text].append(range) }
    }
}

extension Range<Int> {
    /// The least range that contains both.
    fileprivate func union(_ other: Range<Int>) -> Range<Int> {
        Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}

extension [Range<Int>] {
    /// The ranges in order, without empty ones; ranges that overlap or touch are one.
    var joined: [Range<Int>] {
        var result: [Range<Int>] = []
        for range in sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.union(range)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
