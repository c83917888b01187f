// Links of every form, by bytes: random statements against lists in memory, and rows that follow from the records.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Links") struct LinkTableTests {
    @Test(arguments: LinkCase.all) func afterRandomStatements_everyListEqualsTheModel(_ sample: LinkCase) throws {
        let seed = SeededGenerator.fromEnvironment().seed
        for round in 0..<6 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let store = try Store.temporary()
            var model = LinkModel(sample.relation)
            for step in 0..<60 {
                let comment: Comment = "TROVE_TEST_SEED=\(seed), round \(round), step \(step), \(sample)"
                let statement = sample.statement(&random)
                try store.write { context in
                    try statement.carryOut(by: try context.linkWriter(of: sample.declaration))
                }
                model.carryOut(statement)
                try store.read { context in
                    let links = try #require(try context.links(sample.declaration))
                    try sample.compare(links, with: model, comment)
                    for type in try context.storedTypes() {
                        let check = try context.checkStoredIndexes(of: type)
                        #expect(check.damagedRecords.isEmpty, comment)
                        for index in check.indexes {
                            #expect(index.extent == .whole && index.differences.isEmpty, comment)
                        }
                    }
                }
            }
        }
    }

    @Test func theBytesOfAList_areThoseOfTheFormat() throws {
        // A message with the id "7" is the second in the list of the chat "1".
        let sample = LinkCase.manyToOne
        let store = try Store.temporary()
        try store.write { context in
            let links = try context.linkWriter(of: sample.declaration)
            try links.append(KeyWriter.bytes(of: "1"), [KeyWriter.bytes(of: "6")], .second)
            try links.append(KeyWriter.bytes(of: "1"), [KeyWriter.bytes(of: "7")], .second)
        }
        try store.read { context in
            let links = try #require(try context.links(sample.declaration))
            #expect(links.table.schema.layout == "(messages:String,chat:String){position:Int64}")
            #expect(links.table.schema.indexes.map(\.text) == ["list(chat,position)"])
            var records: [[UInt8]: [UInt8]] = [:]
            try context.keyspace.scan(links.table.database, .init()) { key, value in
                records[copiedBytes(key)] = Array(copiedBytes(value).dropFirst(8))
                return .continue
            }
            #expect(
                records == [
                    [0x36, 0, 0x31, 0]: [0, 0, 0, 0, 0, 0, 0, 0], [0x37, 0, 0x31, 0]: [0, 0, 0, 1, 0, 0, 0, 0],
                ])
            var rows: [[UInt8]] = []
            try context.keyspace.scan(links.table.indexes[0].database, .init()) { key, value in
                #expect(value.byteCount == 0)
                rows.append(copiedBytes(key))
                return .continue
            }
            #expect(
                rows == [
                    [0x31, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0x36, 0], [0x31, 0, 0x80, 0, 0, 0, 1, 0, 0, 0, 0x37, 0],
                ])
        }
    }

    @Test func identifiersThatAreTooLarge_areRefusedBeforeAnythingIsWritten() throws {
        let sample = LinkCase.manyToMany
        let store = try Store.temporary()
        let owner = KeyWriter.bytes(of: String(repeating: "o", count: 250))
        let fitting = KeyWriter.bytes(of: String(repeating: "t", count: 251))
        let tooLarge = KeyWriter.bytes(of: String(repeating: "t", count: 252))
        try store.write { context in
            let links = try context.linkWriter(of: sample.declaration)
            let key = links.links.table.storedKey(owner + tooLarge)
            #expect(throws: StoreError.entity(.linkTooLarge(relation: "User.chats", key: key, size: 504, limit: 503))) {
                try links.replace(owner, with: [fitting, tooLarge], .first)
            }
            #expect(try links.links.count(of: owner, .first) == 0)
            try links.replace(owner, with: [fitting], .first)
            #expect(try links.links.targets(of: fitting, .second) == [owner])
        }
    }

    @Test func aDamagedLink_isNamed() throws {
        let sample = LinkCase.manyToOne
        let store = try Store.temporary()
        let (chat, message) = (KeyWriter.bytes(of: "1"), KeyWriter.bytes(of: "7"))
        try store.write { context in
            let links = try context.linkWriter(of: sample.declaration)
            try links.append(chat, [message], .second)
            let table = links.links.table
            try context.keyspace.put(table.database, message + chat, [UInt8](repeating: 1, count: 16))
        }
        #expect(
            throws: StoreError.record(
                .checksumMismatch(type: "Message.chat", key: StoredKey(message + chat, of: "Message.chat")))
        ) {
            try store.write { context in
                try context.linkWriter(of: sample.declaration).remove(chat, [message], .second)
            }
        }
    }

    @Test func aRelationThatIsUndone_isCreatedAgainUnderTheSamePrefix() throws {
        struct Stop: Error {}
        let sample = LinkCase.manyToOne
        let store = try Store.temporary()
        var prefixes: [UInt32] = []
        for isKept in [false, true] {
            try? store.write { context in
                let links = try context.linkWriter(of: sample.declaration)
                prefixes.append(links.links.table.schema.keyPrefix)
                try links.append([1], [[2]], .second)
                if !isKept { throw Stop() }
            }
        }
        #expect(prefixes.count == 2 && prefixes[0] == prefixes[1])
        #expect(try store.read { try $0.links(sample.declaration)?.count(of: [1], .second) } == 1)
    }
}
