// What the history keeps of deleted records, in all layouts.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Tombstones") struct TombstoneTests {
    /// Returns the tombstone of a stored value.
    private func tombstone(
        of fields: [UInt8], keeping names: [String], _ layout: RecordLayout?
    ) -> StoredTombstone? {
        var value = [UInt8](repeating: 0, count: StoredValue.headerSize) + fields
        StoredValue.seal(&value, 7, key: [1], seed: CRC32C())
        let bytes = value.withRawSpan { StoredTombstone.bytes(of: $0, keeping: names) { $0 == 7 ? layout : nil } }
        return StoredTombstone(bytes) { $0 == 7 ? layout : nil }
    }

    @Test func chosenFields_areKeptAlone() throws {
        let layout = try RecordLayout("(id:Int64){a:Int64,b:Int64,c:Int64}")
        let fields = StoredFields(
            zip(["a", "b", "c"], 1...).map { StoredFields.Field($0, .integer($1)) })
        let bytes = try layout.writeFields(fields)
        let some = try #require(tombstone(of: bytes, keeping: ["c", "a"], layout))
        #expect(some.fields?.fields.map(\.name) == ["a", "c"])
        #expect(some.allFields == nil && some.version == 7)
        let whole = try #require(tombstone(of: bytes, keeping: [], layout))
        #expect(whole.fields == fields)
        #expect(whole.allFields.map(Array.init) == bytes)
    }

    /// More than was chosen is never kept.
    @Test func fieldsThatCannotBeTaken_areNotKept() throws {
        let layout = try RecordLayout("(id:Int64){a:Int64,b:Int64}")
        let bytes = try layout.writeFields(
            StoredFields([StoredFields.Field("a", .integer(1)), StoredFields.Field("b", .integer(2))]))
        #expect(tombstone(of: bytes, keeping: ["a"], layout) != nil)
        #expect(tombstone(of: bytes, keeping: ["a"], nil) == nil)
        #expect(tombstone(of: Array(bytes.dropLast()), keeping: ["a"], layout) == nil)
        #expect(tombstone(of: bytes, keeping: ["z"], layout) == nil)
        let names = (0..<300).map { "f\($0)" }
        let wide = try RecordLayout("(id:Int64){\(names.map { "\($0):Bool" }.joined(separator: ","))}")
        let zeros = try wide.writeFields(StoredFields(names.map { StoredFields.Field($0, .bool(false)) }))
        #expect(tombstone(of: zeros, keeping: ["f255"], wide)?.fields?.fields.map(\.name) == ["f255"])
        #expect(tombstone(of: zeros, keeping: ["f1", "f256"], wide) == nil)
    }

    @Test func damagedTombstones_haveNoFields() throws {
        let layout = try RecordLayout("(id:Int64){a:Int64}")
        let bytes: [UInt8] = [7, 0, 0, 0, 1, 1, 0] + (try layout.writeFields(StoredFields([.init("a", .integer(5))])))
        #expect(StoredTombstone(bytes) { _ in layout }?.fields?["a"] == .integer(5))
        for count in bytes.indices {
            #expect(StoredTombstone(Array(bytes.prefix(count))) { _ in layout }?.fields == nil, "\(count) bytes")
        }
        #expect(StoredTombstone([7, 0, 0, 0, 2, 0]) { _ in layout } == nil)
        #expect(StoredTombstone([7, 0, 0, 0, 1, 1, 9]) { _ in layout }?.fields == nil)
    }

    /// A layout is parsed once, and not for each deleted record.
    @Test func aLayout_isParsedOnce() throws {
        var type = CatalogType(Noted.Note.schema)
        let version = try #require(type.newestVersion)
        var layouts = ParsedLayouts()
        let parsed = layouts.layout(version, of: type)
        let layout = try #require(parsed)
        type.layouts[version]?.text = "not a layout"
        let again = layouts.layout(version, of: type)
        #expect(again == layout)
        var others = ParsedLayouts()
        let (unreadable, unknown) = (others.layout(version, of: type), others.layout(version + 1, of: type))
        #expect(unreadable == nil && unknown == nil)
    }

    @Test func changes_canBeCompared() throws {
        let store = try Store.temporary(records: Noted.types, options: StoreOptions(history: Noted.policy()))
        for text in ["a", "a", "b"] {
            try store.insert(Noted.Note(id: 1, folder: "", text: text))
            try store.delete(Noted.Note.self, key: 1)
        }
        let changes = try store.read { try $0.history().flatMap { try $0.changes(of: Noted.Note.self) } }
        #expect(changes.count == 6)
        #expect(changes[0] == .inserted(1) && changes[0] == changes[2] && changes[0] != .inserted(2))
        #expect(changes[1] == changes[3] && changes[1] != changes[5] && changes[1] != .deleted(1, nil))
    }

    // MARK: Renamed properties

    private func texts(_ commits: [HistoryCommit]) throws -> [Int: String] {
        var texts: [Int: String] = [:]
        for case .deleted(let id, let tombstone) in try commits.flatMap({ try $0.changes(of: NewText.self) }) {
            texts[id] = tombstone?[\.body]
            #expect(tombstone?.record == nil)
        }
        return texts
    }

    /// Records from before a renaming, tombstones from before it, and both from after it.
    @Test func aRenamedProperty_isKept_andRead() throws {
        let file = try MigratedFile()
        let old = HistoryPolicy.keep().keepingDeleted(OldText.self, \.text)
        var store = try Store(path: file.path, records: [OldText.self], options: StoreOptions(history: old))
        try store.insert(contentsOf: (1...3).map { OldText(id: $0, text: "text \($0)", note: "secret") })
        try store.delete(OldText.self, key: 1)
        try store.close()
        let new = HistoryPolicy.keep().keepingDeleted(NewText.self, \.body)
        store = try Store(
            path: file.path, records: [NewText.self], migrations: .lazily, options: StoreOptions(history: new))
        try store.delete(NewText.self, key: 2)
        try store.insert(NewText(id: 4, note: "secret", body: "text 4"))
        try store.delete(NewText.self, key: 4)
        let commits = try store.read { try $0.history() }
        #expect(try texts(commits) == [1: "text 1", 2: "text 2", 4: "text 4"])
        #expect(commits.flatMap(\.storedChanges).allSatisfy { $0.tombstone?["note"] == nil })
    }

    // MARK: Rules

    @Test func rules_areEqual_inAnyOrder_andFurtherOnesAdd() {
        typealias Note = Noted.Note
        let both = HistoryPolicy.keep().keepingDeleted(Note.self, \.text, \.folder)
        #expect(both == .keep().keepingDeleted(Note.self, \.folder, \.text, \.text))
        #expect(both == .keep().keepingDeleted(Note.self, \.folder).keepingDeleted(Note.self, \.text))
        #expect(both != .keep().keepingDeleted(Note.self, \.text))
        let whole = HistoryPolicy.keep().keepingDeleted(Note.self)
        #expect(both.keepingDeleted(Note.self) == whole && whole.keepingDeleted(Note.self, \.text) == whole)
    }
}

@IndexKeyRecord(keyPrefix: 6_900_002, "id")
private struct OldText {
    let id: Int
    var text: String
    var note: String
}

@IndexKeyRecord(keyPrefix: 6_900_002, "id")
private struct NewText {
    let id: Int
    var note: String
    @Renamed("text") var body: String
}
