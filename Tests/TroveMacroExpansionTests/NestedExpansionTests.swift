// The expansions of types inside other types, whose property types an extension cannot see.

import Testing

@testable import TroveMacroExpansion

@Suite("Expansion of nested types")
struct NestedExpansionTests {
    @Test func record_nestedWithTypesFromOutside() {
        expectExpansion(
            of: #"""
                extension Library {
                    enum Rooms {
                        @IndexKeyRecord("genre")
                        struct Book {
                            let genre: Genre
                            private var `class`: [Genre]
                            let shelf: Shelf?
                            let loan: Library.Loan
                            struct Shelf {}
                        }
                    }
                }
                """#,
            #"""
            extension Library {
                enum Rooms {
                    struct Book {
                        let genre: Genre
                        private var `class`: [Genre]
                        let shelf: Shelf?
                        let loan: Library.Loan
                        struct Shelf {}

                        enum PropertyTypes {
                            typealias genre = Genre
                            fileprivate typealias `class` = [Genre]
                        }
                    }
                }
            }

            nonisolated extension Library.Rooms.Book: Trove.IndexKeyRecord, Trove.KeyFallback, Identifiable {
                static let schema: Trove.RecordSchema = .init(
                    of: Self.self, name: "Library.Rooms.Book", fileID: #fileID,
                    key: [
                        Trove.KeyProperty("genre", \Self.genre)
                    ],
                    fields: [
                        Trove.FieldProperty("class", \Self.`class`, Trove.fieldCoding(of: PropertyTypes.`class`.self)),
                        Trove.FieldProperty("shelf", \Self.shelf, Trove.fieldCoding(of: Shelf?.self)),
                        Trove.FieldProperty("loan", \Self.loan, Trove.fieldCoding(of: Library.Loan.self))
                    ])

                var indexKey: PropertyTypes.genre { self.genre }

                var id: IndexKey { self.indexKey }

                func encodeKey(into writer: inout Trove.KeyWriter) {
                    Trove.keyCoding(of: PropertyTypes.genre.self).encode(self.genre, into: &writer)
                }

                func fieldsSize() throws(Trove.CodingError) -> Int {
                    var size = try Trove.fieldCoding(of: PropertyTypes.`class`.self).encodedSize(of: self.`class`)
                    size += try Trove.fieldCoding(of: Shelf?.self).encodedSize(of: self.shelf)
                    size += try Trove.fieldCoding(of: Library.Loan.self).encodedSize(of: self.loan)
                    return size
                }

                func encodeFields(into writer: inout Trove.ValueWriter) {
                    #sourceLocation(file: "test.swift", line: 6)
                    let coding0 = Trove.fieldCoding(of: PropertyTypes.`class`.self)
                    #sourceLocation(file: "test.swift", line: 6)
                    coding0.encode(self.`class`, into: &writer)
                    #sourceLocation()
                    #sourceLocation(file: "test.swift", line: 7)
                    let coding1 = Trove.fieldCoding(of: Shelf?.self)
                    #sourceLocation(file: "test.swift", line: 7)
                    coding1.encode(self.shelf, into: &writer)
                    #sourceLocation()
                    #sourceLocation(file: "test.swift", line: 8)
                    let coding2 = Trove.fieldCoding(of: Library.Loan.self)
                    #sourceLocation(file: "test.swift", line: 8)
                    coding2.encode(self.loan, into: &writer)
                    #sourceLocation()
                }

                init(decoding reader: inout Trove.RecordReader) throws(Trove.CodingError) {
                    #sourceLocation(file: "test.swift", line: 5)
                    let value0 = try Trove.keyCoding(of: PropertyTypes.genre.self).decode(from: &reader.key)
                    #sourceLocation()
                    let value1 = try Trove.fieldCoding(of: PropertyTypes.`class`.self).decode(from: &reader.fields)
                    let value2 = try Trove.fieldCoding(of: Shelf?.self).decode(from: &reader.fields)
                    let value3 = try Trove.fieldCoding(of: Library.Loan.self).decode(from: &reader.fields)
                    self.init(decoded: (), value0, value1, value2, value3)
                }

                @inline(__always) private init(decoded: Void, _ value0: PropertyTypes.genre, _ value1: PropertyTypes.`class`, _ value2: Shelf?, _ value3: Library.Loan) {
                    self.genre = value0
                    self.`class` = value1
                    self.shelf = value2
                    self.loan = value3
                }

                static func query(genre: PropertyTypes.genre) -> Trove.Query<Self> {
                    Trove.Query(last: .equals(genre))
                }

                static func query(genre: Trove.ComparisonOperator<PropertyTypes.genre>) -> Trove.Query<Self> {
                    Trove.Query(last: genre)
                }

                @available(*, noasync, message: "await the call")
                static func select(
                    in source: some Trove.RecordReadable, limit: Int? = nil, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    genre: PropertyTypes.genre
                ) throws -> [Self] {
                    try Self.query(genre: genre)
                        .page(limit: limit, order: order, after: after)
                        .resolve(in: source)
                }

                @available(*, noasync, message: "await the call")
                static func select(
                    in source: some Trove.RecordReadable, limit: Int? = nil, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    genre: Trove.ComparisonOperator<PropertyTypes.genre>
                ) throws -> [Self] {
                    try Self.query(genre: genre)
                        .page(limit: limit, order: order, after: after)
                        .resolve(in: source)
                }

                @discardableResult
                @available(*, noasync, message: "await the call")
                static func delete(
                    in destination: some Trove.RecordWritable,
                    genre: PropertyTypes.genre
                ) throws -> Int {
                    try Self.query(genre: genre).delete(in: destination)
                }

                @discardableResult
                @available(*, noasync, message: "await the call")
                static func delete(
                    in destination: some Trove.RecordWritable,
                    genre: Trove.ComparisonOperator<PropertyTypes.genre>
                ) throws -> Int {
                    try Self.query(genre: genre).delete(in: destination)
                }

                @available(*, noasync, message: "await the call")
                static func get(
                    in source: some Trove.RecordReadable,
                    genre: PropertyTypes.genre
                ) throws -> Self? {
                    try source.get(Self.self) { writer in
                        Trove.keyCoding(of: PropertyTypes.genre.self).encode(genre, into: &writer)
                    }
                }

                static func select(
                    in source: Trove.Store, limit: Int? = nil, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    genre: PropertyTypes.genre
                ) async throws -> [Self] {
                    try await Self.query(genre: genre)
                        .page(limit: limit, order: order, after: after)
                        .resolve(in: source)
                }

                static func select(
                    in source: Trove.Store, limit: Int? = nil, order: Trove.KeyOrder? = nil, after: IndexKey? = nil,
                    genre: Trove.ComparisonOperator<PropertyTypes.genre>
                ) async throws -> [Self] {
                    try await Self.query(genre: genre)
                        .page(limit: limit, order: order, after: after)
                        .resolve(in: source)
                }

                @discardableResult
                static func delete(
                    in destination: Trove.Store,
                    genre: PropertyTypes.genre
                ) async throws -> Int {
                    try await Self.query(genre: genre).delete(in: destination)
                }

                @discardableResult
                static func delete(
                    in destination: Trove.Store,
                    genre: Trove.ComparisonOperator<PropertyTypes.genre>
                ) async throws -> Int {
                    try await Self.query(genre: genre).delete(in: destination)
                }

                static func get(
                    in source: Trove.Store,
                    genre: PropertyTypes.genre
                ) async throws -> Self? {
                    try await source.get(Self.self) { writer in
                        Trove.keyCoding(of: PropertyTypes.genre.self).encode(genre, into: &writer)
                    }
                }
            }
            """#)
    }

    @Test func value_nestedEnum() {
        expectExpansion(
            of: #"""
                enum Workshop {
                    @RecordValue
                    package enum Job {
                        case make(Unit, count: Int)
                    }
                }
                """#,
            #"""
            enum Workshop {
                package enum Job {
                    case make(Unit, count: Int)

                    package enum PropertyTypes {
                        typealias case0_0 = Unit
                    }
                }
            }

            nonisolated extension Workshop.Job: Trove.RecordValue {
                package static func describe(in layout: inout Trove.LayoutBuilder) {
                    layout.enumeration(Self.self) { layout in
                        layout.case("make") { layout in
                            layout.value(Trove.fieldCoding(of: PropertyTypes.case0_0.self))
                            layout.field("count", Trove.fieldCoding(of: Int.self))
                        }
                    }
                }

                package var encodedSize: Int {
                    get throws(Trove.CodingError) {
                        switch self {
                        case .make(let value0, count: let value1):
                            var size = Trove.ValueWriter.size(ofLength: 0)
                            size += try Trove.fieldCoding(of: PropertyTypes.case0_0.self).encodedSize(of: value0)
                            size += try Trove.fieldCoding(of: Int.self).encodedSize(of: value1)
                            return size
                        }
                    }
                }

                package func encode(into writer: inout Trove.ValueWriter) {
                    guard writer.enter() else { return }
                    switch self {
                    case .make(let value0, count: let value1):
                        writer.writeLength(0)
                        #sourceLocation(file: "test.swift", line: 4)
                        let coding0 = Trove.fieldCoding(of: PropertyTypes.case0_0.self)
                        #sourceLocation(file: "test.swift", line: 4)
                        coding0.encode(value0, into: &writer)
                        #sourceLocation()
                        Trove.fieldCoding(of: Int.self).encode(value1, into: &writer)
                    }
                    writer.leave()
                }

                package init(decoding reader: inout Trove.ValueReader) throws(Trove.CodingError) {
                    try reader.enter()
                    switch try reader.readLength() {
                    case 0:
                        self = .make(
                            try Trove.fieldCoding(of: PropertyTypes.case0_0.self).decode(from: &reader),
                            count: try Trove.fieldCoding(of: Int.self).decode(from: &reader))
                    default:
                        throw reader.malformed("a case of Job")
                    }
                    reader.leave()
                }

                package static func skip(in reader: inout Trove.ValueReader) throws(Trove.CodingError) {
                    try reader.enter()
                    switch try reader.readLength() {
                    case 0:
                        try Trove.fieldCoding(of: PropertyTypes.case0_0.self).skip(in: &reader)
                        try Trove.fieldCoding(of: Int.self).skip(in: &reader)
                    default:
                        throw reader.malformed("a case of Job")
                    }
                    reader.leave()
                }
            }
            """#)
    }
}
