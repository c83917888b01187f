// The complete expansion of a plain record.

import Testing

@testable import TroveMacroExpansion

@Suite("Expansion of a plain record")
struct RecordExpansionTests {
    @Test func record_plain() {
        expectExpansion(
            of: #"""
                @IndexKeyRecord("lastName", "firstName")
                struct Person {
                    let lastName: String
                    let firstName: String
                    var age: Int
                }
                """#,
            #"""

            struct Person {
                let lastName: String
                let firstName: String
                var age: Int
            }

            nonisolated extension Person: Trove.IndexKeyRecord, Identifiable {
                static let schema: Trove.RecordSchema = .init(
                    of: Self.self, name: "Person", fileID: #fileID,
                    key: [
                        Trove.KeyProperty("lastName", \Self.lastName),
                        Trove.KeyProperty("firstName", \Self.firstName)
                    ],
                    fields: [
                        Trove.FieldProperty("age", \Self.age, Trove.fieldCoding(of: Int.self))
                    ])

                typealias IndexKey = Trove.Tuple<String, String>

                var indexKey: IndexKey { Trove.Tuple(self.lastName, self.firstName) }

                var id: IndexKey { self.indexKey }

                func encodeKey(into writer: inout Trove.KeyWriter) {
                    self.lastName.encodeKey(into: &writer)
                    self.firstName.encodeKey(into: &writer)
                }

                func fieldsSize() throws(Trove.CodingError) -> Int {
                    try Trove.fieldCoding(of: Int.self).encodedSize(of: self.age)
                }

                func encodeFields(into writer: inout Trove.ValueWriter) {
                    Trove.fieldCoding(of: Int.self).encode(self.age, into: &writer)
                }

                init(decoding reader: inout Trove.RecordReader) throws(Trove.CodingError) {
                    let value0 = try String(decodingKey: &reader.key)
                    let value1 = try String(decodingKey: &reader.key)
                    let value2 = try Trove.fieldCoding(of: Int.self).decode(from: &reader.fields)
                    self.init(decoded: (), value0, value1, value2)
                }

                @inline(__always) private init(decoded: Void, _ value0: String, _ value1: String, _ value2: Int) {
                    self.lastName = value0
                    self.firstName = value1
                    self.age = value2
                }

                static func query(lastName: String) -> Trove.Query<Self> {
                    Trove.Query(last: .equals(lastName))
                }

                static func query(lastName: Trove.ComparisonOperator<String>) -> Trove.Query<Self> {
                    Trove.Query(last: lastName)
                }

                static func query(lastName: String, firstName: String) -> Trove.Query<Self> {
                    Trove.Query(lastName, last: .equals(firstName))
                }

                static func query(lastName: String, firstName: Trove.ComparisonOperator<String>) -> Trove.Query<Self> {
                    Trove.Query(lastName, last: firstName)
                }

                @available(*, noasync, message: "await the call")
                static func select(
                    in source: some Trove.RecordReadable, limit: Int? = nil, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    lastName: String
                ) throws -> [Self] {
                    try Self.query(lastName: lastName)
                        .page(limit: limit, order: order, after: after)
                        .resolve(in: source)
                }

                @available(*, noasync, message: "await the call")
                static func select(
                    in source: some Trove.RecordReadable, limit: Int? = nil, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    lastName: Trove.ComparisonOperator<String>
                ) throws -> [Self] {
                    try Self.query(lastName: lastName)
                        .page(limit: limit, order: order, after: after)
                        .resolve(in: source)
                }

                @available(*, noasync, message: "await the call")
                static func select(
                    in source: some Trove.RecordReadable, limit: Int? = nil, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    lastName: String, firstName: String
                ) throws -> [Self] {
                    try Self.query(lastName: lastName, firstName: firstName)
                        .page(limit: limit, order: order, after: after)
                        .resolve(in: source)
                }

                @available(*, noasync, message: "await the call")
                static func select(
                    in source: some Trove.RecordReadable, limit: Int? = nil, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    lastName: String, firstName: Trove.ComparisonOperator<String>
                ) throws -> [Self] {
                    try Self.query(lastName: lastName, firstName: firstName)
                        .page(limit: limit, order: order, after: after)
                        .resolve(in: source)
                }

                @discardableResult
                @available(*, noasync, message: "await the call")
                static func delete(
                    in destination: some Trove.RecordWritable,
                    lastName: String
                ) throws -> Int {
                    try Self.query(lastName: lastName).delete(in: destination)
                }

                @discardableResult
                @available(*, noasync, message: "await the call")
                static func delete(
                    in destination: some Trove.RecordWritable,
                    lastName: Trove.ComparisonOperator<String>
                ) throws -> Int {
                    try Self.query(lastName: lastName).delete(in: destination)
                }

                @discardableResult
                @available(*, noasync, message: "await the call")
                static func delete(
                    in destination: some Trove.RecordWritable,
                    lastName: String, firstName: String
                ) throws -> Int {
                    try Self.query(lastName: lastName, firstName: firstName).delete(in: destination)
                }

                @discardableResult
                @available(*, noasync, message: "await the call")
                static func delete(
                    in destination: some Trove.RecordWritable,
                    lastName: String, firstName: Trove.ComparisonOperator<String>
                ) throws -> Int {
                    try Self.query(lastName: lastName, firstName: firstName).delete(in: destination)
                }

                @available(*, noasync, message: "await the call")
                static func get(
                    in source: some Trove.RecordReadable,
                    lastName: String, firstName: String
                ) throws -> Self? {
                    try source.get(Self.self) { writer in
                        lastName.encodeKey(into: &writer)
                        firstName.encodeKey(into: &writer)
                    }
                }

                static func select(
                    in source: Trove.Store, limit: Int? = nil, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    lastName: String
                ) async throws -> [Self] {
                    try await Self.query(lastName: lastName)
                        .page(limit: limit, order: order, after: after)
                        .resolve(in: source)
                }

                static func select(
                    in source: Trove.Store, limit: Int? = nil, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    lastName: Trove.ComparisonOperator<String>
                ) async throws -> [Self] {
                    try await Self.query(lastName: lastName)
                        .page(limit: limit, order: order, after: after)
                        .resolve(in: source)
                }

                static func select(
                    in source: Trove.Store, limit: Int? = nil, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    lastName: String, firstName: String
                ) async throws -> [Self] {
                    try await Self.query(lastName: lastName, firstName: firstName)
                        .page(limit: limit, order: order, after: after)
                        .resolve(in: source)
                }

                static func select(
                    in source: Trove.Store, limit: Int? = nil, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    lastName: String, firstName: Trove.ComparisonOperator<String>
                ) async throws -> [Self] {
                    try await Self.query(lastName: lastName, firstName: firstName)
                        .page(limit: limit, order: order, after: after)
                        .resolve(in: source)
                }

                @discardableResult
                static func delete(
                    in destination: Trove.Store,
                    lastName: String
                ) async throws -> Int {
                    try await Self.query(lastName: lastName).delete(in: destination)
                }

                @discardableResult
                static func delete(
                    in destination: Trove.Store,
                    lastName: Trove.ComparisonOperator<String>
                ) async throws -> Int {
                    try await Self.query(lastName: lastName).delete(in: destination)
                }

                @discardableResult
                static func delete(
                    in destination: Trove.Store,
                    lastName: String, firstName: String
                ) async throws -> Int {
                    try await Self.query(lastName: lastName, firstName: firstName).delete(in: destination)
                }

                @discardableResult
                static func delete(
                    in destination: Trove.Store,
                    lastName: String, firstName: Trove.ComparisonOperator<String>
                ) async throws -> Int {
                    try await Self.query(lastName: lastName, firstName: firstName).delete(in: destination)
                }

                static func get(
                    in source: Trove.Store,
                    lastName: String, firstName: String
                ) async throws -> Self? {
                    try await source.get(Self.self) { writer in
                        lastName.encodeKey(into: &writer)
                        firstName.encodeKey(into: &writer)
                    }
                }
            }
            """#)
    }
}
