// A failed migration leaves the store unchanged, byte for byte, and reports the reason.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("Migrations that fail") struct FailingRuleTests {
    /// Opens a store with the records, and expects a refusal because of a single record.
    private func expect<Old: IndexKeyRecord, New: IndexKeyRecord>(
        _ old: [Old], _ failing: Old, notToBecome new: New.Type, field: String, saying text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = try MigratedFile(of: old)
        try file.write((0..<3).map { Harmless.Old(id: $0, name: "a") })
        let before = try file.bytes()
        // The harmless type is declared first, so it would be rewritten first.
        let error = storeError { try file.migrate(Harmless.New.self, new) }
        guard case .schema(.unconvertible(let type, let version, let key, let reason)) = error else {
            Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
            return
        }
        #expect(type == New.schema.name && version == Old.fieldsVersion, sourceLocation: sourceLocation)
        #expect(key.bytes == failing.keyBytes, sourceLocation: sourceLocation)
        #expect(reason.field == field, sourceLocation: sourceLocation)
        #expect("\(reason)".contains(text), "\(reason)", sourceLocation: sourceLocation)
        #expect(try file.bytes() == before, sourceLocation: sourceLocation)
    }

    /// Expects the same refusal where no record can be converted.
    private func expect<Old: IndexKeyRecord, New: IndexKeyRecord>(
        _ old: [Old], neverToBecome new: New.Type, because reason: ConversionError,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = try MigratedFile(of: old)
        try file.write((0..<3).map { Harmless.Old(id: $0, name: "a") })
        let before = try file.bytes()
        let expected = StoreError.schema(
            .noConversion(type: New.schema.name, version: Old.fieldsVersion, reason: reason))
        for policy in [MigrationPolicy.onOpen, .background, .lazily] {
            let error = storeError { try file.migrate(Harmless.New.self, new, migrations: policy) }
            #expect(error == expected, sourceLocation: sourceLocation)
        }
        #expect(try file.bytes() == before, sourceLocation: sourceLocation)
    }

    @Test func aNumberOutOfRange_isNamed_theFirstOfThem() throws {
        let old = [1, 127, 128, 5, -129].enumerated().map { Narrowed.Old(id: $0, size: $1) }
        try expect(old, old[2], notToBecome: Narrowed.New.self, field: "size", saying: "128")
    }

    @Test func aNilWithoutADefault_isNamed() throws {
        let old = [3, nil, 4].enumerated().map { Unfilled.Old(id: $0, size: $1) }
        try expect(old, old[1], notToBecome: Unfilled.New.self, field: "size", saying: "nil")
    }

    @Test func aTextThatIsNoNumber_isNamed() throws {
        for text in ["", "1 ", "+1", "1.0", "0x1", "9223372036854775808", "true"] {
            let old = ["12", text].enumerated().map { Texts.Old(id: $0, text: $1) }
            try expect(old, old[1], notToBecome: Texts.AsInteger.self, field: "text", saying: "Int64")
        }
        let old = ["true", "false", "yes"].enumerated().map { Texts.Old(id: $0, text: $1) }
        try expect(old, old[2], notToBecome: Texts.AsBool.self, field: "text", saying: "yes")
    }

    @Test func anInexactNumber_isNamed() throws {
        for number in [0.5, .infinity, .nan, 1e19, -0x1p63 * 1.5] {
            let old = [1, number].enumerated().map { Fractions.Old(id: $0, amount: $1) }
            try expect(old, old[1], notToBecome: Fractions.AsInteger.self, field: "amount", saying: "Int64")
        }
        let old = [0.5, 0.1].enumerated().map { Fractions.Old(id: $0, amount: $1) }
        try expect(old, old[1], notToBecome: Fractions.AsFloat.self, field: "amount", saying: "0.1")
        let large = [1 << 53, 1 << 53 + 1].enumerated().map { Fractions.Large(id: $0, amount: $1) }
        try expect(large, large[1], notToBecome: Fractions.Old.self, field: "amount", saying: "9007199254740993")
    }

    @Test func aRawValueThatIsGone_isNamed() throws {
        let texts = ["low", "medium"].enumerated().map { Texts.Old(id: $0, text: $1) }
        try expect(texts, texts[1], notToBecome: Texts.AsLevel.self, field: "text", saying: "is not a value of")
        let old = [LostCase.Level.low, .medium].enumerated().map { LostCase.Old(id: $0, level: $1, levels: [.low]) }
        try expect(old, old[1], notToBecome: LostCase.New.self, field: "level", saying: "is not a value of")
        let lists = [LostCase.Level.low, .medium].enumerated().map { LostCase.Old(id: $0, level: .low, levels: [$1]) }
        try expect(lists, lists[1], notToBecome: LostCase.NewList.self, field: "levels", saying: "is not a value of")
    }

    @Test func aValueInsideOthers_isNamed() throws {
        let sound = Inner.Old(id: 1, boxes: ["a": .init(sizes: [1])], state: .sized(1))
        let large = Inner.Old(id: 2, boxes: ["a": .init(sizes: [1]), "b": .init(sizes: [2, 300])], state: .sized(1))
        try expect([sound, large], large, notToBecome: Inner.New.self, field: "boxes", saying: "300")
        let gone = Inner.Old(id: 2, boxes: [:], state: .gone)
        try expect([sound, gone], gone, notToBecome: Inner.New.self, field: "state", saying: "gone")
    }

    @Test func whatNoRecordLivesThrough_isFoundBeforeAnyIsRead() throws {
        let old = [Hopeless.Old(id: 1, name: "a", point: .init(x: 1))]
        try expect(
            old, neverToBecome: Hopeless.WithoutDefault.self,
            because: ConversionError(field: "size", reason: .noDefault))
        try expect(
            old, neverToBecome: Hopeless.OtherType.self,
            because: ConversionError(field: "name", reason: .differentTypes(from: .string, to: .date)))
        try expect(
            old, neverToBecome: Hopeless.InnerWithoutDefault.self,
            because: ConversionError(field: "point.z", reason: .noDefault))
    }

    /// Records are validated in several reads.
    @Test func theLastOfManyRecords_isFoundBeforeTheFirstIsRewritten() throws {
        let file = try MigratedFile()
        let last = 50_100
        try file.write((0...last).map { Narrowed.Old(id: $0, size: $0 == last ? 300 : 1) })
        let before = try file.bytes()
        guard case .schema(.unconvertible(_, _, let key, _))? = storeError({ try file.migrate(Narrowed.New.self) })
        else {
            Issue.record("the type was migrated")
            return
        }
        #expect(key.bytes == Narrowed.New(id: last, size: 0).keyBytes)
        #expect(try file.bytes() == before)
    }

    /// A type without records can change in any way.
    @Test func withoutRecords_nothingFails() throws {
        let file = try MigratedFile(of: [Hopeless.Old(id: 1, name: "a", point: .init(x: 1))])
        _ = try file.open().delete(Hopeless.Old.self, key: 1)
        try file.migrate(Hopeless.WithoutDefault.self)
        try file.write([Hopeless.WithoutDefault(id: 2, name: "b", point: .init(x: 2), size: 3)])
        #expect(try file.read(Hopeless.WithoutDefault.self).map(\.size) == [3])
    }

    /// A damaged record is reported as damaged, not as unconvertible.
    @Test func aDamagedRecord_stopsTheMigration_andIsNamed() throws {
        let file = try MigratedFile(of: [1, 2, 3].map { Harmless.Old(id: $0, name: "unmistakable \($0)") })
        var raw = try RawFile(file.path)
        let text = Array("unmistakable 2".utf8)
        let place = try #require(raw.bytes.indices.last { raw.bytes[$0...].starts(with: text) })
        raw.bytes[place] ^= 1
        try raw.write(to: file.path)
        let before = try file.bytes()
        let expected = StoreError.record(
            .checksumMismatch(type: "Harmless.New", key: StoredKey(2, of: Harmless.New.self)))
        #expect(storeError { try file.migrate(Harmless.New.self) } == expected)
        #expect(try file.bytes() == before)
    }
}
