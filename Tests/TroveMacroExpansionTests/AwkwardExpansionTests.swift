// The expansion of a record whose key components have the names of generated parameters.

import Testing

@testable import TroveMacroExpansion

@Suite("Expansion with awkward names")
struct AwkwardExpansionTests {
    @Test func record_keyNamesLikeOptions() {
        expectExpansion(
            of: #"""
                @available(macOS 16, *)
                @IndexKeyRecord("in", "limit")
                struct Awkward {
                    let `in`: Int
                    let limit: Int
                }
                """#,
            #"""
            @available(macOS 16, *)
            struct Awkward {
                let `in`: Int
                let limit: Int
            }

            @available(macOS 16, *)
            nonisolated extension Awkward: Trove.IndexKeyRecord, Identifiable {
                static let schema: Trove.RecordSchema = .init(
                    of: Self.self, name: "Awkward", fileID: #fileID,
                    key: [
                        Trove.KeyProperty("in", \Self.`in`),
                        Trove.KeyProperty("limit", \Self.limit)
                    ],
                    fields: [])

                typealias IndexKey = Trove.Tuple<Int, Int>

                var indexKey: IndexKey { Trove.Tuple(self.`in`, self.limit) }

                var id: IndexKey { self.indexKey }

                func encodeKey(into writer: inout Trove.KeyWriter) {
                    self.`in`.encodeKey(into: &writer)
                    self.limit.encodeKey(into: &writer)
                }

                func fieldsSize() throws(Trove.CodingError) -> Int {
                    0
                }

                func encodeFields(into writer: inout Trove.ValueWriter) {}

                init(decoding reader: inout Trove.RecordReader) throws(Trove.CodingError) {
                    let value0 = try Int(decodingKey: &reader.key)
                    let value1 = try Int(decodingKey: &reader.key)
                    self.init(decoded: (), value0, value1)
                }

                @inline(__always) private init(decoded: Void, _ value0: Int, _ value1: Int) {
                    self.`in` = value0
                    self.limit = value1
                }

                static func query(in: Int) -> Trove.Query<Self> {
                    Trove.Query(last: .equals(`in`))
                }

                static func query(in: Trove.ComparisonOperator<Int>) -> Trove.Query<Self> {
                    Trove.Query(last: `in`)
                }

                static func query(in: Int, limit: Int) -> Trove.Query<Self> {
                    Trove.Query(`in`, last: .equals(limit))
                }

                static func query(in: Int, limit: Trove.ComparisonOperator<Int>) -> Trove.Query<Self> {
                    Trove.Query(`in`, last: limit)
                }

                @available(*, noasync, message: "await the call")
                static func select(
                    in source: some Trove.RecordReadable, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    in: Int
                ) throws -> [Self] {
                    try Self.query(in: `in`)
                        .page(limit: nil, order: order, after: after)
                        .resolve(in: source)
                }

                @available(*, noasync, message: "await the call")
                static func select(
                    in source: some Trove.RecordReadable, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    in: Trove.ComparisonOperator<Int>
                ) throws -> [Self] {
                    try Self.query(in: `in`)
                        .page(limit: nil, order: order, after: after)
                        .resolve(in: source)
                }

                @available(*, noasync, message: "await the call")
                static func select(
                    in source: some Trove.RecordReadable, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    in: Int, limit: Int
                ) throws -> [Self] {
                    try Self.query(in: `in`, limit: limit)
                        .page(limit: nil, order: order, after: after)
                        .resolve(in: source)
                }

                @available(*, noasync, message: "await the call")
                static func select(
                    in source: some Trove.RecordReadable, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    in: Int, limit: Trove.ComparisonOperator<Int>
                ) throws -> [Self] {
                    try Self.query(in: `in`, limit: limit)
                        .page(limit: nil, order: order, after: after)
                        .resolve(in: source)
                }

                @discardableResult
                @available(*, noasync, message: "await the call")
                static func delete(
                    in destination: some Trove.RecordWritable,
                    in: Int
                ) throws -> Int {
                    try Self.query(in: `in`).delete(in: destination)
                }

                @discardableResult
                @available(*, noasync, message: "await the call")
                static func delete(
                    in destination: some Trove.RecordWritable,
                    in: Trove.ComparisonOperator<Int>
                ) throws -> Int {
                    try Self.query(in: `in`).delete(in: destination)
                }

                @discardableResult
                @available(*, noasync, message: "await the call")
                static func delete(
                    in destination: some Trove.RecordWritable,
                    in: Int, limit: Int
                ) throws -> Int {
                    try Self.query(in: `in`, limit: limit).delete(in: destination)
                }

                @discardableResult
                @available(*, noasync, message: "await the call")
                static func delete(
                    in destination: some Trove.RecordWritable,
                    in: Int, limit: Trove.ComparisonOperator<Int>
                ) throws -> Int {
                    try Self.query(in: `in`, limit: limit).delete(in: destination)
                }

                @available(*, noasync, message: "await the call")
                static func get(
                    in source: some Trove.RecordReadable,
                    in: Int, limit: Int
                ) throws -> Self? {
                    try source.get(Self.self) { writer in
                        `in`.encodeKey(into: &writer)
                        limit.encodeKey(into: &writer)
                    }
                }

                static func select(
                    in source: Trove.Store, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    in: Int
                ) async throws -> [Self] {
                    try await Self.query(in: `in`)
                        .page(limit: nil, order: order, after: after)
                        .resolve(in: source)
                }

                static func select(
                    in source: Trove.Store, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    in: Trove.ComparisonOperator<Int>
                ) async throws -> [Self] {
                    try await Self.query(in: `in`)
                        .page(limit: nil, order: order, after: after)
                        .resolve(in: source)
                }

                static func select(
                    in source: Trove.Store, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    in: Int, limit: Int
                ) async throws -> [Self] {
                    try await Self.query(in: `in`, limit: limit)
                        .page(limit: nil, order: order, after: after)
                        .resolve(in: source)
                }

                static func select(
                    in source: Trove.Store, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    in: Int, limit: Trove.ComparisonOperator<Int>
                ) async throws -> [Self] {
                    try await Self.query(in: `in`, limit: limit)
                        .page(limit: nil, order: order, after: after)
                        .resolve(in: source)
                }

                @discardableResult
                static func delete(
                    in destination: Trove.Store,
                    in: Int
                ) async throws -> Int {
                    try await Self.query(in: `in`).delete(in: destination)
                }

                @discardableResult
                static func delete(
                    in destination: Trove.Store,
                    in: Trove.ComparisonOperator<Int>
                ) async throws -> Int {
                    try await Self.query(in: `in`).delete(in: destination)
                }

                @discardableResult
                static func delete(
                    in destination: Trove.Store,
                    in: Int, limit: Int
                ) async throws -> Int {
                    try await Self.query(in: `in`, limit: limit).delete(in: destination)
                }

                @discardableResult
                static func delete(
                    in destination: Trove.Store,
                    in: Int, limit: Trove.ComparisonOperator<Int>
                ) async throws -> Int {
                    try await Self.query(in: `in`, limit: limit).delete(in: destination)
                }

                static func get(
                    in source: Trove.Store,
                    in: Int, limit: Int
                ) async throws -> Self? {
                    try await source.get(Self.self) { writer in
                        `in`.encodeKey(into: &writer)
                        limit.encodeKey(into: &writer)
                    }
                }
            }
            """#)
    }
}
