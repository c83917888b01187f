// The expansions of `MacroTypes.swift` at work: schema, keys, fields, identity.

import Foundation
import Testing
import Trove

@Suite("Generated conformances")
struct MacroBehaviourTests {
    // MARK: Round trips

    /// Returns the bytes of the key.
    private func key(_ record: some IndexKeyRecord) -> [UInt8] {
        KeyWriter.bytes { writer in record.encodeKey(into: &writer) }
    }

    /// Returns the bytes of the fields, written into exactly the announced size.
    private func fields(_ record: some IndexKeyRecord) throws -> [UInt8] {
        try ValueWriter.bytes(count: record.fieldsSize()) { writer in record.encodeFields(into: &writer) }
    }

    private func roundTrip<Record: IndexKeyRecord>(_ record: Record) throws -> Record {
        let key = key(record)
        let fields = try fields(record)
        return try unsafe RecordReader.read(key: key.span.bytes, fields: fields.span.bytes) {
            (reader) throws(CodingError) in try Record(decoding: &reader)
        }
    }

    private func checkRoundTrip<Record: IndexKeyRecord & Equatable>(_ record: Record) throws {
        #expect(try roundTrip(record) == record)
        #expect(key(record) == KeyWriter.bytes { writer in record.indexKey.encodeKey(into: &writer) })
    }

    @Test func recordsOfEveryShape_comeBack() throws {
        try checkRoundTrip(MacroPerson(lastName: "Dallas", firstName: "Korben", age: 45))
        try checkRoundTrip(PublicAirport(code: "FRA", name: "Frankfurt", runways: 4))
        try checkRoundTrip(PackageAirport(code: "FRA", name: "Frankfurt"))
        try checkRoundTrip(
            MacroLibrary.Book(
                genre: .poetry, title: "Odes", shelf: .init(room: .south, number: 3), class: [.crime, .poetry],
                edition: .later(number: 2, .science)))
        try checkRoundTrip(MacroLibrary.Loan(genre: .crime, due: Date(timeIntervalSince1970: 0.25), kind: nil))
        try checkRoundTrip(MacroLibrary.Desk.Drawer(number: 4, genre: .crime))
        try checkRoundTrip(OwnInitialiser("Leeloo"))
        try checkRoundTrip(ManyMembers.shared)
        try checkRoundTrip(AwkwardKey(in: 1, limit: 2, order: "three", after: true, default: 5))
        try checkRoundTrip(
            ShadowingNames(
                source: 1, writer: 2, destination: 3, query: 4, reader: 5, size: 6, layout: 7, property: 8, schema: 9,
                select: 10))
        try checkRoundTrip(
            ManyKeys(
                rank: Descending(9), span: Tuple(-4, "a\0b"), nick: nil, active: true, kind: .small, bytes: [0, 1, 2]))
        try checkRoundTrip(KeyIsID(id: UUID(), text: "text"))
        try checkRoundTrip(IDIsField(name: "name", id: 3))
        try checkRoundTrip(DeclaresConformance(day: -1))
        try checkRoundTrip(
            ManyFields(
                number: 1, text: "é", data: Data([1, 2]), date: .distantFuture, moods: [.calm, .wild], mood: nil,
                note: Note(text: "good", stars: 5), scores: ["a": [1, 2], "b": []], tags: ["x", "y"],
                address: Address(street: "Elm", city: "Salem"), shape: .group([.circle(radius: 1), .empty]),
                pair: Pair(first: 1, second: "one"), parenthesised: 3))
    }

    @Test func privateRecords_haveSchemas() {
        #expect(PrivateTypes.names == ["PrivateSession", "FileprivateSession"])
    }

