// The complete expansions of nested values.

import Testing

@testable import TroveMacroExpansion

@Suite("Expansion of values")
struct ValueExpansionTests {
    @Test func value_struct() {
        expectExpansion(
            of: #"""
                @RecordValue
                public struct Address {
                    public var street: String
                    var number: Int?
                }
                """#,
            #"""

            public struct Address {
                public var street: String
                var number: Int?
            }

            nonisolated extension Address: Trove.RecordValue {
                public static func describe(in layout: inout Trove.LayoutBuilder) {
                    layout.record(Self.self) { layout in
                        layout.field("street", Trove.fieldCoding(of: String.self))
                        layout.field("number", Trove.fieldCoding(of: Int?.self))
                    }
                }

                public var encodedSize: Int {
                    get throws(Trove.CodingError) {
                        var size = try Trove.fieldCoding(of: String.self).encodedSize(of: self.street)
                        size += try Trove.fieldCoding(of: Int?.self).encodedSize(of: self.number)
                        return size
                    }
                }

                public func encode(into writer: inout Trove.ValueWriter) {
                    guard writer.enter() else { return }
                    Trove.fieldCoding(of: String.self).encode(self.street, into: &writer)
                    Trove.fieldCoding(of: Int?.self).encode(self.number, into: &writer)
                    writer.leave()
                }

                public init(decoding reader: inout Trove.ValueReader) throws(Trove.CodingError) {
                    try reader.enter()
                    self.street = try Trove.fieldCoding(of: String.self).decode(from: &reader)
                    self.number = try Trove.fieldCoding(of: Int?.self).decode(from: &reader)
                    reader.leave()
                }

                public static func skip(in reader: inout Trove.ValueReader) throws(Trove.CodingError) {
                    try reader.enter()
                    try Trove.fieldCoding(of: String.self).skip(in: &reader)
                    try Trove.fieldCoding(of: Int?.self).skip(in: &reader)
                    reader.leave()
                }
            }
            """#)
    }

    @Test func value_enum() {
        expectExpansion(
            of: #"""
                @RecordValue
                indirect enum Shape {
                    case empty, circle(radius: Double)
                    case pair(Shape, `in`: Color)
                }
                """#,
            #"""

            indirect enum Shape {
                case empty, circle(radius: Double)
                case pair(Shape, `in`: Color)
            }

            nonisolated extension Shape: Trove.RecordValue {
                static func describe(in layout: inout Trove.LayoutBuilder) {
                    layout.enumeration(Self.self) { layout in
                        layout.case("empty")
                        layout.case("circle") { layout in
                            layout.field("radius", Trove.fieldCoding(of: Double.self))
                        }
                        layout.case("pair") { layout in
                            layout.value(Trove.fieldCoding(of: Shape.self))
                            layout.field("in", Trove.fieldCoding(of: Color.self))
                        }
                    }
                }

                var encodedSize: Int {
                    get throws(Trove.CodingError) {
                        switch self {
                        case .empty:
                            return Trove.ValueWriter.size(ofLength: 0)
                        case .circle(radius: let value0):
                            var size = Trove.ValueWriter.size(ofLength: 1)
                            size += try Trove.fieldCoding(of: Double.self).encodedSize(of: value0)
                            return size
                        case .pair(let value0, in: let value1):
                            var size = Trove.ValueWriter.size(ofLength: 2)
                            size += try Trove.fieldCoding(of: Shape.self).encodedSize(of: value0)
                            size += try Trove.fieldCoding(of: Color.self).encodedSize(of: value1)
                            return size
                        }
                    }
                }

                func encode(into writer: inout Trove.ValueWriter) {
                    guard writer.enter() else { return }
                    switch self {
                    case .empty:
                        writer.writeLength(0)
                    case .circle(radius: let value0):
                        writer.writeLength(1)
                        Trove.fieldCoding(of: Double.self).encode(value0, into: &writer)
                    case .pair(let value0, in: let value1):
                        writer.writeLength(2)
                        #sourceLocation(file: "test.swift", line: 4)
                        let coding0 = Trove.fieldCoding(of: Shape.self)
                        #sourceLocation(file: "test.swift", line: 4)
                        coding0.encode(value0, into: &writer)
                        #sourceLocation()
                        #sourceLocation(file: "test.swift", line: 4)
                        let coding1 = Trove.fieldCoding(of: Color.self)
                        #sourceLocation(file: "test.swift", line: 4)
                        coding1.encode(value1, into: &writer)
                        #sourceLocation()
                    }
                    writer.leave()
                }

                init(decoding reader: inout Trove.ValueReader) throws(Trove.CodingError) {
                    try reader.enter()
                    switch try reader.readLength() {
                    case 0:
                        self = .empty
                    case 1:
                        self = .circle(
                            radius: try Trove.fieldCoding(of: Double.self).decode(from: &reader))
                    case 2:
                        self = .pair(
                            try Trove.fieldCoding(of: Shape.self).decode(from: &reader),
                            in: try Trove.fieldCoding(of: Color.self).decode(from: &reader))
                    default:
                        throw reader.malformed("a case of Shape")
                    }
                    reader.leave()
                }

                static func skip(in reader: inout Trove.ValueReader) throws(Trove.CodingError) {
                    try reader.enter()
                    switch try reader.readLength() {
                    case 0:
                        break
                    case 1:
                        try Trove.fieldCoding(of: Double.self).skip(in: &reader)
                    case 2:
                        try Trove.fieldCoding(of: Shape.self).skip(in: &reader)
                        try Trove.fieldCoding(of: Color.self).skip(in: &reader)
                    default:
                        throw reader.malformed("a case of Shape")
                    }
                    reader.leave()
                }
            }
            """#)
    }
}
