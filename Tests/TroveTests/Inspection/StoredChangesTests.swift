// The changes of stored records, without their Swift types.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("town", "number")
private struct Kiosk: Equatable {
    let town: String
    let number: Int
    var name: String
}

@Suite("Stored changes", .hangLimit) struct StoredChangesTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Kiosk.self, OtherNote.self])
        try store.insert(Kiosk(town: "Ulm", number: 1, name: "Red"))
    }

    private func verbs(_ changes: StoredChanges?) -> [String] {
        (changes?.changes ?? []).map { change in
            let verb =
                switch change.event {
                case .saved(let record): "saved \(record["name"].map { "\($0.json)" } ?? "")"
                case .removed: "removed"
                case .savedAndRemoved: "saved and removed"
                case .unreadable: "unreadable"
                case .any: "any"
                }
            return "\(change.type?.split(separator: ".").last ?? "") \(change.key?.description ?? "") \(verb)"
        }
    }

    @Test func aCommit_isToldByItsRecords() async throws {
        var changes = store.storedChanges().makeAsyncIterator()
        try await store.write { context in
            try context.insert(Kiosk(town: "Ulm", number: 2, name: "Blue"))
            try context.insert(Kiosk(town: "Bonn", number: 7, name: "Gray"))
            try context.delete(Kiosk.self, key: Kiosk(town: "Ulm", number: 1, name: "").indexKey)
            try context.insert(OtherNote(id: 4))
        }
        let first = try await changes.next()
        #expect(
            verbs(first) == [
                #"Kiosk (town: "Bonn", number: 7) saved "Gray""#, #"Kiosk (town: "Ulm", number: 1) removed"#,
                #"Kiosk (town: "Ulm", number: 2) saved "Blue""#, "OtherNote id: 4 saved ",
            ])
        let last = try store.commitSequence
        #expect(first?.commits == last...last && first?.isOwn == true && first?.omitted == 0)
        // A range that was removed at once, beside a listed record.
        try await store.write { context in
            _ = try Kiosk.query(town: "Ulm").delete(in: context)
            try context.insert(Kiosk(town: "Bonn", number: 8, name: "Pink"))
        }
        let second = verbs(try await changes.next())
        #expect(second.contains(#"Kiosk (town: "Bonn", number: 8) saved "Pink""#), "\(second)")
        #expect(second.contains { $0.hasPrefix("Kiosk  any") || $0.contains("number: 2) removed") }, "\(second)")
    }

    @Test func moreRecordsThanWanted_areCounted() async throws {
        var changes = store.storedChanges(atMost: 3).makeAsyncIterator()
        try await store.write { context in
            for number in 0..<40 { try context.insert(Kiosk(town: "Kiel", number: number, name: "")) }
        }
        let element = try #require(try await changes.next())
        #expect(element.changes.count == 3 && element.omitted == 37)
        // Beyond a size, records are not read.
        var sized = store.storedChanges(bytes: 10).makeAsyncIterator()
        try await store.write { context in
            for number in 0..<3 {
                try context.insert(Kiosk(town: "Kiel", number: number, name: String(repeating: "x", count: 100)))
            }
        }
        let cut = try #require(try await sized.next())
        #expect(cut.changes.count == 1 && cut.omitted == 2)
    }

    @Test func aLoopThatIsBusy_getsJoinedCommits_ofTheWantedTypeAlone() async throws {
        var changes = store.storedChanges(of: "TroveTests.Kiosk").makeAsyncIterator()
        try await store.write { try $0.insert(OtherNote(id: 1)) }
        for number in 0..<30 {
            try await store.write { try $0.insert(Kiosk(town: "A", number: number % 4, name: "\(number)")) }
        }
        let element = try #require(try await changes.next())
        #expect(element.commits.count >= 30)
        #expect(
            verbs(element)
                == (26..<30).sorted { $0 % 4 < $1 % 4 }.map {
                    #"Kiosk (town: "A", number: \#($0 % 4)) saved "\#($0)""#
                })
        // Many changes: any record of the type.
        try await store.write { context in
            for number in 0..<1_000 { try context.insert(Kiosk(town: "B", number: number, name: "")) }
        }
        #expect(verbs(try await changes.next()) == ["Kiosk  any"])
    }

    @Test func aDamagedRecord_isAChangeOfItsOwn() async throws {
        var changes = store.storedChanges().makeAsyncIterator()
        let type = try #require(try await store.read { try $0.storedTypes() }.first { $0.name.hasSuffix("Kiosk") })
        let stored = try #require(try store.rawRecords(type.keyPrefix).first)
        try await store.write { context in
            try context.insert(Kiosk(town: "Ulm", number: 1, name: "Green"))
            let value: [UInt8] = [1, 2, 3]
            _ = try stored.key.withRawSpan { key in
                try context.keyspace.put(type.records, key, value)
            }
            try context.insert(Kiosk(town: "Ulm", number: 5, name: "White"))
        }
        #expect(
            verbs(try await changes.next()) == [
                #"Kiosk (town: "Ulm", number: 1) unreadable"#, #"Kiosk (town: "Ulm", number: 5) saved "White""#,
            ])
    }
}
