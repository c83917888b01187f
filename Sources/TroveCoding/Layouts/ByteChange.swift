// The effect of a conversion on stored bytes.

/// The effect of a conversion on the bytes of a value.
enum ByteChange: Hashable, Sendable {
    /// The bytes stay as they are.
    case none
    /// A byte 1 is added before them: the value becomes an optional.
    case wrapped
    /// The byte 1 before them is removed. If it is 0, there is no value.
    case unwrapped
    /// Bytes are added after the bytes of an integer.
    case widened(by: Int, isSigned: Bool)
    /// Some bytes of an integer remain, if the number is in the new range.
    case narrowed(to: Int, wasSigned: Bool, isSigned: Bool)
    /// The value is read, converted and written.
    case rewritten
}
