// Types with a history, and the slow answer: the difference of all records before and after a commit.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

/// Types of the tests of histories.
enum Noted {
    @IndexKeyRecord("id")
    struct Note: Hashable {
        #Index<Note>(\.folder)

        let id: Int
        var folder: String
        var text: String
    }

    /// A type without indexes is written straight into its pages.
    @IndexKeyRecord("name", "number")
    struct Plain: Hashable {
        let name: String
        let number: Int16
        var value: Double
    }

    @IndexKeyRecord("id")
    struct Cache: Hashable {
        let id: Int
        var value: Int
    }

    /// The position of a follower.
    @IndexKeyRecord("name")
    struct Position {
        let name: String
        var token: HistoryToken
    }

    static let types: [any IndexKeyRecord.Type] = [Note.self, Plain.self, Cache.self]

    static func policy() -> HistoryPolicy { .keep().excluding(Cache.self).keepingDeleted(Note.self, \.text) }
}

/// The records of the tests in memory.
struct NotedModel: Equatable {
    var notes: [Int: Noted.Note] = [:]
    var plain: [Tuple<String, Int16>: Noted.Plain] = [:]
    /// The texts of the notes that the last transaction has removed, each at the times of its removals.
    var removedTexts: [Int: [String]] = [:]

    /// Removes the notes with some ids.
    mutating func removeNotes(_ ids: some Sequence<Int>) {
        for id in ids {
            if let note = notes.removeValue(forKey: id) { removedTexts[id, default: []].append(note.text) }
        }
    }
}

extension HistoryChange where Record.IndexKey: Hashable {
    /// The kind of the change in a word.
    var word: String {
        switch self {
        case .inserted: "inserted"
        case .updated: "updated"
        case .deleted: "deleted"
        case .any: "any"
        }
    }
}

/// Returns the changes of a type by key, in words.
func words<Record: IndexKeyRecord>(
    _ commit: HistoryCommit, _ type: Record.Type
) throws -> [Record.IndexKey: String] where Record.IndexKey: Hashable {
    var words: [Record.IndexKey: String] = [:]
    for change in try commit.changes(of: type) {
        guard let key = change.key else { continue }
        #expect(words[key] == nil, "\(key) is listed twice")
        words[key] = change.word
    }
    return words
}

/// Returns the rows of a history.
func historyRows(_ store: Store) throws -> [HistoryRow] {
    try store.read { try Query<HistoryRow>().resolve(in: $0) }
}
