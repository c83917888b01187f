// The levels around a value that is read, written or skipped by its layout.

/// The levels around a value.
struct Nesting {
    /// The maximum number of levels in all: optionals, arrays, sets, dictionaries, tuples, records and enums. Records
    /// and enums have their own limit, as in the code of the types: so each record may be inside two other levels.
    static let levelLimit = 3 * ValueWriter.depthLimit

    /// The records and enums that contain the value, the outermost first.
    private var enclosing: [LayoutType] = []
    private var level = 0
    private var recordLevel = 0

    /// Returns the actual layout, and the levels around its value.
    ///
    /// Raw values and descending components have the bytes of their base. `^n` repeats an enclosing type, with the
    /// levels around that type.
    func resolved(_ type: LayoutType, at offset: Int) throws(CodingError) -> (LayoutType, Nesting) {
        switch type {
        case .rawValue(let base), .descending(let base): return try resolved(base, at: offset)
        case .enclosing(let count):
            guard count <= enclosing.count else {
                throw CodingError(.malformed(expected: "a layout that contains itself"), at: offset)
            }
            var outside = self
            outside.enclosing.removeLast(count)
            return (enclosing[enclosing.count - count], outside)
        default: return (type, self)
        }
    }

    /// Returns the levels around the parts of a value.
    ///
    /// - Parameters:
    ///   - type: The value's layout.
    ///   - offset: The offset of its first byte.
    /// - Throws: `tooDeep`.
    func inside(_ type: LayoutType, at offset: Int) throws(CodingError) -> Nesting {
        var inside = self
        inside.level += 1
        try Self.checkLevel(inside.level, at: offset)
        switch type {
        case .record, .enumeration:
            inside.enclosing.append(type)
            inside.recordLevel += 1
            let limit = ValueWriter.depthLimit
            guard inside.recordLevel <= limit else { throw CodingError(.tooDeep(limit: limit), at: offset) }
        default: break
        }
        return inside
    }

    /// - Throws: `tooDeep` if there are more levels than the limit.
    static func checkLevel(_ level: Int, at offset: Int) throws(CodingError) {
        guard level <= levelLimit else { throw CodingError(.tooDeep(limit: levelLimit), at: offset) }
    }
}

extension LayoutType {
    /// Whether values of the type have parts.
    var hasParts: Bool {
        switch self {
        case .optional, .array, .set, .dictionary, .tuple, .record, .enumeration: true
        default: false
        }
    }
}
