// A record type whose enums lose cases from one program to the next. The layout holds only their raw types: it stays.

import Trove

enum Faded {
    enum OldMood: String, Codable { case good, ugly }
    enum NewMood: String, Codable { case good }
    enum OldGrade: Int, KeyComponent { case low = 1, high = 9 }
    enum NewGrade: Int, KeyComponent { case low = 1 }

    @IndexKeyRecord(keyPrefix: 6_900_001, "id")
    struct Old: Hashable {
        #Index<Old>(\.n)
        #Index<Old>(\.n, where: { $0.n >= 3 })
        #Index<Old>(\.tags.each)
        #Unique<Old>(\.name, collisions: .throw)
        #FullTextIndex<Old>(\.note)

        let id: Int
        var n: Int
        var name: String
        var tags: [String]
        var note: String
        var mood: OldMood
        var grade: OldGrade
    }

    @IndexKeyRecord(keyPrefix: 6_900_001, "id")
    struct New: Hashable {
        #Index<New>(\.n)
        #Index<New>(\.n, where: { $0.n >= 3 })
        #Index<New>(\.tags.each)
        #Unique<New>(\.name, collisions: .throw)
        #FullTextIndex<New>(\.note)

        let id: Int
        var n: Int
        var name: String
        var tags: [String]
        var note: String
        var mood: NewMood
        var grade: NewGrade
    }

    /// The enums are indexed.
    @IndexKeyRecord(keyPrefix: 6_900_001, "id")
    struct Moody: Hashable {
        #Index<Moody>(\.n)
        #Index<Moody>(\.n, where: { $0.n >= 3 })
        #Index<Moody>(\.tags.each)
        #Unique<Moody>(\.name, collisions: .throw)
        #FullTextIndex<Moody>(\.note)
        #Index<Moody>(\.mood)
        #Index<Moody>(\.grade.desc, \.n)
        #Unique<Moody>(\.n, \.grade, collisions: .throw)

        let id: Int
        var n: Int
        var name: String
        var tags: [String]
        var note: String
        var mood: NewMood
        var grade: NewGrade
    }

    /// Another layout.
    @IndexKeyRecord(keyPrefix: 6_900_001, "id")
    struct Wider: Hashable {
        #Index<Wider>(\.n)
        #Index<Wider>(\.n, where: { $0.n >= 3 })
        #Index<Wider>(\.tags.each)
        #Unique<Wider>(\.name, collisions: .throw)
        #FullTextIndex<Wider>(\.note)

        let id: Int
        var n: Int
        var name: String
        var tags: [String]
        var note: String
        var mood: NewMood
        var grade: NewGrade
        var extra: Int?
    }

    static func old(_ id: Int, mood: OldMood = .good, grade: OldGrade = .low) -> Old {
        Old(
            id: id, n: id, name: "n\(id)", tags: ["all", "t\(id)"], note: "note number\(id)", mood: mood, grade: grade)
    }

    static func new(_ id: Int, n: Int? = nil) -> New {
        New(id: id, n: n ?? id, name: "n\(id)", tags: ["all", "u\(id)"], note: "other text", mood: .good, grade: .low)
    }

    static func moody(_ id: Int, n: Int? = nil) -> Moody {
        Moody(
            id: id, n: n ?? id, name: "n\(id)", tags: ["all", "u\(id)"], note: "other text", mood: .good, grade: .low)
    }
}

/// A field whose bytes only its own type can read, beside an enum that loses a case.
enum Coffer {
    struct Money: RecordValue, Hashable {
        var cents: Int32

        static func describe(in layout: inout LayoutBuilder) { layout.append("CofferMoney") }
        static var fixedSize: Int? { 4 }
        var encodedSize: Int { get throws(CodingError) { 4 } }
        func encode(into writer: inout ValueWriter) { cents.encode(into: &writer) }
        static func skip(in reader: inout ValueReader) throws(CodingError) { try Int32.skip(in: &reader) }
    }

    @IndexKeyRecord(keyPrefix: 6_900_002, "id")
    struct Old: Hashable {
        #Index<Old>(\.n)
        #Unique<Old>(\.name, collisions: .throw)
        #FullTextIndex<Old>(\.name)

        let id: Int
        var n: Int
        var name: String
        var price: Money
        var mood: Faded.OldMood
    }

    @IndexKeyRecord(keyPrefix: 6_900_002, "id")
    struct New: Hashable {
        #Index<New>(\.n)
        #Unique<New>(\.name, collisions: .throw)
        #FullTextIndex<New>(\.name)

        let id: Int
        var n: Int
        var name: String
        var price: Money
        var mood: Faded.NewMood
    }
}

extension Coffer.Money {
    init(decoding reader: inout ValueReader) throws(CodingError) { cents = try Int32(decoding: &reader) }
}

/// A `Codable` type that gains a property. The layout holds only its name.
enum Grown {
    enum First {
        struct Settings: Codable, Hashable { var a: Int }
    }

    enum Second {
        struct Settings: Codable, Hashable {
            var a: Int
            var theme: String
        }
    }

    @IndexKeyRecord(keyPrefix: 6_900_003, "id")
    struct Old: Hashable {
        #Index<Old>(\.n)

        let id: Int
        var n: Int
        var settings: [First.Settings]
    }

    @IndexKeyRecord(keyPrefix: 6_900_003, "id")
    struct New: Hashable {
        #Index<New>(\.n)

        let id: Int
        var n: Int
        var settings: [Second.Settings]
    }

    @IndexKeyRecord(keyPrefix: 6_900_003, "id")
    struct Wider: Hashable {
        #Index<Wider>(\.n)

        let id: Int
        var n: Int
        var settings: [Second.Settings]
        var extra: Int?
    }
}

/// A key with an enum that loses a case.
enum GradeKey {
    @IndexKeyRecord(keyPrefix: 6_900_004, "grade")
    struct Old {
        let grade: Faded.OldGrade
        var n: Int
    }

    @IndexKeyRecord(keyPrefix: 6_900_004, "grade")
    struct New {
        let grade: Faded.NewGrade
        var n: Int
    }
}
