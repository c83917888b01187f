// The entries of a record and the values of an index, without the Swift type.

import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Bale {
    #Index<Bale>(\.weight.desc, \.label)
    #Index<Bale>(\.tags.each)
    #Index<Bale>(\.weight, where: { $0.weight > 10 })
    #Unique<Bale>(\.code, collisions: .ignore)
    #FullTextIndex<Bale>(\.label)

    let id: Int
    var weight: Int
    var label: String
    var tags: [String]
    var code: String?
}

@Suite struct StoredIndexEntriesTests {
    private let names = Bale.schema.indexes.map(\.text)
    private let file: MigratedFile
    private let store: Store

    init() throws {
        file = try MigratedFile()
        store = try file.open(Bale.self)
        try store.insert(contentsOf: [
            Bale(id: 1, weight: 5, label: "a long box", tags: ["red", "blue", "red"], code: nil),
            Bale(id: 2, weight: 50, label: String(repeating: "x", count: 600), tags: [], code: "c"),
        ])
    }

    private func entries(_ id: Int) throws -> [StoredIndexEntries] {
        try store.read { context in
            let type = try #require(try context.storedTypes().first { $0.name.hasSuffix("Bale") })
            return try #require(try context.storedIndexEntries(ofRecord: KeyWriter.bytes(of: id), of: type))
        }
    }

    @Test func theEntriesOfARecord_areThoseInTheIndexes() throws {
        let first = try entries(1)
        #expect(first.map(\.index) == Bale.schema.indexes.map(\.text))
        #expect(first.map(\.extent) == [.whole, .whole, .conditional, .whole, .whole])
        #expect(first.allSatisfy { $0.isReady })
        #expect(first[0].entries.map(\.components) == [["5", "\"a long box\"", "1"]])
        #expect(first[1].entries.map(\.components) == [["\"blue\"", "1"], ["\"red\"", "1"]])
        // The condition is not met.
        #expect(first[2].entries.map(\.state) == [.missing])
        #expect(first[3].entries.isEmpty)
        #expect(first[4].entries.map(\.state) == [.present] && first[4].entries.map(\.bytes) == [[]])
        let second = try entries(2)
        #expect(second[0].entries.map(\.isCut) == [true] && second[1].entries.isEmpty)
        #expect(second[2].entries.map(\.state) == [.present])
        #expect(second[3].entries.map(\.components) == [["\"c\"", "2"]])
        for (place, index) in try store.indexes(Bale.keyPrefix).enumerated() where index.text == nil {
            let found = (first[place].entries + second[place].entries).filter { $0.state == .present }
            #expect(Set(found.map(\.bytes)) == Set(try store.entries(of: index).map(\.key)))
        }
    }

    @Test func aMissingEntry_andADamagedOne_areTold() throws {
        let red = try store.storedIndex(Bale.keyPrefix, names[1])
        try store.remove(try #require(try store.entries(of: red).last), from: red)
        let byWeight = try store.storedIndex(Bale.keyPrefix, names[0])
        var long = try #require(try store.entries(of: byWeight).first { !$0.value.isEmpty })
        long.value[0] ^= 1
        try store.put(long, into: byWeight)
        #expect(try entries(1)[1].entries.map(\.state) == [.present, .missing])
        #expect(try entries(2)[0].entries.map(\.state) == [.damaged])
    }

    @Test func aRecordThatIsAbsent_hasNoEntries_andADamagedOneIsAnError() throws {
        let type = try #require(try store.read { try $0.storedTypes() }.first)
        #expect(try store.read { try $0.storedIndexEntries(ofRecord: KeyWriter.bytes(of: 9), of: type) } == nil)
        try store.put(RawEntry(key: KeyWriter.bytes(of: 1), value: [7, 7]), into: type.records)
        guard case .record(.checksumMismatch)? = storeError({ _ = try entries(1) }) else {
            Issue.record("a damaged record has entries")
            return
        }
    }

    @Test func aRecordOfAnOlderLayout_hasEntriesOnlyForItsProgram() throws {
        let file = try MigratedFile(of: Crew.plain(0..<4))
        let store = try file.open(Crew.Relaid.self, migrations: .lazily)
        try store.insert(Crew.Relaid(id: 3, name: "new", age: 5, email: nil))
        let type = try store.storedType(Crew.prefix)
        func extents(_ id: Int) throws -> [StoredIndexEntries.Extent]? {
            try store.read { try $0.storedIndexEntries(ofRecord: KeyWriter.bytes(of: id), of: type) }?.map(\.extent)
        }
        #expect(try extents(0) == [.olderLayout] && extents(3) == [.whole])
    }

    // MARK: Samples

    private func sample(_ name: String, groups: Int = 10) throws -> StoredIndexSample? {
        let index = try store.storedIndex(Bale.keyPrefix, name)
        return try store.read { context in
            let type = try #require(try context.storedTypes().first)
            return try context.sample(index, of: type, groups: groups)
        }
    }

    @Test func fewEntries_areAllRead() throws {
        try store.insert(
            contentsOf: (10..<40).map {
                Bale(id: $0, weight: $0 % 3, label: "x", tags: ["t\($0 % 2)"], code: "\($0)")
            })
        let sample = try #require(try self.sample(names[1], groups: 3))
        #expect(sample.entries == 32 && sample.values == 4 && sample.isExact)
        #expect(sample.largest.map(\.texts) == [["\"t0\""], ["\"t1\""], ["\"blue\""]])
        #expect(sample.largest.map(\.entries) == [15, 15, 1] && sample.largest.allSatisfy { !$0.isAtLeast })
        #expect(try self.sample(names[3])?.values == 31)
        #expect(try self.sample(names[4]) == nil)
        // A value that is cut has no texts.
        #expect(try self.sample(names[0])?.largest.contains { $0.texts == nil } == true)
        // The key of the record is no value.
        #expect(try self.sample(names[0], groups: 1)?.largest.map(\.texts) == [["2", "\"x\""]])
    }

    @Test func manyEntries_areSampled() throws {
        try store.insert(
            contentsOf: (0..<21_000).map {
                Bale(id: 100 + $0, weight: 100 + $0 % 7_000, label: "x", tags: ["tag \($0 % 50)"], code: nil)
            })
        let few = try #require(try sample(names[1]))
        #expect(few.isExact && few.values == 52 && few.largest.map(\.entries) == .init(repeating: 420, count: 10))
        let many = try #require(try sample(names[0]))
        #expect(!many.isExact && many.entries == 21_002)
        #expect((6_000...8_000).contains(many.values) && many.largest.allSatisfy { $0.entries <= 3 })
    }
}
