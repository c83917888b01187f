// A slow and obvious search: texts in a dictionary, looked through for every clause.

import Foundation

@testable import Trove

/// A search over texts in memory.
struct SlowTextSearch {
    let texts: [String: ModelText]
    let fields: Int
    var parameters: BM25

    /// The matches of a clause with their scores; nil for a clause without words.
    private typealias Matches = [String: Double]

    init(_ texts: [String: ModelText], fields: Int) {
        self.texts = texts
        self.fields = fields
        parameters = BM25(fields: fields)
    }

    /// Returns the words of a query's text.
    static func spellings(_ text: String, endsWithPrefix: Bool) -> [QuerySpelling] {
        let words = text.split(separator: " ").enumerated().map { QueryWord(bytes: Array($1.utf8), position: $0) }
        return [QuerySpelling(words, endsWithPrefix: endsWithPrefix)]
    }

    /// Returns the matches of a query.
    func matches(_ clause: TextClause) -> [String: Double] { evaluate(clause, Array(0..<fields), 1) ?? [:] }

    private func evaluate(_ clause: TextClause, _ fields: [Int], _ boost: Double) -> Matches? {
        switch clause {
        case .nothing: return nil
        case .everything: return texts.mapValues { _ in 0 }
        case .phrase(let text, let slop, let atStart):
            return phrase(text, fields, boost) { words, text in
                text.indices.count { start in
                    (!atStart || text[start].position == 0)
                        && Self.follows(words[...], text[start...], text[start].position, slop: slop)
                }
            }
        case .near(let text, let others):
            return phrase(text, fields, boost) { words, text in
                text.count { start in
                    guard words.contains(start.text) else { return false }
                    let end = start.position + words.count + others
                    let window = text.filter { start.position..<end ~= $0.position }.map(\.text)
                    return Set(words).allSatisfy { word in
                        window.count { $0 == word } >= words.count { $0 == word }
                    }
                }
            }
        case .prefix(let text): return prefix(text, fields, boost)
        case .fuzzy(let text, let edits, let anyFirstLetter):
            return fuzzy(text, fields, boost) {
                SlowEdits.edits(of: $0, from: $1, edits: edits, anyFirstLetter: anyFirstLetter)
            }
        case .all(let clauses):
            let parts = clauses.compactMap { evaluate($0, fields, boost) }
            guard var result = parts.first else { return nil }
            for part in parts.dropFirst() {
                result = result.filter { part[$0.key] != nil }
                for (key, score) in result { result[key] = score + part[key]! }
            }
            return result
        case .any(let clauses):
            let parts = clauses.compactMap { evaluate($0, fields, boost) }
            guard let first = parts.first else { return nil }
            return parts.dropFirst().reduce(into: first) { $0.merge($1, uniquingKeysWith: +) }
        case .excluding(let clause, let excluded):
            let other = evaluate(excluded, fields, boost)
            if clause == .everything, other == nil { return nil }
            return evaluate(clause, fields, boost)?.filter { other?[$0.key] == nil }
        case .preferring(let clause, let preferred):
            let other = evaluate(preferred, fields, boost) ?? [:]
            guard var result = evaluate(clause, fields, boost) else { return nil }
            for (key, score) in result { result[key] = score + (other[key] ?? 0) }
            return result
        case .within(let names, let clause):
            let common = fields.filter { names.contains("f\($0)") }
            return common.isEmpty ? [:] : evaluate(clause, common, boost)
        case .boosted(let clause, let factor): return evaluate(clause, fields, boost * factor)
        }
    }

    /// Returns whether words follow each other in a text from its first word, trying every way.
    private static func follows(
        _ words: ArraySlice<String>, _ text: ArraySlice<ModelWord>, _ least: Int, slop: Int
    ) -> Bool {
        guard let word = words.first else { return true }
        guard let first = text.first, first.text == word else { return false }
        let slop = slop - (first.position - least)
        guard slop >= 0 else { return false }
        if words.count == 1 { return true }
        return text.indices.dropFirst().contains { next in
            follows(words.dropFirst(), text[next...], first.position + 1, slop: slop)
        }
    }

