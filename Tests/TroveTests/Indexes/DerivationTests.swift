// The three sources of an index's columns: a decoded record, a batch of stored records, and a record that is read by
// its layout. Whatever the kind, the columns and the condition are, they derive the same entries.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Derivation of index entries") struct DerivationTests {
    @IndexKeyRecord("id")
    struct Remark: Equatable {
        let id: Int
        var text: String
        var rank: Int?
        var tags: [String]
        var parts: [Int]?
    }

    /// An entry, without its index.
    struct DerivedEntry: Comparable {
        let value: [UInt8]
        let key: [UInt8]

        static func < (left: Self, right: Self) -> Bool {
            (left.value + left.key).lexicographicallyPrecedes(right.value + right.key)
        }
    }

    private let remarks = [
        Remark(id: 1, text: "to be or not to be", rank: 4, tags: ["a", "b"], parts: [1]),
        Remark(id: 2, text: "", rank: nil, tags: [], parts: nil),
        Remark(id: 3, text: "not\u{0} here", rank: -1, tags: ["a"], parts: []),
        Remark(id: 4, text: "here", rank: nil, tags: [""], parts: [1]),
        Remark(id: 5, text: String(repeating: "long ", count: 105), rank: 4, tags: ["a"], parts: nil),
    ]

    static let text = IndexedProperty<Remark>("text", \.text) { $0.text }
    static let rank = IndexedProperty<Remark>("rank", \.rank) { $0.rank }
    static let rankDescending = IndexedProperty<Remark>("rank", descending: \.rank) { $0.rank }
    static let id = IndexedProperty<Remark>("id", descending: \.id) { $0.id }
    static let tags = IndexedProperty<Remark>("tags", \.tags, fieldCoding(of: [String].self)) { $0.tags }
    static let parts = IndexedProperty<Remark>("parts", \.parts, fieldCoding(of: [Int]?.self)) { $0.parts }

    static let eachTag = IndexedElements<Remark>("tags", \.tags, fieldCoding(of: [String].self)) { $0.tags }
    static let eachPart = IndexedElements<Remark>("parts", \.parts, fieldCoding(of: [Int]?.self)) { $0.parts }

    static let indexes: [RecordIndex<Remark>] = [
        .index([text]), .index([rank, text]), .index([rankDescending, id]), .index([tags, parts]),
        .unique([rank], collisions: .throw), .unique([text, rankDescending], collisions: .throw),
        .unique([parts, id], collisions: .throw), RecordIndex(.words, [text]),
        .index(each: eachTag), .index([text], each: eachTag, [rankDescending]), .index([rank], each: eachPart),
        .index(each: eachPart, [text]),
    ]

    // MARK: Sources

    private func entries(_ list: IndexEntries) -> [DerivedEntry] {
        list.entries.indices.map { DerivedEntry(value: Array(list.value(of: $0)), key: Array(list.recordKey(of: $0))) }
    }

    private func entriesOfRecords(_ index: RecordIndex<Remark>) -> [DerivedEntry] {
        remarks.flatMap { remark in
            var list = IndexEntries()
            ByteView.with(KeyWriter.bytes(of: remark.id)) { key in
                key.withSpan { index.derive(remark, $0, as: 0, into: &list) }
            }
            return entries(list)
        }.sorted()
    }

    /// Returns the entries that a closure derives from batches of stored records.
    private func entries(
        _ derive: (RecordTable, EntryBatch) throws -> [DerivedEntry]
    ) throws -> [DerivedEntry] {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.path("remarks.trove"), records: [Remark.self])
        try store.insert(contentsOf: remarks)
        var found: [DerivedEntry] = []
        try store.read { context in
            let table = try #require(try context.table(for: Remark.schema))
            guard var scan = try context.keyspace.scan(table.database, ScanRange(), mayWrite: false) else { return }
            while let batch = try scan.next() { found += try derive(table, batch) }
        }
        return found.sorted()
    }

    private func entriesOfBatch(
        _ index: RecordIndex<Remark>, _ batch: EntryBatch, _ table: RecordTable
    ) throws -> [DerivedEntry] {
        var collector = EntryCollector([(place: 0, index: index)], of: table)
        try collector.add(batch)
        var sorted = try #require(collector.takeLists().first).entries
        sorted.sort()
        return sorted.indices.map { place in
            DerivedEntry(value: Array(sorted.value(of: place)), key: Array(sorted.recordKey(of: place)))
        }
    }

    private func entriesByLayout(_ index: RecordIndex<Remark>, _ batch: EntryBatch) throws -> [DerivedEntry] {
        let layout = try RecordLayout(Remark.schema.layout)
        let derivation = try #require(LayoutDerivation(CatalogIndex(index.descriptor), in: layout))
        var found: [DerivedEntry] = []
        for place in 0..<batch.count {
            var list = IndexEntries()
            try batch[place].key.withSpan { key in
                let fields = try batch[place].value.dropFirst(StoredValue.headerSize).withSpan {
                    try layout.read(key: key, fields: $0)
                }
                try derivation.derive(fields, key, as: 0, into: &list)
            }
            found += entries(list)
        }
        return found.sorted()
    }

    // MARK: Agreement

    @Test(arguments: DerivationTests.indexes.indices) func threeSources_deriveTheSameEntries(_ place: Int) throws {
        let index = Self.indexes[place]
        let expected = entriesOfRecords(index)
        let built = try entries { table, batch in try entriesOfBatch(index, batch, table) }
        let checked = try entries { _, batch in try entriesByLayout(index, batch) }
        #expect(built == expected)
        #expect(checked == expected)
    }

    @Test func nil_makesNoEntryInAUniqueIndex_whereverItsColumnIs() {
        let ids = { (place: Int) in Set(entriesOfRecords(Self.indexes[place]).map(\.key)).count }
        #expect(Self.indexes.indices.map(ids) == [5, 5, 5, 5, 3, 3, 3, 4, 4, 4, 2, 2])
    }

    @Test func aKindWithSeveralEntries_addsEachValueOnce() {
        let values = entriesOfRecords(Self.indexes[7]).filter { $0.key == KeyWriter.bytes(of: 1) }.map(\.value)
        #expect(values == ["be", "not", "or", "to"].map { KeyWriter.bytes(of: $0) })
    }

    @Test func aChange_concernsOnlyTheEntriesThatDiffer() {
        var changes = RecordChange()
        ByteView.with(KeyWriter.bytes(of: 1)) { key in
            key.withSpan { key in
                Self.indexes[7].derive(remarks[0], key, as: 0, into: &changes.old)
                var changed = remarks[0]
                changed.text = "not to see"
                Self.indexes[7].derive(changed, key, as: 0, into: &changes.new)
            }
        }
        changes.compareEntries()
        let removed = changes.old.entries.indices.filter { !changes.old.entries[$0].isKept }
        let added = changes.new.entries.indices.filter { !changes.new.entries[$0].isKept }
        #expect(removed.map { Array(changes.old.value(of: $0)) } == ["be", "or"].map { KeyWriter.bytes(of: $0) })
        #expect(added.map { Array(changes.new.value(of: $0)) } == [KeyWriter.bytes(of: "see")])
    }

    // MARK: Conditions

    @Test func aCondition_thatAFilterSays_decodesNoRecord() throws {
        let condition = IndexCondition<Remark>("id > 3", filter: \.id > 3, isExact: true) { _ in
            Issue.record("a record was decoded")
            return false
        }
        let index = RecordIndex.index([Self.rankDescending, Self.text], where: condition)
        let built = try entries { table, batch in try entriesOfBatch(index, batch, table) }
        #expect(Set(built.map(\.key)) == [KeyWriter.bytes(of: 4), KeyWriter.bytes(of: 5)])
    }

    @Test func aCondition_thatNoFilterSays_isTestedOnRecords() throws {
        for condition in [
            IndexCondition<Remark>("odd") { $0.id % 2 == 1 },
            IndexCondition<Remark>("odd", filter: \.id == 1) { $0.id % 2 == 1 },
        ] {
            let index = RecordIndex.index([Self.text], where: condition)
            let built = try entries { table, batch in try entriesOfBatch(index, batch, table) }
            #expect(built == entriesOfRecords(index))
            #expect(built.count == 3)
        }
    }
}

extension IndexKind {
    /// A kind in place of full text: an entry for each word of a property.
    fileprivate static let words = IndexKind(IndexKindNumber(rawValue: 0xFE), name: "words") { columns, add in
        do throws(CodingError) {
            let text = try KeyReader.read(columns) { (reader) throws(CodingError) in try String(decodingKey: &reader) }
            for word in text.split(separator: " ") {
                ByteView.with(KeyWriter.bytes(of: String(word))) { $0.withSpan { add($0) } }
            }
        } catch {
            Issue.record(error)
        }
    }
}
