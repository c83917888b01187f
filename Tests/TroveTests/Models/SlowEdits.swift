// Edit distances of words, slow and obvious.

import TroveTestSupport

@testable import Trove

/// The distances of words by a matrix of all beginnings.
enum SlowEdits {
    /// Returns the number of edits between two words: optimal string alignment.
    static func distance(_ first: [UInt32], _ second: [UInt32]) -> Int {
        var cells = [[Int]](repeating: [Int](repeating: 0, count: second.count + 1), count: first.count + 1)
        for row in 0...first.count {
            for column in 0...second.count {
                var cell = max(row, column)
                if row > 0 { cell = min(cell, cells[row - 1][column] + 1) }
                if column > 0 { cell = min(cell, cells[row][column - 1] + 1) }
                if row > 0, column > 0 {
                    let isSame = first[row - 1] == second[column - 1]
                    cell = min(cell, cells[row - 1][column - 1] + (isSame ? 0 : 1))
                }
                if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                    cell = min(cell, cells[row - 2][column - 2] + 1)
                }
                cells[row][column] = cell
            }
        }
        return cells[first.count][second.count]
    }

    static func distance(_ first: String, _ second: String) -> Int {
        distance(first.unicodeScalars.map(\.value), second.unicodeScalars.map(\.value))
    }

    /// Returns the edits of a word that a query for another word finds; nil if it does not find the word.
    static func edits(of word: String, from typed: String, edits: Int?, anyFirstLetter: Bool) -> Int? {
        if word == typed { return 0 }
        let letters = typed.unicodeScalars.count
        guard letters >= 3, anyFirstLetter || word.unicodeScalars.first == typed.unicodeScalars.first else {
            return nil
        }
        // A matrix of long words takes long.
        guard abs(word.unicodeScalars.count - letters) <= 2 else { return nil }
        let distance = distance(typed, word)
        return distance <= edits ?? (letters < 8 ? 1 : 2) ? distance : nil
    }

    /// Returns a word with random edits.
    static func edited(
        _ word: String, edits: Int, of alphabet: [Character], _ random: inout SeededGenerator
    ) -> String {
        var letters = Array(word)
        for _ in 0..<edits {
            let place = Int.random(in: 0...letters.count, using: &random)
            let letter = alphabet.randomElement(using: &random)!
            switch Int.random(in: 0..<4, using: &random) {
            case 0: letters.insert(letter, at: place)
            case 1 where place < letters.count: letters.remove(at: place)
            case 2 where place < letters.count: letters[place] = letter
            case 3 where place + 1 < letters.count: letters.swapAt(place, place + 1)
            default: break
            }
        }
        return String(letters)
    }
}
