// The text workloads of search boxes: words with typing errors, and keystrokes. The peer has none of it.

import Foundation

extension Workload {
    /// - Parameter large: The collection for keystrokes.
    static func typing(_ texts: TextCollection, _ large: TextCollection) -> [Workload] {
        let count = texts.count < 10_000 ? 5 : 30
        let words = Once {
            texts.vocabulary.pairs(50 * count, bands[2]).map(\.[0]).filter { $0.count >= 6 }.prefix(count).map(mistyped)
        }
        let keystrokes = Once {
            large.vocabulary.pairs(count, bands[1], bands[2]).enumerated().map { number, words in
                // Every third text has an unknown word, for which another is suggested.
                number % 3 == 2 ? mistyped(words[1]) : "\(words[0]) \(words[1].prefix(3))"
            }
        }
        var fuzzy = searching(
            "T6", "a mistyped word with up to 2 edits, best 10, \(texts.name); goal: 5 ms", records: count, target: nil,
            .searching(
                Searching(
                    texts: texts, prepare: { _ = words.value },
                    run: { peer, _ in
                        var checksum = Checksum()
                        for word in words.value { checksum.add(try peer.best(near: word, atMost: 10).count) }
                        return checksum
                    })))
        var typing = searching(
            "T6k", "a keystroke among \(large.count) texts: completion, search and suggestion; goal: 10 ms",
            records: count, target: nil,
            .searching(
                Searching(
                    texts: large, prepare: { _ = keystrokes.value },
                    run: { peer, _ in
                        var checksum = Checksum()
                        for typed in keystrokes.value { checksum.add(try peer.answer(typed: typed)) }
                        return checksum
                    })))
        (fuzzy.peers, typing.peers) = ([.trove], [.trove])
        return [fuzzy, typing]
    }

    /// Returns a word with two neighbors exchanged after the first letter.
    private static func mistyped(_ word: String) -> String {
        var letters = Array(word)
        if letters.count > 2 { letters.swapAt(1, 2) }
        return String(letters)
    }
}
