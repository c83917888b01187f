// The name and the fingerprint of an analyzer, which an index stores.

extension TextAnalyzer: CustomStringConvertible {
    /// The name and version of the rule, and what has been changed, such as `standard/1+marks(åäö)+without-english`.
    public var description: String { ([baseName] + changes).joined(separator: "+") }

    private var baseName: String {
        switch method {
        case .words: "standard/1"
        case .trigrams: "trigrams/1"
        case .whole: "whole/1"
        case .custom(let name, let version, _): "\(name)/\(version)"
        }
    }

    /// Whether the terms are words, rather than parts of words.
    package var makesWords: Bool { if case .trigrams = method { false } else { true } }

    /// Whether the terms are all trigrams of a text: none is left out, reduced or replaced.
    package var makesAllTrigrams: Bool {
        !makesWords && stopWords.isEmpty && stemmer == nil && replacedWords.isEmpty
    }

    /// Whether upper case differs from lower case.
    package var keepsCase: Bool { folding.keepsCase }

    private var changes: [String] {
        var result: [String] = []
        switch folding.keptMarks {
        case .none: break
        case .letters(let letters): result.append("marks(\(letters.description))")
        case .all: result.append("marks")
        }
        if folding.keepsCase { result.append("case") }
        result += stopWords.names.map { "without-\($0)" }
        if !stopWords.own.isEmpty { result.append("without(\(stopWords.own.count))") }
        if let stemmer { result.append(stemmer.name) }
        if !replacedWords.isEmpty { result.append("replacing(\(replacedWords.count))") }
        return result
    }

    /// What the analyzer does with a fixed text, as 16 hexadecimal digits.
    ///
    /// Analyzers that make other terms of the text or of the ``TextStemmer/probe`` of their stemmer, or have other stop
    /// words or replacements, have other fingerprints. An index stores the fingerprint: it notices a changed function
    /// or stemmer, whose name and version are the same.
    public var fingerprint: String {
        var hash = TermHash()
        for var probe in [Self.probe, stemmer?.probe ?? ""] {
            probe.withRawSpan { text in
                _ = visitTokens(in: text) { term, place in
                    hash.combine(place.position)
                    hash.combine(term)
                    hash.combine(0xFF)
                }
            }
        }
        if !stopWords.isEmpty {
            for word in stopWords.words.map({ Array($0.utf8) }).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                for byte in word { hash.combine(byte) }
                hash.combine(0xFF)
            }
        }
        replacements.combine(into: &hash)
        let digits = String(hash.value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The description and the fingerprint, such as `standard/1#0123456789abcdef`: the analyzer in the definition of an
    /// index.
    package var definition: String { "\(self)#\(fingerprint)" }
}