    @Test func values_keepTheLaws() {
        let point = Shape.Point(x: 1, y: -2)
        let shapes: [Shape] = [
            .empty, .circle(radius: 0), .line(from: point, to: point), .default(1, in: "two"),
            .group([.empty, .group([])]), .twice(.twice(.empty)),
        ]
        #expect(CodingLaws.valueViolations(of: shapes) == [])
        #expect(CodingLaws.valueViolations(of: [Tree(label: "a", children: [Tree(label: "b", children: [])])]) == [])
        #expect(CodingLaws.valueViolations(of: [Pair(first: 1, second: "b")]) == [])
        #expect(CodingLaws.valueViolations(of: [PublicAnswer.yes, .no(because: "it rains")]) == [])
        #expect(
            CodingLaws.valueViolations(of: [
                Workshop.Job.idle, .make(.init(name: "kg"), count: 3), .notes(["a": .init(name: "m")], "b"),
            ]) == [])
    }

    // MARK: Bytes

    @Test func handWrittenConformance_givesTheSameBytes() throws {
        for (last, first, age) in [("Dallas", "Korben", 45), ("", "", Int.min), ("ü\0", "\u{1}", -1)] {
            let generated = MacroPerson(lastName: last, firstName: first, age: age)
            let byHand = HandWrittenPerson(lastName: last, firstName: first, age: age)
            #expect(key(generated) == key(byHand))
            #expect(try fields(generated) == fields(byHand))
            #expect(try roundTrip(byHand) == byHand)
        }
        #expect(MacroPerson.schema.fields.map(\.name) == HandWrittenPerson.schema.fields.map(\.name))
        #expect(MacroPerson.schema.fieldsVersion == HandWrittenPerson.schema.fieldsVersion)
    }

    @Test func fieldsFollowEachOther_withoutTheKey() throws {
        #expect(try fields(MacroPerson(lastName: "a", firstName: "b", age: 258)) == [2, 1, 0, 0, 0, 0, 0, 0])
        #expect(try fields(DeclaresConformance(day: 1)).isEmpty)
    }

    @Test func enums_areTheIndexOfTheirCaseAndItsValues() throws {
        #expect(try ValueWriter.bytes(of: Shape.empty) == [0])
        #expect(try ValueWriter.bytes(of: Shape.default(1, in: "z")) == [3, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0x7A])
        #expect(try ValueWriter.bytes(of: PublicAnswer.no(because: "")) == [1, 0])
    }

    @Test func unknownCase_isMalformed() {
        #expect(throws: CodingError.self) { try ValueReader.decode(Shape.self, from: [6]) }
        #expect(throws: CodingError.self) { try ValueReader.decode(PublicAnswer.self, from: [0, 0]) }
    }

    @Test func deepNesting_isAnErrorBothWays() {
        var shape = Shape.empty
        for _ in 0..<ValueWriter.depthLimit { shape = .twice(shape) }
        #expect(throws: CodingError.self) { try ValueWriter.bytes(of: shape) }
        let bytes = [UInt8](repeating: 5, count: 1_000) + [0]
        #expect(throws: CodingError.self) { try ValueReader.decode(Shape.self, from: bytes) }
    }

    // MARK: Schema

    @Test func schema_namesKeyAndFields() {
        #expect(MacroPerson.schema.name == "MacroPerson")
        #expect(MacroPerson.schema.key.map(\.name) == ["lastName", "firstName"])
        #expect(MacroPerson.schema.fields.map(\.name) == ["age"])
        #expect(ManyMembers.schema.key.map(\.name) == ["a", "c"])
        #expect(ManyMembers.schema.fields.map(\.name) == ["b", "e", "count", "changes", "title", "level"])
        #expect(MacroLibrary.Book.schema.fields.map(\.name) == ["shelf", "class", "edition"])
    }

    @Test func schema_isNamedByTheLexicalPath() {
        #expect(MacroLibrary.Book.schema.name == "MacroLibrary.Book")
        #expect(MacroLibrary.Loan.schema.name == "MacroLibrary.Loan")
        #expect(MacroLibrary.Desk.Drawer.schema.name == "MacroLibrary.Desk.Drawer")
        #expect(PublicLibrary.Entry.schema.name == "PublicLibrary.Entry")
    }

    @Test func schema_takesNumbersGivenByHand() {
        #expect(NumberedByHand.schema.keyPrefix == 7)
        #expect(NumberedByHand.schema.fieldsVersion == 255)
    }

    @Test func keyOrder_isTheOrderOfTheArguments() {
        let record = ManyKeys(
            rank: Descending(1), span: Tuple(1, ""), nick: "n", active: false, kind: .large, bytes: [])
        #expect(record.indexKey == Tuple("n", false, .large, Tuple(1, ""), Descending(1)))
        #expect(ManyKeys.schema.key.map(\.name) == ["nick", "active", "kind", "span", "rank"])
    }

    @Test func layouts_describeTheStoredFields() {
        #expect(LayoutBuilder.text(of: Address.self) == "{street:String,city:String,number:Int64?}")
        #expect(LayoutBuilder.text(of: Tree.self) == "{label:String,children:[^1]}")
        #expect(
            LayoutBuilder.text(of: Shape.self)
                == "enum{empty,circle(radius:Double),line(from:{x:Double,y:Double},to:{x:Double,y:Double}),"
                + "default(Int64,in:String),group([^1]),twice(^1)}")
    }

    // MARK: Identity

    private func identity<Value: Identifiable>(of value: Value) -> Value.ID { value.id }

    @Test func id_isTheKey() {
        let person = MacroPerson(lastName: "Dallas", firstName: "Korben", age: 45)
        #expect(identity(of: person) == Tuple("Dallas", "Korben"))
        let named = KeyIsID(id: UUID(), text: "")
        #expect(identity(of: named) == named.indexKey)
        #expect(identity(of: OwnIdentity(name: "a")) == "A")
    }

    @Test func aTypeWithAnotherID_isNotIdentifiable() {
        #expect(!(IDIsField(name: "a", id: 1) as Any is any Identifiable))
        #expect(!(PublicWithHiddenID(id: 1, text: "") as Any is any Identifiable))
    }

    // MARK: Properties and queries

    @Test func queries_nameEveryStoredProperty_andNoOther() throws {
        let store = try Store.temporary()
        #expect(try MacroPerson.query().select(\.lastName).resolve(in: store) == [])
        #expect(try MacroPerson.query().select(\.age).resolve(in: store) == [])
        #expect(try ManyMembers.query().select(\.level).resolve(in: store) == [])
        #expect(throws: StoreError.query(.notStored(type: "ManyMembers", property: "\\ManyMembers.<computed Int>"))) {
            try ManyMembers.query().select(\.total).resolve(in: store)
        }
        // Its schema gives no key paths.
        let error = StoreError.query(.notStored(type: "HandWrittenPerson", property: "\(\HandWrittenPerson.age)"))
        #expect(throws: error) {
            try HandWrittenPerson.query().select(\.age).resolve(in: store)
        }
    }

    @Test func queries_existForEachPrefixOfTheKey() throws {
        let store = try Store.temporary()
        // A query throws if its components are not leading components of the key.
        var count = 0
        count += try MacroPerson.query(lastName: "Dallas").count(in: store)
        count += try MacroPerson.query(lastName: .hasPrefix("D")).count(in: store)
        count += try MacroPerson.query(lastName: "Dallas", firstName: "Korben").count(in: store)
        count += try MacroPerson.query(lastName: "Dallas", firstName: .lessThanOrEqual("Ruby")).count(in: store)
        count += try MacroLibrary.Book.query(genre: .crime).count(in: store)
        count += try MacroLibrary.Book.query(genre: .crime, title: .within(["a", "b"])).count(in: store)
        count += try ManyKeys.query(nick: nil).count(in: store)
        count += try ManyKeys.query(nick: .greaterThan("a")).count(in: store)
        count += try ManyKeys.query(nick: "a", active: .equals(true)).count(in: store)
        count += try ManyKeys.query(nick: "a", active: true, kind: .within([.small, .large])).count(in: store)
        count += try ManyKeys.query(nick: "a", active: true, kind: .small, span: .lessThan(Tuple(1, "b")))
            .count(in: store)
        count += try ManyKeys.query(nick: "a", active: true, kind: .small, span: Tuple(1, "b"), rank: Descending(3))
            .count(in: store)
        count += try AwkwardKey.query(in: 1, limit: 2, order: "c", after: .equals(true)).count(in: store)
        count += try ShadowingNames.query(source: 1, writer: 2, destination: 3, query: .greaterThan(4)).count(in: store)
        count += try PublicLibrary.Entry.query(language: .german).count(in: store)
        #expect(count == 0)
    }
}
