// A layout in the catalog that does not follow the grammar is damage, although its checksum is correct.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

/// A type that describes itself by a sentence.
private struct Chatty: RecordValue, Hashable {
    static func describe(in layout: inout LayoutBuilder) { layout.append("some thing, of my own") }
    var encodedSize: Int { 1 }
    func encode(into writer: inout ValueWriter) { writer.writeByte(0) }
    init() {}
    init(decoding reader: inout ValueReader) throws(CodingError) { _ = try reader.readTag() }
}

@IndexKeyRecord("id")
private struct Talk: Hashable {
    let id: Int
    var chatty: Chatty
}

@Suite("Damaged layouts") struct LayoutDamageTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("ticks.trove")
        let store = try Store(path: path, options: StoreOptions(durability: .noSync))
        try store.insert(Tick(number: 1, note: "one"))
        try store.write { context in
            var type = try #require(try context.catalogStorage().type(Tick.keyPrefix))
            type.layouts[Tick.fieldsVersion]?.text = "(number:Int64){note:}"
            try context.set(type, Tick.keyPrefix)
        }
    }

    @Test func verify_reportsIt() throws {
        let report = try Store.verify(path: path)
        #expect(!report.isSound)
        #expect(report.findings.map(\.kind) == [.catalogEntry])
        let words = "\(try #require(report.findings.first))"
        #expect(words.contains("TroveTests.Tick"))
        #expect(words.contains("“(number:Int64){note:}”"))
    }

    @Test func reading_saysSo() throws {
        let store = try Store(path: path, options: StoreOptions(isReadOnly: true))
        let error = storeError {
            try store.read { context in
                try context.forEachStoredRecord(of: try context.storedTypes()[0]) { _ in true }
            }
        }
        guard case .schema(.layoutDamaged("TroveTests.Tick", "(number:Int64){note:}", _))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(
            error?.description.hasPrefix(
                "The catalog is damaged: the layout “(number:Int64){note:}” of TroveTests.Tick cannot be read: ")
                == true)
    }

    /// So a sound store has no such layout.
    @Test func aTypeWithSuchALayout_isNotStored() throws {
        let store = try Store.temporary()
        guard
            case .schema(.layoutMalformed(type: "Talk", _, _))? = storeError({
                try store.insert(Talk(id: 1, chatty: Chatty()))
            })
        else {
            Issue.record("the type was stored")
            return
        }
    }
}
