// Records of a module whose declarations belong to the main actor by default, as in a new app.
//
// The macros make records and values nonisolated. Everything else that a record uses says so itself: types stored as
// JSON, raw-value types that are not enums, and functions in initial values and conditions.

import Foundation
import Trove

enum Priority: Int, KeyComponent { case low, high }

enum Color: String { case red, blue }

nonisolated struct Note: Codable, Equatable { var text: String }

nonisolated struct Minutes: RawRepresentable, Equatable { var rawValue: Int }

@RecordValue
struct Address: Equatable {
    var city: String = "Paris"
    var notes: [Note] = []
}

@RecordValue
enum Place: Equatable {
    case nowhere, home(Address)
    case room(number: Int, note: Note?)
}

nonisolated func standardLength() -> Minutes { Minutes(rawValue: 30) }
nonisolated let longestTitle = 40

@CloudKitRecord
@IndexKeyRecord("priority", "id")
struct Job: Equatable {
    #Index<Job>(\.color, \.title.desc)
    #Index<Job>(\.length)
    #Index<Job>(\.title) { $0.isShort && $0.title.count < longestTitle }
    #Unique<Job>(\.owner, collisions: .throw)
    #Unique<Job>(
        \.title, \.color,
        collisions: .custom { context, new, existing in
            if new.priority.rawValue > existing.priority.rawValue { try context.delete(existing) }
        }, where: { $0.place != nil })

    let priority: Priority
    let id: UUID
    var title: String
    var color: Color = .red
    var shade: Color?
    var note: Note = Note(text: "")
    var length: Minutes = standardLength()
    var place: Place?
    var owner: String?
    var kind: Kind = .once

    enum Kind: String, RecordValue { case once, daily }
    enum CodingKeys: String, CodingKey { case priority, id, title = "name" }

    var isShort: Bool { length.rawValue < 60 }
}

enum Library {
    enum Genre: String, KeyComponent { case crime, poetry }

    nonisolated static func firstShelf() -> Int { 1 }

    @IndexKeyRecord("genre", "number")
    struct Book: Equatable {
        #Index<Book>(\.shelf.desc)
        let genre: Genre
        let number: Int
        var shelf: Int = firstShelf()
    }
}

/// The layout of ``Contact`` before its changes.
@IndexKeyRecord(keyPrefix: 1001, "id")
struct OldContact {
    let id: Int
    var name: String
}

@IndexKeyRecord(keyPrefix: 1001, "id")
struct Contact: Equatable {
    let id: Int
    @Renamed("name") var fullName: String
    var length: Minutes = standardLength()
}

@IndexKeyRecord(keyPrefix: 1002, "id")
struct OldVisit {
    let id: Int
    var seconds: Int
}

@IndexKeyRecord(keyPrefix: 1002, "id")
struct Visit: Equatable {
    let id: Int
    var minutes: Minutes

    static func migrate(_ old: StoredFields, from version: UInt32) throws -> Visit {
        guard case .integer(let seconds) = old["seconds"] else { throw unsupportedMigration(from: version) }
        var fields = old
        fields["minutes"] = .integer(seconds / 60)
        return try Visit(converting: fields)
    }
}
