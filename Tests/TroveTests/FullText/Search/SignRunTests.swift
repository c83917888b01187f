// Texts without spaces between words, beside letters and digits: a typed text finds the texts that contain it.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Almanac {
    #FullTextIndex<Almanac>(\.text)

    let id: Int
    var text: String
}

struct SignRunTests {
    private func store(_ texts: [String]) throws -> Store {
        let store = try Store.temporary(records: [Almanac.self])
        try store.insert(contentsOf: texts.enumerated().map { Almanac(id: $0, text: $1) })
        return store
    }

    @Test(arguments: [
        ("3月", [0, 2]), ("月3日", [0]), ("3月3日", [0]), ("月", [0, 2, 3]), ("日", [0, 1]), ("第3", [4]), ("第3章", [4]),
        ("3", [0, 1, 2, 3, 4]), ("A社", [5]), ("a", [5, 6]), ("社", [5]), ("3 月", [0, 2, 3]), ("12月末", [2]), ("月末*", [2]),
        ("\"A社 x\"", [5]), ("東京 3", []),
    ])
    func aSingleSign_isAWordOfAPhrase(_ typed: String, _ expected: [Int]) throws {
        let store = try store(["3月3日", "3 日", "3月、12月末", "月 4 3", "第3章", "A社 x", "a x"])
        // The words beside each other, unlike those of a phrase, stand anywhere.
        #expect(try Almanac.matching(typed).keys(in: store).sorted() == expected)
    }

    /// Returns a text without the spaces that separate nothing: those between a sign and a letter.
    private func joined(_ text: String) -> [Character] {
        var result: [Character] = []
        for character in text {
            if character == " " {
                if result.last != " ", !result.isEmpty { result.append(" ") }
                continue
            }
            if result.last == " ", let former = result.dropLast().last, former.isASCII != character.isASCII {
                result.removeLast()
            }
            result.append(character)
        }
        if result.last == " " { result.removeLast() }
        return result
    }

    /// Returns whether a text contains another from a beginning of a word on, and the letters of its words whole.
    private func contains(_ text: [Character], _ part: [Character]) -> Bool {
        guard text.count >= part.count, let first = part.first, let last = part.last else { return false }
        return (0...text.count - part.count).contains { start in
            let end = start + part.count
            guard text[start..<end].elementsEqual(part) else { return false }
            if first.isASCII, start > 0, text[start - 1].isASCII, text[start - 1] != " " { return false }
            return !(last.isASCII && end < text.count && text[end].isASCII && text[end] != " ")
        }
    }

    @Test func anyPhrase_findsTheTextsThatContainIt() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        func text(_ count: ClosedRange<Int>) -> String {
            String((0..<Int.random(in: count, using: &random)).map { _ in "月日東3a ".randomElement(using: &random)! })
        }
        let texts = (0..<250).map { _ in text(0...9) }
        let store = try store(texts)
        for _ in 0..<400 {
            let phrase = text(1...4)
            let part = joined(phrase)
            // A phrase of two runs may be found in a single run: the words follow each other in both.
            if zip(part, part.dropFirst()).contains(where: { !$0.isASCII && $1 == " " }) { continue }
            let expected = texts.indices.filter { contains(joined(texts[$0]), part) }
            let found = try Almanac.matching(.phrase(phrase)).keys(in: store).sorted()
            #expect(found == expected, "\(phrase), seed \(seed)")
        }
    }
}
