// The schemas of `StoredNameTypes.swift`: stored names, old names, and the bytes of default values.

import Foundation
import LMDB
import Testing

@testable import Trove

@Suite("Stored names and default values")
struct StoredNameTests {
    // MARK: Names

    @Test func layout_hasTheNamesOfTheCodingKeys() {
        #expect(
            NamedByKeys.schema.layout
                == #"(nr:Int64,class:String){name:String,cache:Int64,place:{"a \"road\"\#n":String,city:String}}"#)
        #expect(NamedByKeys.schema.key.map(\.name) == ["nr", "class"])
        #expect(NamedByKeys.schema.fields.map(\.name) == ["name", "cache", "place"])
    }

    @Test func oldNames_areThoseOfTheAttributes() {
        #expect(NamedByKeys.schema.key.map(\.rule.oldNames) == [["id"], []])
        #expect(NamedByKeys.schema.fields.map(\.rule.oldNames) == [["full name"], [], []])
    }

    @Test func byHand_oldNamesAndDefaultsAreArguments() throws {
        let key = KeyProperty("a", Int.self, renamedFrom: ["b"])
        let field = FieldProperty("c", fieldCoding(of: Int8.self), renamedFrom: ["e", "d"]) { 5 }
        #expect((key.name, key.rule.oldNames, field.name, field.rule.oldNames) == ("a", ["b"], "c", ["e", "d"]))
        #expect(try field.rule.defaultValue?.makeBytes() == [5])
        #expect(FieldProperty("c", fieldCoding(of: Int8.self)).rule.defaultValue == nil)
    }

    @Test func queriesAndProjections_goByProperty() throws {
        let store = try Store.temporary()
        let record = NamedByKeys(
            number: 1, class: "a", fullName: "Leeloo", place: NamedValue(street: "Elm", city: "Salem"))
        try store.insert(record)
        #expect(try NamedByKeys.select(in: store, number: 1, class: .greaterThanOrEqual("a")) == [record])
        #expect(try NamedByKeys.query(number: 1).select(\.fullName).resolve(in: store) == ["Leeloo"])
        let type = try #require(try store.read { context in try context.storedTypes() }.first)
        var stored: [StoredRecord] = []
        try store.read { context in
            try context.forEachStoredRecord(of: type) { record in
                stored.append(record)
                return true
            }
        }
        #expect(stored.map { $0["name"]?.json } == ["\"Leeloo\""])
        #expect(stored.map { $0["fullName"] } == [nil])
    }

    // MARK: Defaults

    /// Checks that the default values in sequence equal the fields of a record with these defaults.
    ///
    /// - Parameter without: The bytes of the fields without a default value.
    private func checkDefaults<Record: IndexKeyRecord>(of record: Record, without: [String: [UInt8]] = [:]) throws {
        let defaults = try Record.schema.fields.flatMap { field in
            let bytes = try field.rule.defaultValue?.makeBytes()
            #expect((bytes == nil) == (without[field.name] != nil), "\(field.name)")
            return bytes ?? without[field.name] ?? []
        }
        #expect(
            try defaults
                == ValueWriter.bytes(count: record.fieldsSize()) { writer in record.encodeFields(into: &writer) })
    }

    @Test func defaults_areTheBytesOfTheInitialValues() throws {
        try checkDefaults(
            of: ManyDefaults.sample, without: ["none": [0], "without": [UInt8](repeating: 0, count: 8)])
    }

    @Test func defaultsThatOnlyTheTypeSees_areTheBytesOfTheInitialValues() throws {
        try checkDefaults(of: DefaultsOutside.Book.sample)
        #expect(DefaultsOutside.Book.sample.number == 4)
    }

    @Test @MainActor func typesOfAnActor_haveDefaults() throws {
        try checkDefaults(of: MainActorDefaults(name: ""))
    }

    @Test func aDefault_isEvaluatedAtEachUse() throws {
        let counter = Monitor(Int8(0))
        let field = FieldProperty("number", fieldCoding(of: Int8.self)) {
            counter.withLock { count in
                count += 1
                return count
            }
        }
        #expect(try field.rule.defaultValue?.makeBytes() == [1])
        #expect(try field.rule.defaultValue?.makeBytes() == [2])
    }

    @Test func aDefaultThatCannotBeWritten_isAnError() throws {
        let field = FieldProperty("note", fieldCoding(of: Unwritable.self)) { Unwritable() }
        #expect(throws: CodingError.self) { try field.rule.defaultValue?.makeBytes() }
    }
}

/// A value not encodable as JSON.
private struct Unwritable: Codable, Sendable {
    init() {}
    init(from decoder: any Decoder) throws {}

    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "never"))
    }
}
