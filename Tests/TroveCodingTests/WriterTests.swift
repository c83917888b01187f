// Tests of faulty types written by hand: their faults are errors, and never write outside the memory.

import Testing
import TroveCoding
import TroveCodingSamples

/// A type that promises a number of bytes and writes another number.
private struct Liar: RecordValue {
    var promised: Int
    var written: Int

    static func describe(in layout: inout LayoutBuilder) { layout.append("Liar") }
    var encodedSize: Int { promised }

    func encode(into writer: inout ValueWriter) {
        for _ in 0..<written / 8 { writer.writeInteger(UInt64.max) }
        writer.writeBytes([UInt8](repeating: 0xFF, count: written % 8))
    }

    init(promised: Int, written: Int) {
        self.promised = promised
        self.written = written
    }

    init(decoding reader: inout ValueReader) throws(CodingError) { throw reader.malformed("anything else") }
}

struct WriterTests {
    @Test func wrongSize_isAnError() {
        for promised in 0..<40 {
            for written in 0..<40 where promised != written {
                #expect(
                    throws: CodingError(
                        .sizeMismatch(expected: promised, written: written), at: min(promised, written))
                ) { try ValueWriter.bytes(of: Liar(promised: promised, written: written)) }
            }
        }
    }

    @Test func tooMuch_isNotWrittenOutside() {
        var memory = [UInt8](repeating: 0xAA, count: 64)
        for written in 0..<60 {
            memory = [UInt8](repeating: 0xAA, count: 64)
            let error = unsafe memory.withUnsafeMutableBytes { memory -> CodingError? in
                var part = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[20..<30]).mutableBytes
                do throws(CodingError) {
                    try ValueWriter.write(into: &part) { Liar(promised: 0, written: written).encode(into: &$0) }
                    return nil
                } catch {
                    return error
                }
            }
            #expect((error == nil) == (written == 10))
            #expect(memory[..<20].allSatisfy { $0 == 0xAA } && memory[30...].allSatisfy { $0 == 0xAA })
        }
    }

    @Test func failure_isTheFirst() {
        #expect(throws: CodingError(.unencodable("first"), at: 1)) {
            try ValueWriter.bytes(count: 1) { writer in
                writer.fail(CodingError(.unencodable("first"), at: 1))
                writer.fail(CodingError(.unencodable("second"), at: 2))
                writer.writeByte(0)
            }
        }
        #expect(throws: CodingError(.unencodable("a length is negative"))) {
            try ValueWriter.bytes(count: 1) { $0.writeLength(-1) }
        }
    }

    @Test func nesting_hasALimitOnBothSides() throws {
        func tree(levels: Int) -> Tree { (1..<levels).reduce(.leaf(1)) { tree, _ in .node([tree]) } }
        let deepest = tree(levels: 128)
        #expect(try ValueReader.decode(Tree.self, from: ValueWriter.bytes(of: deepest)) == deepest)
        let tooDeep = try #require(throws: CodingError.self) { try ValueWriter.bytes(of: tree(levels: 129)) }
        #expect(tooDeep.reason == .tooDeep(limit: 128))
        let hostile = [UInt8](repeating: 1, count: 1_000_000)
        let refused = try #require(throws: CodingError.self) { try ValueReader.decode(Tree.self, from: hostile) }
        #expect(refused == CodingError(.tooDeep(limit: 128), at: 256))
        // Siblings are not nested.
        let wide = Tree.node((0..<1_000).map { _ in .node([.leaf(0)]) })
        #expect(try ValueReader.decode(Tree.self, from: ValueWriter.bytes(of: wide)) == wide)
    }

    @Test func record_isReadFromBothSides() throws {
        let key = KeyWriter.bytes(of: Tuple("a", 7))
        let fields = try ValueWriter.bytes(of: Place(name: "b", latitude: 1, tags: nil))
        func read(_ key: [UInt8], _ fields: [UInt8]) throws(CodingError) -> (String, Int, Place) {
            try unsafe RecordReader.read(key: key.span.bytes, fields: fields.span.bytes) {
                (reader) throws(CodingError) in
                let text = try String(decodingKey: &reader.key)
                return try (text, Int(decodingKey: &reader.key), Place(decoding: &reader.fields))
            }
        }
        let record = try read(key, fields)
        #expect(record == ("a", 7, Place(name: "b", latitude: 1, tags: nil)))
        #expect(throws: CodingError(.trailingBytes(1), at: key.count)) { try read(key + [0], fields) }
        #expect(throws: CodingError(.trailingBytes(1), at: fields.count)) { try read(key, fields + [0]) }
        let name = try unsafe RecordReader.readPart(key: key.span.bytes, fields: fields.span.bytes) {
            (reader) throws(CodingError) in try String(decoding: &reader.fields)
        }
        #expect(name == "b")
        let empty: [UInt8] = []
        try unsafe RecordReader.read(key: empty.span.bytes, fields: empty.span.bytes) { _ throws(CodingError) in }
    }
}
