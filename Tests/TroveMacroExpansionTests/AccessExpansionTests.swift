// The complete expansion of a public record with prefix and version set by hand, and with unstored members.

import Testing

@testable import TroveMacroExpansion

@Suite("Expansion of a public record")
struct AccessExpansionTests {
    @Test func record_publicAndNumberedByHand() {
        expectExpansion(
            of: #"""
                @IndexKeyRecord(keyPrefix: 7, fieldsVersion: 0xFF, "code")
                public struct Airport {
                    public let code: String
                    private(set) var runways: Int = 1, name: String = ""
                    static let home = "FRA"
                    var title: String { name }
                }
                """#,
            #"""

            public struct Airport {
                public let code: String
                private(set) var runways: Int = 1, name: String = ""
                static let home = "FRA"
                var title: String { name }
            }

            nonisolated extension Airport: Trove.IndexKeyRecord, Identifiable {
                public static let schema: Trove.RecordSchema = .init(
                    of: Self.self, name: "Airport", fileID: #fileID, keyPrefix: 7, fieldsVersion: 0xFF,
                    key: [
                        Trove.KeyProperty("code", \Self.code)
                    ],
                    fields: [
                        Trove.FieldProperty("runways", \Self.runways, Trove.fieldCoding(of: Int.self), default: { 1 }),
                        Trove.FieldProperty("name", \Self.name, Trove.fieldCoding(of: String.self), default: { "" })
                    ])

                public typealias IndexKey = String

                public var indexKey: IndexKey { self.code }

                public var id: IndexKey { self.indexKey }

                public func encodeKey(into writer: inout Trove.KeyWriter) {
                    self.code.encodeKey(into: &writer)
                }

                public func fieldsSize() throws(Trove.CodingError) -> Int {
                    var size = try Trove.fieldCoding(of: Int.self).encodedSize(of: self.runways)
                    size += try Trove.fieldCoding(of: String.self).encodedSize(of: self.name)
                    return size
                }

                public func encodeFields(into writer: inout Trove.ValueWriter) {
                    Trove.fieldCoding(of: Int.self).encode(self.runways, into: &writer)
                    Trove.fieldCoding(of: String.self).encode(self.name, into: &writer)
                }

                public init(decoding reader: inout Trove.RecordReader) throws(Trove.CodingError) {
                    let value0 = try String(decodingKey: &reader.key)
                    let value1 = try Trove.fieldCoding(of: Int.self).decode(from: &reader.fields)
                    let value2 = try Trove.fieldCoding(of: String.self).decode(from: &reader.fields)
                    self.init(decoded: (), value0, value1, value2)
                }

                @inline(__always) private init(decoded: Void, _ value0: String, _ value1: Int, _ value2: String) {
                    self.code = value0
                    self.runways = value1
                    self.name = value2
                }

                public static func query(code: String) -> Trove.Query<Self> {
                    Trove.Query(last: .equals(code))
                }

                public static func query(code: Trove.ComparisonOperator<String>) -> Trove.Query<Self> {
                    Trove.Query(last: code)
                }

                @available(*, noasync, message: "await the call")
                public static func select(
                    in source: some Trove.RecordReadable, limit: Int? = nil, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    code: String
                ) throws -> [Self] {
                    try Self.query(code: code)
                        .page(limit: limit, order: order, after: after)
                        .resolve(in: source)
                }

                @available(*, noasync, message: "await the call")
                public static func select(
                    in source: some Trove.RecordReadable, limit: Int? = nil, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    code: Trove.ComparisonOperator<String>
                ) throws -> [Self] {
                    try Self.query(code: code)
                        .page(limit: limit, order: order, after: after)
                        .resolve(in: source)
                }

                @discardableResult
                @available(*, noasync, message: "await the call")
                public static func delete(
                    in destination: some Trove.RecordWritable,
                    code: String
                ) throws -> Int {
                    try Self.query(code: code).delete(in: destination)
                }

                @discardableResult
                @available(*, noasync, message: "await the call")
                public static func delete(
                    in destination: some Trove.RecordWritable,
                    code: Trove.ComparisonOperator<String>
                ) throws -> Int {
                    try Self.query(code: code).delete(in: destination)
                }

                @available(*, noasync, message: "await the call")
                public static func get(
                    in source: some Trove.RecordReadable,
                    code: String
                ) throws -> Self? {
                    try source.get(Self.self) { writer in
                        code.encodeKey(into: &writer)
                    }
                }

                public static func select(
                    in source: Trove.Store, limit: Int? = nil, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    code: String
                ) async throws -> [Self] {
                    try await Self.query(code: code)
                        .page(limit: limit, order: order, after: after)
                        .resolve(in: source)
                }

                public static func select(
                    in source: Trove.Store, limit: Int? = nil, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    code: Trove.ComparisonOperator<String>
                ) async throws -> [Self] {
                    try await Self.query(code: code)
                        .page(limit: limit, order: order, after: after)
                        .resolve(in: source)
                }

                @discardableResult
                public static func delete(
                    in destination: Trove.Store,
                    code: String
                ) async throws -> Int {
                    try await Self.query(code: code).delete(in: destination)
                }

                @discardableResult
                public static func delete(
                    in destination: Trove.Store,
                    code: Trove.ComparisonOperator<String>
                ) async throws -> Int {
                    try await Self.query(code: code).delete(in: destination)
                }

                public static func get(
                    in source: Trove.Store,
                    code: String
                ) async throws -> Self? {
                    try await source.get(Self.self) { writer in
                        code.encodeKey(into: &writer)
                    }
                }
            }
            """#)
    }
}
