// The bounds of a record's fields, found without creating their values.
//
// Checks that cost nothing are made as in reading: of tags, lengths, counts, cases, order and depth. The contents of
// strings, URLs, decimals and JSON are not checked. The layout is flattened into a table, where a type that contains
// itself refers to its own row: so no step allocates memory.

/// The shapes of a record's fields, in a table for fast skipping.
package struct FieldWalk: Sendable {
    /// The shape of a type's bytes. Ranges are of `parts`.
    private enum Shape: Sendable {
        case scalar(ScalarExtent)
        case optional(Range<Int>)
        case array(Range<Int>)
        case set(Range<Int>)
        case dictionary(Range<Int>)
        case tuple(Range<Int>)
        case record(Range<Int>)
        /// A range of `cases`.
        case enumeration(Range<Int>)
        /// An index of `unknowns`.
        case unknown(Int)
    }

    /// The parts of a value after its head: the same parts, `count` times.
    private struct Inside {
        var parts = 0..<0
        var count = 0
        var isSorted = false
        var isRecord = false
    }

    private var shapes: [Shape] = []
    private var parts: [Int] = []
    private var cases: [Range<Int>] = []
    private var unknowns: [CodingError.Reason] = []
    private var fields: [Int] = []

    package init(_ fields: [LayoutField]) { self.fields = fields.map { add($0.type, in: []) } }

    /// Calls a closure with the offset of each field, and the offset after the last field.
    ///
    /// - Throws: ``CodingError`` if the bytes are not the bytes of the fields, and any error of the closure.
    func withBounds(of bytes: RawSpan, _ body: (Span<Int>) throws -> Void) throws {
        try unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: fields.count + 1) { bounds in
            unsafe bounds.initialize(repeating: 0)
            try ValueReader.read(bytes) { (reader) throws(CodingError) in
                for index in fields.indices {
                    try skip(fields[index], level: 0, in: &reader)
                    unsafe bounds[index + 1] = reader.offset
                }
            }
            try body(unsafe bounds.span)
        }
    }

    /// Returns the index of the field whose bytes contain an offset, or of the first field that cannot be read.
    func field(at offset: Int, in bytes: RawSpan) -> Int? {
        unsafe bytes.withUnsafeBytes { buffer in
            var reader = unsafe ValueReader(buffer)
            return fields.indices.first { index in
                do throws(CodingError) {
                    try skip(fields[index], level: 0, in: &reader)
                    return offset < reader.offset
                } catch {
                    return true
                }
            } ?? fields.indices.last
        }
    }

    /// Returns the offset after a field.
    ///
    /// - Parameter start: The offset of its first byte.
    package func end(of field: Int, from start: Int, in bytes: RawSpan) throws(CodingError) -> Int {
        try unsafe bytes.withUnsafeBytes { (buffer) throws(CodingError) in
            var reader = unsafe ValueReader(buffer, at: start)
            try skip(fields[field], level: 0, in: &reader)
            return reader.offset
        }
    }

    // MARK: Walking

    /// - Parameter level: The number of levels of values that contain it, of any kind.
    private func skip(_ shape: Int, level: Int, in reader: inout ValueReader) throws(CodingError) {
        // Only this function is recursive, and it does little: so deep values need little stack.
        let inside = try skipHead(shapes[shape], level: level, in: &reader)
        var previous = reader.offset..<reader.offset
        for _ in 0..<inside.count {
            let start = reader.offset
            for index in inside.parts { try skip(parts[index], level: level + 1, in: &reader) }
            if inside.isSorted { try reader.checkOrder(&previous, start..<reader.offset) }
        }
        if inside.isRecord { reader.leave() }
    }

    /// Skips a value without parts, or the bytes before the parts.
    private func skipHead(
        _ shape: Shape, level: Int, in reader: inout ValueReader
    ) throws(CodingError) -> Inside {
        switch shape {
        case .scalar(.fixed(let size)): try reader.skip(size)
        case .scalar(.tag): _ = try reader.readTag()
        case .scalar(.counted): try reader.skip(reader.readLength())
        case .scalar(.skipped(let type)): try type.skip(in: &reader)
        case .unknown(let reason): throw CodingError(unknowns[reason], at: reader.offset)
        default:
            try Nesting.checkLevel(level + 1, at: reader.offset)
            return try enter(shape, in: &reader)
        }
        return Inside()
    }

    private func enter(_ shape: Shape, in reader: inout ValueReader) throws(CodingError) -> Inside {
        switch shape {
        case .optional(let parts): return Inside(parts: parts, count: try reader.readTag() ? 1 : 0)
        case .array(let parts):
            guard case .scalar(.fixed(let size)) = shapes[self.parts[parts.lowerBound]] else {
                return Inside(parts: parts, count: try reader.readCount())
            }
            try reader.skip(reader.readCount(minimumSize: size) * size)
            return Inside()
        case .set(let parts): return Inside(parts: parts, count: try reader.readCount(), isSorted: true)
        case .dictionary(let parts):
            return Inside(parts: parts, count: try reader.readCount(minimumSize: 2), isSorted: true)
        case .tuple(let parts): return Inside(parts: parts, count: 1)
        case .record(let parts):
            try reader.enter()
            return Inside(parts: parts, count: 1, isRecord: true)
        case .enumeration(let cases):
            try reader.enter()
            let start = reader.offset
            let index = try reader.readLength()
            guard index < cases.count else { throw reader.malformed("a case of the enum", at: start) }
            return Inside(parts: self.cases[cases.lowerBound + index], count: 1, isRecord: true)
        case .scalar, .unknown: return Inside()
        }
    }

    // MARK: Spreading a layout out

    /// Adds a type, and returns its row.
    ///
    /// - Parameter enclosing: The rows of the records and enums that contain it, the outermost first.
    private mutating func add(_ type: LayoutType, in enclosing: [Int]) -> Int {
        switch type {
        case .scalar(let scalar): add(.scalar(scalar.type.extent))
        case .json: add(.scalar(.counted))
        case .optional(let wrapped): add(.optional(add(parts: [wrapped], in: enclosing)))
        case .array(let element): add(.array(add(parts: [element], in: enclosing)))
        case .set(let element): add(.set(add(parts: [element], in: enclosing)))
        case .dictionary(let key, let value): add(.dictionary(add(parts: [key, value], in: enclosing)))
        case .rawValue(let raw), .descending(let raw): add(raw, in: enclosing)
        case .tuple(let types): add(sequence(types, in: enclosing) { .tuple($0) })
        case .record(let fields):
            addEnclosing { walk, row in
                walk.sequence(fields.map(\.type), in: enclosing + [row]) { .record($0) }
            }
        case .enumeration(let cases):
            addEnclosing { walk, row in
                let ranges = cases.map { walk.add(parts: $0.values.map(\.type), in: enclosing + [row]) }
                walk.cases += ranges
                return .enumeration(walk.cases.count - ranges.count..<walk.cases.count)
            }
        case .enclosing(let level):
            level <= enclosing.count
                ? enclosing[enclosing.count - level]
                : add(unknown: .malformed(expected: "a layout that contains itself"))
        case .other: add(unknown: .unknownLayout("\(type)"))
        }
    }

    private mutating func add(_ shape: Shape) -> Int {
        shapes.append(shape)
        return shapes.count - 1
    }

    private mutating func add(unknown reason: CodingError.Reason) -> Int {
        unknowns.append(reason)
        return add(.unknown(unknowns.count - 1))
    }

    /// Adds types side by side, and returns their range in `parts`.
    private mutating func add(parts types: [LayoutType], in enclosing: [Int]) -> Range<Int> {
        let rows = types.map { add($0, in: enclosing) }
        parts += rows
        return parts.count - rows.count..<parts.count
    }

    /// Adds a type that may contain itself.
    private mutating func addEnclosing(_ make: (inout FieldWalk, Int) -> Shape) -> Int {
        // Only the type's own parts refer to the row before it is complete.
        let row = add(.record(0..<0))
        shapes[row] = make(&self, row)
        return row
    }

    /// Returns the shape of consecutive parts: a single step if all have a fixed size.
    private mutating func sequence(
        _ types: [LayoutType], in enclosing: [Int], _ shape: (Range<Int>) -> Shape
    ) -> Shape {
        let range = add(parts: types, in: enclosing)
        var size = 0
        for part in parts[range] {
            guard case .scalar(.fixed(let partSize)) = shapes[part] else { return shape(range) }
            size += partSize
        }
        return .scalar(.fixed(size))
    }
}
