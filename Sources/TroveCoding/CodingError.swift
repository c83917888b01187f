// The one error of this module: what is wrong with bytes, or with a value that cannot become bytes, and where.

/// Why bytes could not be read, or a value could not be written.
///
/// Reading any bytes at all gives a value or one of these: it never traps.
public struct CodingError: Error, Hashable, Sendable {
    /// What is wrong. The texts are fixed; the details are the associated values.
    public enum Reason: Hashable, Sendable {
        /// The bytes end before the value does.
        case truncated(needed: Int, available: Int)
        /// The bytes are there, but they are not what a writer would have written.
        case malformed(expected: String)
        /// The value has been read, and this many bytes are left.
        case trailingBytes(Int)
        /// The key has more bytes than a key may have.
        case keyTooLarge(size: Int, limit: Int)
        /// `encode(into:)` wrote another number of bytes than `encodedSize` had promised.
        case sizeMismatch(expected: Int, written: Int)
        /// The value has no bytes that would give it back; the text says why.
        case unencodable(String)
        /// The bytes are those of a type written by hand, of which only its own code knows what they mean.
        case unknownLayout(String)
        /// Values are nested deeper than the limit.
        case tooDeep(limit: Int)
    }

    /// What is wrong.
    public var reason: Reason

    /// Where, in bytes from the start of the key or the fields that are being read or written.
    public var offset: Int

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - reason: What is wrong.
    ///   - offset: Where, in bytes from the start of the key or the fields.
    public init(_ reason: Reason, at offset: Int = 0) {
        self.reason = reason
        self.offset = offset
    }
}

extension CodingError: CustomStringConvertible {
    /// One line: what is wrong, with its details, and the offset.
    public var description: String {
        switch reason {
        case .truncated(let needed, let available):
            "The bytes end too early: \(needed) needed, \(available) available, at offset \(offset)."
        case .malformed(let expected):
            "The bytes are malformed: expected \(expected), at offset \(offset)."
        case .trailingBytes(let count):
            "Bytes are left after the value: \(count), at offset \(offset)."
        case .keyTooLarge(let size, let limit):
            "The key is too large: \(size) bytes; the limit is \(limit)."
        case .sizeMismatch(let expected, let written):
            "encodedSize does not match encode(into:): \(expected) bytes promised, \(written) written."
        case .unencodable(let why):
            "The value cannot be written: \(why)."
        case .unknownLayout(let layout):
            "The layout “\(layout)” can be read only by its own type, at offset \(offset)."
        case .tooDeep(let limit):
            "Values are nested too deeply: the limit is \(limit) levels, at offset \(offset)."
        }
    }
}
