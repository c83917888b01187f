// The default values of fields: closures over the declaration's own text, or calls into the type if an extension cannot
// resolve that text.

import Testing

@testable import TroveMacroExpansion

@Suite("Expansion of default values")
struct DefaultExpansionTests {
    @Test func defaults_areTheDeclaredText() {
        expectProperties(
            of: """
                @IndexKeyRecord("id")
                struct Person {
                    var id: Int = 0
                    var score: Double = 1.0 // why not
                    var tags: Set<String>? = nil
                    var born: Date = Date(), kind: Kind = .standard
                    private var level: Int = Self.low + 1 { didSet {} }
                    var count: Int = { 2 }()
                    var none: Int?
                }
                """,
            """
            key: [ Trove.KeyProperty("id", \\Self.id) ],
            fields: [
                Trove.FieldProperty("score", \\Self.score, Trove.fieldCoding(of: Double.self), default: { 1.0 }),
                Trove.FieldProperty("tags", \\Self.tags, Trove.fieldCoding(of: Set<String>?.self), default: { nil }),
                Trove.FieldProperty("born", \\Self.born, Trove.fieldCoding(of: Date.self), default: { Date() }),
                Trove.FieldProperty("kind", \\Self.kind, Trove.fieldCoding(of: Kind.self), default: { .standard }),
                Trove.FieldProperty("level", \\Self.level, Trove.fieldCoding(of: Int.self), default: { Self.low + 1 }),
                Trove.FieldProperty("count", \\Self.count, Trove.fieldCoding(of: Int.self), default: { ({ 2 }()) }),
                Trove.FieldProperty("none", \\Self.none, Trove.fieldCoding(of: Int?.self))
            ])
            """)
    }

    /// Returns a record inside another type, with an additional member.
    private func book(_ member: String) -> String {
        """
        enum Library {
            @IndexKeyRecord("id")
            public struct Book {
                let id: Int
                \(member)
                struct Shelf {}
                static let first = 1
            }
        }
        """
    }

    @Test(
        arguments: [
            "1", "nil", "[]", ".standard", "Shelf()", "Self.first", "Library.Book.first", "Date()", "[Int]()",
            "Set<UUID>()", "\"text\"", "Library.make(Library.first)", ".init(shelf: Shelf())",
        ])
    func whatAnExtensionSees_isWrittenThere(value: String) {
        let text = expansion(of: book("var number: Int = \(value)"))
        #expect(!text.contains("PropertyDefaults"))
    }

    @Test(
        arguments: [
            "Room.north", "[Room]()", "Set<Room>()", "standardRoom", "make(1)", "Library.make(room)", "-low",
            ".init(room: Room.south)", "[1: Room.north]", "Book.first", "\"\\(name)\"", "Room?.none",
        ])
    func aValueWithNamesOfTheOuterType_isComputedInsideTheType(value: String) {
        let text = expansion(of: book("var number: Int = \(value)"))
        #expect(text.contains("default: { PropertyDefaults.number() }"))
        #expect(text.contains("nonisolated public enum PropertyDefaults {"))
        #expect(text.contains("static func number() -> Int {\n                \(value)\n            }"))
    }

    @Test func insideTheType_SelfIsItsName() {
        let text = expansion(of: book("private var `class`: Room = Room(Self.first, { Self.second }())"))
        #expect(text.contains("fileprivate static func `class`() -> Room {"))
        #expect(text.contains("Room(Book.first,"))
        #expect(text.contains("Book.second"))
        #expect(text.contains("PropertyDefaults.`class`()"))
        #expect(expansion(of: book("var next: [Self]? = make()")).contains("static func next() -> [Book]? {"))
    }

    @Test func values_haveDefaultsAndOldNamesToo() {
        expectProperties(
            of: """
                @RecordValue
                struct Address {
                    @Renamed("road") var street: String
                    @Renamed("n", "nr") var number: Int = 1 // why not
                    private var rooms: [Room] = { [.north] }()
                    var none: Int?
                }
                """,
            """
            layout.record(Self.self) { layout in
                layout.field("street", Trove.fieldCoding(of: String.self), renamedFrom: ["road"])
                layout.field("number", Trove.fieldCoding(of: Int.self), renamedFrom: ["n", "nr"], default: { 1 })
                layout.field("rooms", Trove.fieldCoding(of: [Room].self), default: { ({ [.north] }()) })
                layout.field("none", Trove.fieldCoding(of: Int?.self))
            }
            }
            """,
            from: "layout.record(", to: "var encodedSize")
    }

    @Test func insideOtherTypes_valuesHaveDefaultsThatAnExtensionDoesNotSee() {
        let text = expansion(
            of: """
                extension Outer {
                    @RecordValue
                    package struct Address {
                        package var room: Room = Room.north
                        var number: Int = 1
                        private var `class`: [Self] = make(Self.first)
                    }
                }
                """)
        #expect(text.contains("nonisolated package enum PropertyDefaults {"))
        #expect(text.contains("static func room() -> Room {\n                Room.north\n"))
        #expect(
            text.contains("fileprivate static func `class`() -> [Address] {\n                make(Address.first)\n"))
        #expect(!text.contains("func number()"))
        #expect(text.contains("PropertyDefaults.room()"))
        #expect(text.contains("PropertyDefaults.`class`()"))
    }

    /// A value can end with a line that must stay the last one of its kind, such as `#endif`.
    @Test func aValueOfSeveralLines_hasLinesOfItsOwn() {
        let value = "Int.max\n#if DEBUG\n.byteSwapped\n#endif"
        let text = expansion(of: "@IndexKeyRecord(\"id\") struct Book {\n let id: Int\n var number: Int = \(value)\n}")
        #expect(text.contains("default: {\n"))
        #expect(!text.contains("#endif }"))
        let moved = expansion(of: book("var number: Int = \(value)"))
        #expect(moved.contains("func number() -> Int {\n"))
        #expect(!moved.contains("#endif }"))
        #expect(expansion(of: book("var number: Int = 1")).contains("default: { 1 }"))
    }
}