    private func phrase(
        _ text: String, _ fields: [Int], _ boost: Double,
        _ count: (_ words: [String], _ text: [ModelWord]) -> Int
    ) -> Matches? {
        let words = text.split(separator: " ").map(String.init)
        if words.isEmpty { return nil }
        let weight = words.reduce(0) { $0 + inverseFrequency(fields, of: [$1]) }
        return scores(fields, boost * weight) { count(words, $0) }
    }

    private func prefix(_ text: String, _ fields: [Int], _ boost: Double) -> Matches? {
        let words = text.split(separator: " ").map(String.init)
        guard let last = words.last else { return nil }
        let known = Set(texts.values.joined().joined().map(\.text).filter { $0.hasPrefix(last) })
        let weight =
            words.dropLast().reduce(0) { $0 + inverseFrequency(fields, of: [$1]) }
            + inverseFrequency(fields, of: known)
        return scores(fields, boost * weight) { text in
            text.indices.count { start in
                guard start + words.count <= text.count else { return false }
                return words.indices.allSatisfy { index in
                    let word = text[start + index]
                    guard word.position == text[start].position + index else { return false }
                    return index == words.count - 1 ? known.contains(word.text) : word.text == words[index]
                }
            }
        }
    }

    /// Returns the matches of the words near a word, or of a phrase of them.
    ///
    /// - Parameter edits: Returns the edits of a word that a typed word finds.
    private func fuzzy(
        _ text: String, _ fields: [Int], _ boost: Double, _ edits: (_ word: String, _ typed: String) -> Int?
    ) -> Matches? {
        let typed = text.split(separator: " ").map(String.init)
        guard let first = typed.first else { return nil }
        let words = Set(texts.values.joined().joined().map(\.text))
        if typed.count > 1 {
            let found = typed.map { typed in words.filter { edits($0, typed) != nil } }
            let weight = found.reduce(0) { $0 + inverseFrequency(fields, of: $1) }
            return scores(fields, boost * weight) { text in
                text.indices.count { start in
                    start + typed.count <= text.count
                        && typed.indices.allSatisfy { index in
                            let word = text[start + index]
                            return word.position == text[start].position + index && found[index].contains(word.text)
                        }
                }
            }
        }
        let most =
            first.count < 3
            ? 0 : max(0, (0...9).last { n in edits(first + String(repeating: "?", count: n), first) != nil } ?? 0)
        var matches: Matches = [:]
        var known: Set<String> = []
        for count in 0...most {
            let found = words.filter { edits($0, first) == count }
            known.formUnion(found)
            let factor = boost * inverseFrequency(fields, of: known) / Double(most + 1)
            let base = Double(most - count) * (parameters.k1 + 1)
            let scores = scores(fields, factor, base: base) { text in text.count { found.contains($0.text) } }
            matches.merge(scores) { known, _ in known }
        }
        return matches
    }

    private func inverseFrequency(_ fields: [Int], of words: Set<String>) -> Double {
        let count = texts.values.count { text in fields.contains { text[$0].contains { words.contains($0.text) } } }
        return parameters.inverseFrequency.value(count: UInt64(count), of: UInt64(texts.count))
    }

    private func scores(
        _ fields: [Int], _ weight: Double, base: Double = 0, _ count: ([ModelWord]) -> Int
    ) -> Matches {
        let total = texts.values.reduce(0) { $0 + $1.map(\.count).reduce(0, +) }
        let average = Double(total) / Double(texts.count)
        var matches: Matches = [:]
        for (key, text) in texts {
            let counts = fields.map { count(text[$0]) }
            guard counts.contains(where: { $0 > 0 }) else { continue }
            let x = zip(fields, counts).reduce(0.0) { $0 + parameters.weights[$1.0] * Double($1.1) }
            let length = Double(text.map(\.count).reduce(0, +))
            let (k1, b) = (parameters.k1, parameters.b)
            let saturation = x * (k1 + 1) / (x + k1 * (1 - b + b * length / average))
            matches[key] = x == 0 ? 0 : weight * (base + saturation)
        }
        return matches
    }
}
