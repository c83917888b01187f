// The steps that create the new fields of a converted record.

/// A step that creates some bytes of the new fields.
enum FieldStep: Hashable, Sendable {
    /// Copies the bytes of consecutive old fields.
    case copied(Range<Int>)
    /// Copies an old integer, and adds bytes after it.
    case widened(Int, by: Int, isSigned: Bool)
    /// Copies a number of bytes of an old integer. If the value is out of range, converts it as the new field does.
    case narrowed(Int, to: Int, wasSigned: Bool, isSigned: Bool, new: Int)
    /// Writes a byte 1, and copies an old field.
    case wrapped(Int)
    /// Writes the byte 0 of nil.
    case null
    /// Copies an old field without its tag byte 1. If the value is nil, converts nil as the new field does.
    case unwrapped(Int, new: Int)
    /// Writes the default of a new field.
    case made(new: Int)
    /// Converts the value of an old component or field.
    case converted(Int, new: Int)

    /// Returns the steps that create the new fields.
    ///
    /// - Parameters:
    ///   - matches: The sources of the new fields: the old key's components, then the old fields.
    ///   - keyCount: The number of components of the old key.
    static func all(_ matches: [FieldMatch], keyCount: Int) -> [FieldStep] {
        var steps: [FieldStep] = []
        for (index, match) in matches.enumerated() {
            let step = step(match, index, keyCount)
            if case .copied(let next) = step, case .copied(let last)? = steps.last, last.upperBound == next.lowerBound {
                steps[steps.count - 1] = .copied(last.lowerBound..<next.upperBound)
            } else {
                steps.append(step)
            }
        }
        return steps
    }

    private static func step(_ match: FieldMatch, _ index: Int, _ keyCount: Int) -> FieldStep {
        guard let source = match.source else { return match.defaultValue == nil ? .null : .made(new: index) }
        let field = source - keyCount
        // A component has other bytes than a field.
        guard field >= 0 else { return .converted(source, new: index) }
        return switch match.conversion.bytes {
        case .none: .copied(field..<field + 1)
        case .wrapped: .wrapped(field)
        case .unwrapped: .unwrapped(field, new: index)
        case .widened(let count, let isSigned): .widened(field, by: count, isSigned: isSigned)
        case .narrowed(let count, let wasSigned, let isSigned):
            .narrowed(field, to: count, wasSigned: wasSigned, isSigned: isSigned, new: index)
        case .rewritten: .converted(source, new: index)
        }
    }
}
