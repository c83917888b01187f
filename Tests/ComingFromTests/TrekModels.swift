// The entities of these tests: climbers, their treks, and the log of each trek.

import Trove
import TroveSpellings

@EntityModel
struct Climber: Codable, Equatable {
    let id: String
    private(set) var name: String
    private(set) var portrait: Portrait?
    private(set) var biography: Biography?

    @Relationship(inverse: \.climbers)
    var treks: [Trek]?

    @Relationship(inverse: \.leaders)
    var leaderOf: [Trek]?

    init(_ name: String, id: String, portrait: Portrait? = nil, biography: Biography? = nil) {
        self.id = id
        self.name = name
        self.portrait = portrait
        self.biography = biography
    }
}

extension Climber {
    /// Stored as JSON.
    struct Biography: Codable, Equatable {
        var text: String
        var summits: [String] = []
    }

    @RecordValue
    struct Portrait: Codable, Equatable {
        var file: String
    }
}

@EntityModel
struct Trek: Codable, Equatable {
    let id: String

    @Relationship(inverse: \.treks)
    var climbers: [Climber]?

    @Relationship(inverse: \.trek)
    var entries: [Entry]?

    @Relationship(inverse: \.leaderOf)
    var leaders: [Climber]?
}

/// An entry of a trek's log, with a relation of every kind.
@EntityModel
struct Entry: Codable, Equatable {
    let id: String
    var text: String

    @Relationship(.required)
    var author: Climber?

    @Relationship(.required, inverse: \.entries)
    var trek: Trek?

    @Relationship(deleteRule: .cascade, inverse: \.entry)
    var photo: Photo?

    @Relationship(inverse: \.answerTo)
    var answers: [Entry]?

    @Relationship(inverse: \.answers)
    var answerTo: Entry?

    @Relationship
    var readBy: [Climber]? = nil

    @Relationship
    var correctedBy: Climber? = nil
}

@EntityModel
struct Photo: Codable, Equatable {
    let id: String
    var file: String

    @Relationship(.required, inverse: \.photo)
    var entry: Entry?
}

extension Climber {
    static let ines = Climber("Ines", id: "ines", biography: Biography(text: "Guide", summits: ["Olan"]))
    static let tomo = Climber("Tomo", id: "tomo")
    static let ravi = Climber("Ravi", id: "ravi")
}

extension Trek {
    /// A trek with three climbers and two entries; climbers appear as entities once, and as ids elsewhere.
    static let ridge = Trek(
        id: "ridge",
        climbers: .relation([.ines, .tomo]),
        entries: .relation([
            Entry(id: "1", text: "Fog until noon", author: .id("ines")),
            Entry(
                id: "2", text: "The rope is at the hut", author: .id("tomo"),
                photo: .relation(Photo(id: "hut", file: "hut.png")), answerTo: .id("1"), readBy: .ids(["ines"])),
        ]),
        leaders: .ids(["ines"])
    )
}
