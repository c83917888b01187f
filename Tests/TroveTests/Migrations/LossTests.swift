// Migrations that drop fields: the lost values, the warning, and the refusal.

import Foundation
import Testing

@testable import Trove

@Suite("Losses of migrations") struct LossTests {
    private func losses(_ type: any IndexKeyRecord.Type, _ counts: KeyValuePairs<String, Int>) -> [FieldLoss] {
        counts.map { FieldLoss(type: type.schema.qualifiedName, field: $0, records: $1) }
    }

    @Test func aDroppedField_isLost_andTheLogNamesIt() throws {
        let log = CapturedLog.installed
        let file = try MigratedFile(of: Lossy.full)
        try file.migrate(Lossy.WithoutRemarks.self)
        let message = try #require(log.messages(about: file.path).first { $0.contains("drops a field") })
        for word in ["TroveTests.Lossy.WithoutRemarks", "remarks", "2"] { #expect(message.contains(word)) }
        try file.migrate(Lossy.Full.self, migrations: .allowOlderLayout)
        let expected = Lossy.full.map { record in
            var record = record
            record.remarks = nil
            return record
        }
        #expect(try file.read(Lossy.Full.self) == expected)
        // Nothing was lost on the way back.
        #expect(log.messages(about: file.path).filter { $0.contains("drops a field") }.count == 1)
    }

    @Test func aFieldThatLaterWritesDrop_isNamedWhenTheStoreOpens() throws {
        let log = CapturedLog.installed
        let file = try MigratedFile(of: Lossy.full)
        let before = try file.bytes()
        try file.migrate(Lossy.WithoutScoreAndRemarks.self, migrations: .lazily)
        let messages = log.messages(about: file.path).filter {
            $0.contains("drops a field when a record is next written")
        }
        #expect(messages.count == 2)
        for (message, field) in zip(messages, ["remarks", "score"]) {
            #expect(
                message.contains("TroveTests.Lossy.WithoutScoreAndRemarks") && message.contains(field), "\(message)")
        }
        #expect(try file.bytes() == before)
        // No field is dropped, and nothing is written.
        try file.migrate(Lossy.Full.self, migrations: .lazily)
        _ = try file.open(Lossy.WithoutRemarks.self, migrations: .lazily, isReadOnly: true)
        #expect(log.messages(about: file.path).count == 2)
    }

    @Test(arguments: [MigrationPolicy.onOpen, .background, .lazily, .allowOlderLayout])
    func refusingLoss_leavesTheStoreAsItWas(policy: MigrationPolicy) throws {
        let file = try MigratedFile(of: Lossy.full)
        let before = try file.bytes()
        func refusal(_ type: any IndexKeyRecord.Type) -> StoreError? {
            storeError {
                _ = try Store(
                    path: file.path, records: [type], migrations: policy.refusingLoss,
                    options: StoreOptions(durability: .noSync))
            }
        }
        func expect(_ type: any IndexKeyRecord.Type, _ counts: KeyValuePairs<String, Int>) {
            #expect(refusal(type) == .schema(.valuesWouldBeLost(path: file.path, losses: losses(type, counts))))
        }
        expect(Lossy.WithoutRemarks.self, ["remarks": 2])
        expect(Lossy.WithoutCity.self, ["homes.city": 1])
        expect(Lossy.WithoutScoreAndRemarks.self, ["remarks": 2, "score": 5])
        expect(Lossy.Rekeyed.self, ["id": 5, "name": 5])
        let text = "\(refusal(Lossy.WithoutRemarks.self), default: "")"
        for word in [
            file.path, "TroveTests.Lossy.WithoutRemarks.remarks: 2 records", "@Renamed", "migrate(_:from:)",
        ] { #expect(text.contains(word), "\(text)") }
        #expect(try file.bytes() == before)
        #expect(try file.read(Lossy.Full.self) == Lossy.full)
    }

    @Test func refusingLoss_allowsEverythingElse() throws {
        // Fields without values.
        let file = try MigratedFile(
            of: Lossy.full.map { record in
                var record = record
                record.remarks = nil
                return record
            })
        try file.migrate(Lossy.WithoutRemarks.self, migrations: .onOpen.refusingLoss)
        #expect(try file.type(Lossy.prefix).isMigrated)
        // A migration by hand.
        let other = try MigratedFile(of: Lossy.full)
        try other.migrate(Lossy.ByHand.self, migrations: .onOpen.refusingLoss)
        #expect(try other.read(Lossy.ByHand.self).map(\.name) == Lossy.full.map(\.name))
        // A change without a dropped field, and a store that is only read.
        let bulky = try MigratedFile(of: Bulky.old(3))
        try bulky.migrate(Bulky.New.self, migrations: .onOpen.refusingLoss)
        #expect(try bulky.read(Bulky.New.self) == Bulky.new(3))
        let third = try MigratedFile(of: Lossy.full)
        let reader = try third.open(
            Lossy.WithoutRemarks.self, migrations: .onOpen.refusingLoss, isReadOnly: true)
        #expect(try Lossy.WithoutRemarks.query().count(in: reader) == 5)
    }

    @Test func valuesWrittenAfterOpening_areRefusedByFinishing() throws {
        let raw = try #require(MigratedFile(of: Lossy.full).open().rawRecords(Lossy.prefix).first)
        let file = try MigratedFile(
            of: Lossy.full.map { record in
                var record = record
                record.remarks = nil
                return record
            })
        let store = try file.open(Lossy.WithoutRemarks.self, migrations: .lazily.refusingLoss)
        // An older program writes a record with a value.
        try store.put(raw, into: store.storedType(Lossy.prefix).records)
        #expect(
            storeError { try store.finishMigrations() }
                == .schema(
                    .valuesWouldBeLost(path: file.path, losses: losses(Lossy.WithoutRemarks.self, ["remarks": 1]))))
    }

    @Test func thePlan_hasALineForEachDroppedField() throws {
        let file = try MigratedFile(of: Lossy.full)
        let version = Lossy.Full.fieldsVersion
        let plan = try file.open().migrationPlan(for: [Lossy.WithoutScoreAndRemarks.self])
        #expect(
            plan.description == """
                TroveTests.Lossy.WithoutScoreAndRemarks: 5 records
                  5 of version \(version):
                    score is removed: 5 records have a value
                    remarks is removed: 2 records have a value
                """)
        #expect(plan.types.first?.versions.first?.losses.map(\.records) == [5, 2])
        let nested = try file.open().migrationPlan(for: [Lossy.WithoutCity.self])
        #expect("\(nested)".contains("homes.city is removed: 1 record has a value"))
        let rekeyed = try file.open().migrationPlan(for: [Lossy.Rekeyed.self])
        #expect("\(rekeyed)".contains("id, in the key, is removed: 5 records have a value"))
        let refusal = storeError { try file.migrate(Lossy.WithoutRemarks.self, migrations: .refuse) }
        #expect("\(refusal, default: "")".contains("remarks is removed: 2 records have a value"))
    }
}
