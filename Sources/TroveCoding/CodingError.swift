// The error of this module: what is wrong with bytes or with a value, and at which offset.

/// An error of reading bytes or of writing a value.
///
/// Reading any bytes at all returns a value or throws this error: it never traps.
public struct CodingError: Error, Hashable, Sendable {
    /// The cause of an error. The texts are fixed; the details are the associated values. Later versions can add cases.
    ///
    /// A case with more than one text is indirect: every reader returns this error in four registers, and has it in its
    /// frame.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Reason: Hashable, Sendable {
        /// The bytes end before the value does.
        case truncated(needed: Int, available: Int)
        /// The bytes are there, but no writer would have written them.
        case malformed(expected: String)
        /// The value is read, and this many bytes are left.
        case trailingBytes(Int)
        /// The key is longer than the limit.
        case keyTooLarge(size: Int, limit: Int)
        /// The fields of the record are larger than the limit.
        case valueTooLarge(size: Int, limit: Int)
        /// `encode(into:)` wrote another number of bytes than `encodedSize` promised.
        case sizeMismatch(expected: Int, written: Int)
        /// The value has no bytes from which it can be read back; the text gives the reason.
        case unencodable(String)
        /// The raw value is read, and its type has no value for it: a case was removed from an enum. The texts are the
        /// raw value, quoted if it is a string, and the name of the type.
        indirect case noSuchValue(String, type: String)
        /// The JSON is read, and the decoder of its type refuses it. The texts are the name of the type, and the path
        /// and the message of the decoder.
        indirect case undecodable(type: String, reason: String)
        /// The layout is written by hand: only the code of its own type can read the bytes.
        case unknownLayout(String)
        /// Values are nested more deeply than the limit.
        case tooDeep(limit: Int)
    }

    /// The cause.
    public var reason: Reason

    /// The offset of the error, in bytes from the start of the key or the fields.
    public var offset: Int

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - reason: The cause.
    ///   - offset: The offset in bytes from the start of the key or the fields.
    public init(_ reason: Reason, at offset: Int = 0) {
        self.reason = reason
        self.offset = offset
    }
}

extension CodingError: CustomStringConvertible {
    /// A single line: the cause with its details, and the offset.
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
        case .valueTooLarge(let size, let limit):
            "The fields are too large: \(size) bytes; the limit is \(limit)."
        case .sizeMismatch(let expected, let written):
            "encodedSize does not match encode(into:): \(expected) bytes promised, \(written) written."
        case .unencodable(let why):
            "The value cannot be written: \(why)."
        case .noSuchValue(let value, let type):
            "\(value) is not a value of \(type), at offset \(offset)."
        case .undecodable(let type, let reason):
            "The JSON of \(type) cannot be decoded: \(reason), at offset \(offset)."
        case .unknownLayout(let layout):
            "The layout “\(layout)” can be read only by its own type, at offset \(offset)."
        case .tooDeep(let limit):
            "Values are nested too deeply: the limit is \(limit) levels, at offset \(offset)."
        }
    }
}
