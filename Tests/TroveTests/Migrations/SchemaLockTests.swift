// A schema lock reports what changed, and only what changed.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Schema lock") struct SchemaLockTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("schema.json")
    }

    // MARK: The file

    @Test func withoutAFile_itIsWritten_andTheTestFails() throws {
        #expect(
            lockError { try SchemaLock.check([FirstRelease.Pet.self], at: path) }
                == .written(path: path))
        try SchemaLock.check([FirstRelease.Pet.self], at: path)
    }

    @Test func theFile_isSorted_withOnePropertyALine() throws {
        try SchemaLock.write([FirstRelease.Pet.self, FirstRelease.House.self], at: path)
        #expect(
            try text() == """
                {
                  "format": 1,
                  "types": [
                    {
                      "name": "TroveTests.FirstRelease.House",
                      "keyPrefix": 6000002,
                      "fieldsVersion": 1,
                      "key": [
                        {"town": "String"},
                        {"number": "UInt16"}
                      ],
                      "fields": [
                        {"rooms": "[Int8]"},
                        {"owner": "String"}
                      ]
                    },
                    {
                      "name": "TroveTests.FirstRelease.Pet",
                      "keyPrefix": 6000003,
                      "fieldsVersion": \(FirstRelease.Pet.fieldsVersion),
                      "key": [
                        {"id": "Int64"}
                      ],
                      "fields": []
                    }
                  ]
                }

                """)
        let first = try text()
        try SchemaLock.write([FirstRelease.House.self, FirstRelease.Pet.self], at: path)
        #expect(try text() == first)
    }

    @Test func theFile_liesBesideTheCaller() throws {
        try SchemaLock.write([FirstRelease.Pet.self], at: "lock.json", filePath: directory.path("SomeTests.swift"))
        #expect(try directory.names() == ["lock.json"])
        try SchemaLock.check([FirstRelease.Pet.self], at: "lock.json", filePath: directory.path("OtherTests.swift"))
    }

    /// Only the contents of the file are compared, not its formatting.
    @Test func aReformattedFile_isTheSame() throws {
        let types: [any IndexKeyRecord.Type] = [LockSamples.Quoted.self, LockSamples.Automatic.self]
        try SchemaLock.write(types, at: path)
        try SchemaLock.check(types.reversed(), at: path)
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
        try JSONSerialization.data(withJSONObject: object).write(to: URL(filePath: path))
        try SchemaLock.check(types, at: path)
    }

    @Test func noTypes_areALockToo() throws {
        try SchemaLock.write([], at: path)
        try SchemaLock.check([], at: path)
        let changes = try changes(to: [FirstRelease.Pet.self])
        #expect(changes.map { "\($0)" } == ["TroveTests.FirstRelease.Pet: is new"])
    }

    // MARK: Changes

    @Test func changes_areReported_asTheRulesConvertThem() throws {
        try lock(FirstRelease.Person.self, asOf: "SecondRelease")
        let (old, new) = (FirstRelease.Person.fieldsVersion, SecondRelease.Person.fieldsVersion)
        #expect(
            try kinds(SecondRelease.Person.self).map { "\($0)" } == [
                "nickname is new: nil in old records", "fullName was named name",
                "score was Int64, is Double, where each value can be converted",
                "isActive is new: its default in old records", "remarks is removed, with what is stored in it",
                "its fieldsVersion was \(old), is \(new)",
            ])
    }

    @Test func changesBeyondTheRules_areReportedPlainly() throws {
        try lock(FirstRelease.Person.self, asOf: "ThirdRelease")
        let kinds = try kinds(ThirdRelease.Person.self)
        #expect(
            kinds.dropLast() == [
                .keyChanged(from: "(id:UUID)", to: "(id:UUID,name:String)"),
                .propertyChanged(name: "score", from: "Int64", to: "UUID"),
                .propertyAdded(name: "age", type: "Int64"), .propertyRemoved(name: "remarks"),
                .notConverted(
                    ConversionError(
                        field: "score",
                        reason: .differentTypes(from: .integer(bits: 64, isSigned: true), to: .uuid))),
            ])
        #expect(
            kinds.last
                == .versionChanged(from: FirstRelease.Person.fieldsVersion, to: ThirdRelease.Person.fieldsVersion))
    }

    @Test func anotherLayout_underTheSameVersion_isAMistake() throws {
        try lock(FirstRelease.House.self, asOf: "SecondRelease")
        let changes = try changes(to: [SecondRelease.House.self])
        #expect(changes.map(\.kind) == [.reordered(names: ["owner", "rooms"]), .versionKept(1)])
        #expect(changes.map(\.isMistake) == [false, true])
        let text = "\(SchemaLockError.changed(path: path, changes: changes))"
        #expect(text.contains("MISTAKE: its layout has changed, but its fieldsVersion is still 1."))
        #expect(!text.contains("accept"))
    }

    @Test func anotherVersion_alone_isAChange() throws {
        try lock(FirstRelease.House.self, asOf: "ThirdRelease")
        #expect(try kinds(ThirdRelease.House.self) == [.versionChanged(from: 1, to: 2)])
    }

    @Test func addedAndRemovedTypes_areReported() throws {
        try SchemaLock.write([FirstRelease.Person.self, FirstRelease.Pet.self], at: path)
        let changes = try changes(to: [FirstRelease.Person.self, SecondRelease.Toy.self])
        #expect(changes.map(\.type) == ["TroveTests.SecondRelease.Toy", "TroveTests.FirstRelease.Pet"])
        #expect(changes.map(\.kind) == [.added, .removed(keyPrefix: 6_000_003)])
        #expect(changes.map(\.isMistake) == [false, false])
    }

    @Test func aTypeOfAnotherName_isKnownByItsPrefix() throws {
        try SchemaLock.write([FirstRelease.House.self], at: path)
        #expect(
            try kinds(ThirdRelease.House.self) == [
                .renamed(from: "TroveTests.FirstRelease.House", isRefused: false), .versionChanged(from: 1, to: 2),
            ])
    }

    /// The prefix is derived from the name without the module. Stores also compare the module.
    @Test func aTypeOfAnotherModule_isAMistake_whereItsPrefixIsAutomatic() throws {
        try SchemaLock.write([LockSamples.Automatic.self], at: path)
        try replace("TroveTests.", by: "Other.")
        let changes = try changes(to: [LockSamples.Automatic.self])
        #expect(changes.map(\.kind) == [.renamed(from: "Other.LockSamples.Automatic", isRefused: true)])
        #expect(changes.map(\.isMistake) == [true])
    }

    @Test func anotherPrefix_isReported() throws {
        try lock(FirstRelease.Pet.self, asOf: "ThirdRelease")
        #expect(try kinds(ThirdRelease.Pet.self) == [.prefixChanged(from: 6_000_003, to: 6_000_013)])
    }

    /// A type is identified by its prefix. Of two types that had a prefix each, the type whose prefix is no longer
    /// declared is removed.
    @Test func aPrefix_countsMoreThanAName() throws {
        try SchemaLock.write([FirstRelease.Pet.self, ThirdRelease.Pet.self], at: path)
        try replace("FirstRelease", by: "ThirdRelease")
        let changes = try changes(to: [ThirdRelease.Pet.self])
        #expect(changes.map(\.kind) == [.removed(keyPrefix: 6_000_003)])
    }

    /// A layout beyond the rules is compared as text.
    /// A pass over all types for each of them took minutes.
    @Test func manyTypes_areComparedInOnePass() throws {
        let layout = try RecordLayout("(id:Int64){name:String}")
        func types(_ numbers: some Sequence<Int>, prefixed first: UInt32 = 1) -> [LockedType] {
            numbers.map { number in
                LockedType(
                    name: "M.T\(number)", keyPrefix: first + UInt32(number), fieldsVersion: 1, layout, relations: [])
            }
        }
        let old = types(0..<50_000)
        let reversed = types((0..<50_000).reversed()).map { ComparedType($0) }
        #expect(SchemaComparison(old: old, new: reversed).changes.isEmpty)
        let changes = SchemaComparison(
            old: old, new: types(10..<50_010, prefixed: 100_000).map { ComparedType($0) }
        ).changes
        #expect(changes.count == 50_010)
        #expect(changes.count { if case .prefixChanged = $0.kind { true } else { false } } == 49_990)
        #expect(changes.suffix(10).map(\.type) == (0..<10).map { "M.T\($0)" })
    }

    @Test func layoutsOfTheirOwn_areCompared() throws {
        try SchemaLock.write([LockSamples.Quoted.self], at: path)
        #expect(try text().contains(#"{"a \"quoted\" \\ name": "[String:Set<Int8>]"}"#))
        try replace("of my own", by: "of yours")
        let kinds = try kinds(LockSamples.Quoted.self)
        #expect(
            kinds.first
                == .propertyChanged(
                    name: "sealed", from: "some, \"thing\": of yours", to: "some, \"thing\": of my own"))
        guard case .notConverted? = kinds.dropFirst().first else {
            Issue.record("\(kinds)")
            return
        }
    }

    @Test func theError_isReadByPeople() throws {
        try lock(FirstRelease.Person.self, asOf: "SecondRelease")
        let error = try #require(
            lockError {
                try SchemaLock.check([SecondRelease.Person.self, SecondRelease.Toy.self], at: path)
            })
        let (old, new) = (FirstRelease.Person.fieldsVersion, SecondRelease.Person.fieldsVersion)
        #expect(
            "\(error)" == """
                The layouts differ from \(path):
                  TroveTests.SecondRelease.Person
                    nickname is new: nil in old records
                    fullName was named name
                    score was Int64, is Double, where each value can be converted
                    isActive is new: its default in old records
                    remarks is removed, with what is stored in it
                    its fieldsVersion was \(old), is \(new)
                  TroveTests.SecondRelease.Toy
                    is new
                If these changes are intended, accept them: delete the file and run the test again, or call \
                SchemaLock.write(_:at:). Then commit the file.
                """)
    }

    // MARK: Errors

    @Test func twoTypesOfOnePrefix_areRefused_andNothingIsWritten() throws {
        let error = lockError {
            try SchemaLock.check([LockSamples.Quoted.self, LockSamples.SamePrefix.self], at: path)
        }
        #expect(
            error
                == .prefixTaken(
                    prefix: 6_000_005, type: "TroveTests.LockSamples.SamePrefix", by: "TroveTests.LockSamples.Quoted"))
        let twice = lockError {
            try SchemaLock.write([FirstRelease.Pet.self, FirstRelease.Pet.self], at: path)
        }
        #expect(twice.map { "\($0)".contains("is listed twice") } == true)
        #expect(try directory.names().isEmpty)
    }

    @Test(arguments: [
        ("", ""), ("\"format\": 1", "\"format\": 2"), ("\"format\": 1,", ""), ("{\"id\": \"Int64\"}", "{}"),
        ("{\"id\": \"Int64\"}", "{\"id\": \"Int64\", \"name\": \"String\"}"), ("{\"id\": \"Int64\"}", "\"id\""),
        ("6000003", "-1"), ("6000003", "6000002"), ("\"types\"", "\"kinds\""), ("{\n", "<<<<<<< HEAD\n{\n"),
    ])
    func aDamagedFile_isNamed(_ part: String, _ other: String) throws {
        let types: [any IndexKeyRecord.Type] = [FirstRelease.House.self, FirstRelease.Pet.self]
        try SchemaLock.write(types, at: path)
        if part.isEmpty { try Data().write(to: URL(filePath: path)) } else { try replace(part, by: other) }
        let error = lockError { try SchemaLock.check(types, at: path) }
        guard case .damaged(path, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasSuffix("."))
        #expect(!reason.contains("DecodingError"))
    }

    @Test func aPlaceThatIsNoFile_isNamed() throws {
        for place in [directory.path, directory.path("missing/schema.json")] {
            let error = lockError {
                try SchemaLock.check([FirstRelease.Pet.self], at: place)
            }
            guard case .inaccessible(place, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    // MARK: Helpers

    /// Writes the lock of a type as if it had been declared in another release.
    private func lock(_ type: any IndexKeyRecord.Type, asOf release: String) throws {
        try SchemaLock.write([type], at: path)
        try replace("FirstRelease", by: release)
    }

    private func replace(_ part: String, by other: String) throws {
        let text = try text()
        try #require(text.contains(part))
        try Data(text.replacing(part, with: other).utf8).write(to: URL(filePath: path))
    }

    private func text() throws -> String { try String(contentsOf: URL(filePath: path), encoding: .utf8) }

    private func kinds(_ type: any IndexKeyRecord.Type) throws -> [SchemaChange.Kind] {
        try changes(to: [type]).map(\.kind)
    }

    private func changes(to types: [any IndexKeyRecord.Type]) throws -> [SchemaChange] {
        let error = lockError { try SchemaLock.check(types, at: path) }
        guard case .changed(path, let changes)? = error else {
            Issue.record("\(String(describing: error))")
            return []
        }
        return changes
    }

    private func lockError(_ body: () throws -> Void) -> SchemaLockError? {
        do {
            try body()
            return nil
        } catch {
            return error as? SchemaLockError
        }
    }
}
