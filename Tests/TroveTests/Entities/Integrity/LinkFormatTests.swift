// The bytes of Docs/Format.md about relations, compared with a store.

import LMDB
import Testing
import TroveCoding
import TroveStoreWorker

@testable import Trove

@Suite("The format of links") struct LinkFormatTests {
    private func bytes(_ text: String) -> [UInt8] { text.split(separator: " ").map { UInt8($0, radix: 16) ?? 0 } }

    @Test func theEntryOfARelation_hasItsDocumentedBytes() throws {
        let store = try Store.temporary(records: SampleLinks.types)
        try SampleLinks.fill(store)
        let prefix = try store.links("SampleMessage.chat").keyPrefix
        #expect(prefix == SDBM.hash32("004C4B6B.chat=004C4B6A.messages"))
        #expect(KeyWriter.bytes(of: prefix) == bytes("81 8A 09 F2"))
        try store.read { context in
            let catalog = try #require(try context.keyspace.table(named: CatalogStorage.name))
            var entry: [UInt8] = []
            let isFound = try context.keyspace.withEntry(catalog, bytes("07 81 8A 09 F2")) { _, value in
                entry = copiedBytes(value)
            }
            #expect(isFound)
            let first = "6B 4B 4C 00 04 63 68 61 74 01 00"
            let second = "6A 4B 4C 00 08 6D 65 73 73 61 67 65 73 00 00"
            #expect(Array(entry.dropFirst(4)) == bytes("02 \(first) \(second)"))
        }
    }

    @Test func linksAndLists_haveTheirDocumentedBytes() throws {
        let store = try Store.temporary(records: SampleLinks.types)
        try SampleLinks.fill(store)
        func expect(_ name: String, _ layout: String, record key: String, _ fields: String, lists: [String]) throws {
            let type = try store.links(name)
            #expect(type.layouts.values.first == layout)
            let record = try #require(try store.rawRecords(type.keyPrefix).first { $0.key == bytes(key) }, "\(name)")
            #expect(Array(record.value.dropFirst(StoredValue.headerSize)) == bytes(fields), "\(name)")
            #expect(type.indexes.count == lists.count)
            for (index, list) in zip(type.indexes, lists) {
                #expect(try store.entries(of: index).contains(RawEntry(key: bytes(list), value: [])), "\(name)")
            }
        }
        try expect(
            "SampleMessage.author", "(owner:String,author:String){}", record: "37 00 32 00", "", lists: ["32 00 37 00"])
        try expect(
            "SampleMessage.chat", "(messages:String,chat:String){position:Int64}", record: "37 00 31 00",
            "00 00 00 01 00 00 00 00", lists: ["31 00 80 00 00 00 01 00 00 00 37 00"])
        try expect(
            "SampleUser.chats", "(users:String,chats:String){position:Int64,position2:Int64}", record: "32 00 31 00",
            "00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00",
            lists: ["32 00 80 00 00 00 00 00 00 00 31 00", "31 00 80 00 00 00 01 00 00 00 32 00"])
        try expect(
            "SampleUser.partner", "(owner:String,partner:String){}", record: "32 00 31 00", "", lists: [])
        try expect(
            "SampleUser.friends", "(owner:String,friends:String){position:Int64}", record: "33 00 31 00",
            "00 00 00 00 00 00 00 00", lists: ["33 00 80 00 00 00 00 00 00 00 31 00"])
    }

    @Test func everyForm_hasItsNumber() {
        #expect(LinkForm.allCases.map(\.rawValue) == [1, 2, 3, 4, 5])
        #expect(LinkForm.allCases.map(\.name) == ["pair", "list", "lists", "symmetricPair", "symmetricList"])
        #expect(CatalogEntryKind.relation.rawValue == 7 && IndexKindNumber.list.rawValue == 3)
    }
}
