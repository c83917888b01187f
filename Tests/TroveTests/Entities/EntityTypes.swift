// Entities with relations of every kind: a film archive.

import Foundation
import TroveCoding

@testable import Trove

/// Each kind of relation, and each kind of field.
@EntityModel
struct Film: Hashable, Codable {
    let id: String
    var title: String
    var year: Int?
    private(set) var tags: [String]?

    @Relationship(.required, inverse: \.films) var studio: Studio?
    @Relationship(inverse: \.roles) var cast: [Artist]?
    @Relationship(deleteRule: .cascade, inverse: \.film) var poster: Poster?
    @Relationship(inverse: \.sequel) var prequel: Film?
    @Relationship(inverse: \.prequel) var sequel: Film?
    @Relationship(.required) var director: Artist?
    @Relationship var awards: [Award]? = nil
}

/// The record of a film without its relations.
@IndexKeyRecord(keyPrefix: 2, "id")
struct FilmRecord {
    let id: String
    var title: String
    var year: Int?
    private(set) var tags: [String]?
}

@EntityModel
struct Artist: Hashable, Codable {
    let id: Int
    var name: String

    @Relationship(inverse: \.cast) var roles: [Film]?
    @Relationship(inverse: \.friends) var friends: [Artist]?
    @Relationship(inverse: \.partner) var partner: Artist?
    @Relationship() var agent: Artist?
}

@EntityModel
struct Studio: Hashable, Codable {
    let id: UUID
    var name: String
    @Relationship(deleteRule: .deny, inverse: \.studio) var films: [Film]?
}

@EntityModel
struct Poster: Hashable, Codable {
    let id: Int
    @Relationship(inverse: \.poster) var film: Film?
}

/// An entity without relations or other properties.
@EntityModel
struct Award: Hashable, Codable {
    let id: String
}

/// An entity whose relations have initial values, stored names and old names.
@EntityModel(keyPrefix: 77, keepsMetadata: true)
struct Screening: Hashable {
    enum CodingKeys: String, CodingKey {
        case id
        case film = "movie"
        case guests
    }

    let id: Tuple<Int, String>
    @Renamed("show") @Relationship(.required) var film: Film? = .id("unknown")
    @Relationship(deleteRule: .nullify) var guests: [Artist]? = .relation([Artist(id: 1, name: "Host")])
}

/// The only entity of its type.
@EntityModel
struct Archive: Hashable {
    var id: String { "archive" }
    var isOpen: Bool
    @Relationship() var films: [Film]?
}

/// Another entity with the bytes of ``Archive``.
@EntityModel(keyPrefix: 3)
struct AnyArchive {
    let id: String
    var isOpen: Bool
}

extension IndexKeyRecord {
    /// The bytes of the key and of the fields.
    var storedBytes: [[UInt8]] {
        get throws {
            [
                KeyWriter.bytes { encodeKey(into: &$0) },
                try ValueWriter.bytes(count: fieldsSize()) { encodeFields(into: &$0) },
            ]
        }
    }
}
