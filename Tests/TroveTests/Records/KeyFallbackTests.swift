// Conformances by hand that name types without an order as parts of a key or of an index.

import Testing
import TroveTestSupport

@testable import Trove

/// A type without an order.
private struct Sticker: Hashable, Sendable { var text: String }

/// Its key component is no `KeyComponent`.
private struct Shipment: IndexKeyRecord {
    let id: Int

    static let schema = RecordSchema(
        of: Self.self, name: "Shipment", fileID: #fileID,
        key: [KeyProperty("id", Int.self), KeyProperty("label", \Shipment.label)], fields: [])

    var label: Sticker { Sticker(text: "") }
    var indexKey: Int { id }

    init(id: Int) { self.id = id }
    func encodeKey(into writer: inout KeyWriter) { id.encodeKey(into: &writer) }
    func fieldsSize() throws(CodingError) -> Int { 0 }
    func encodeFields(into writer: inout ValueWriter) {}
    init(decoding reader: inout RecordReader) throws(CodingError) { id = try Int(decodingKey: &reader.key) }
}

/// Its index is of the elements of a string.
private struct Tagged: IndexKeyRecord {
    let id: Int
    let tags: String

    static let schema = RecordSchema(
        of: Self.self, name: "Tagged", fileID: #fileID, key: [KeyProperty("id", Int.self)],
        fields: [FieldProperty("tags", fieldCoding(of: String.self))])

    static let indexes: [RecordIndex<Tagged>] = [
        .index([], each: IndexedElements("tags", \.tags, fieldCoding(of: String.self)) { $0.tags })
    ]

    var indexKey: Int { id }

    init(id: Int, tags: String) { (self.id, self.tags) = (id, tags) }
    func encodeKey(into writer: inout KeyWriter) { id.encodeKey(into: &writer) }
    func fieldsSize() throws(CodingError) -> Int { tags.encodedSize }
    func encodeFields(into writer: inout ValueWriter) { tags.encode(into: &writer) }
    init(decoding reader: inout RecordReader) throws(CodingError) {
        id = try Int(decodingKey: &reader.key)
        tags = try String(decoding: &reader.fields)
    }
}

@Suite("Types without an order, by hand") struct KeyFallbackTests {
    private let store: Store

    init() throws { store = try Store.temporary() }

    /// Such a query once found all records, and so `delete` emptied the table.
    @Test func aQueryOfOtherTypes_isRefused() throws {
        try store.insert(Tick(number: 1, note: "one"))
        let label = Sticker(text: "a")
        func check(_ query: Query<Tick>, _ given: String) {
            let error = StoreError.query(.wrongKeyComponents(type: "Tick", given: given, key: "(number:Int64)"))
            #expect(storeError { try query.delete(in: store) } == error)
            #expect(storeError { try query.resolve(in: store) } == error)
            #expect(storeError { try query.limit(1).first(in: store) } == error)
            #expect(storeError { try query.filter(\.note == "one").delete(in: store) } == error)
        }
        check(Query(last: .equals(label)), "Sticker")
        check(Query(label, last: .equals(1)), "Sticker, Int")
        check(Query(1, last: .lessThan(label)), "Int, Sticker")
        #expect(try Tick.query().count(in: store) == 1)
    }

    private func malformed(_ body: () throws -> some Any) -> String? {
        guard case .schema(.layoutMalformed(_, let layout, _))? = storeError(body) else { return nil }
        return layout
    }

    /// Its stored layout would be false.
    @Test func aKeyComponentWithoutAnOrder_isRefused() throws {
        #expect(malformed { try store.insert(Shipment(id: 1)) } == "(id:Int64,label: Sticker is not a KeyComponent){}")
        #expect(malformed { try Store.temporary(records: [Shipment.self]) } != nil)
        #expect(try store.read { try $0.storedTypes() }.isEmpty)
    }

    /// The index would never have an entry.
    @Test func anIndexOfElementsThatDoNotExist_isRefused() throws {
        #expect(malformed { try store.insert(Tagged(id: 1, tags: "a")) } == "(){each:tags: String has no elements}")
        #expect(malformed { try Store.temporary(records: [Tagged.self]) } != nil)
        #expect(try store.read { try $0.storedTypes() }.isEmpty)
    }
}
