// The type of each relation. What it does not allow does not compile: `EntityRefusalTests` has the compiler's messages.

import Testing
import Trove
import TroveSpellings

@Suite("Coming from SwiftletModel: type safety")
struct TypeSafetyTests {
    private typealias Path<Target: EntityModelProtocol, Direction: DirectionalityProtocol, Count, Constraint> =
        KeyPath<Entry, Relation<Target, Direction, Count, Constraint>>
    where Count: CardinalityProtocol, Constraint: ConstraintsProtocol, Count.Entity == Target

    private typealias One = Relations.ToOne
    private typealias Many = Relations.ToMany

    @Test func theTypeOfARelation_hasItsDirection_itsNumberOfTargets_andItsConstraint() {
        let author: Path<Climber, Relations.OneWay, One<Climber>, Relations.Required> = \.$author
        let trek: Path<Trek, Relations.Mutual, One<Trek>, Relations.Required> = \.$trek
        let photo: Path<Photo, Relations.Mutual, One<Photo>, Relations.Optional> = \.$photo
        let answers: Path<Entry, Relations.Mutual, Many<Entry>, Relations.Optional> = \.$answers
        let readBy: Path<Climber, Relations.OneWay, Many<Climber>, Relations.Optional> = \.$readBy
        let entry = Entry(id: "1", text: "", author: .id("ines"), trek: .id("ridge"), photo: .null, readBy: .ids([]))
        #expect(entry[keyPath: author].id == "ines")
        #expect(entry[keyPath: trek].id == "ridge")
        #expect(entry[keyPath: photo].isNull)
        #expect(entry[keyPath: answers].isNone)
        #expect(entry[keyPath: readBy].ids.isEmpty)
    }
}
