// The error type of sealed values: what happened, the place of the value, and what to do.

#if canImport(CryptoKit) || Encryption
import Trove

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An error of sealing or opening a value.
///
/// It names the record type, the property and the key of the record. It never contains the value or a part of it.
///
/// Later versions can add cases, so a `switch` over an error has a `default`.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum SealingError: Error, Hashable, Sendable {
    /// A key has another size than ``SealingKeys/keySize``. Sizes are in bytes.
    case wrongKeySize(number: UInt8, size: Int)
    /// The number of a key is given twice.
    case keyNumberTaken(UInt8)
    /// The value was sealed with a key that is not among the keys.
    case unknownKey(number: UInt8, place: SealedPlace)
    /// There are fewer bytes than the shortest sealed value has: they are cut, or no sealed value.
    case tooShort(size: Int, place: SealedPlace)
    /// The value does not open: it was sealed with another key, for another place, or its bytes were changed.
    case notAuthentic(place: SealedPlace)
    /// The value opens, and was sealed as a value of another type, or of the same type with another layout.
    case otherLayout(type: String, place: SealedPlace)
    /// The value opens, and its type refuses its bytes: a case was removed from an enum, or a property from JSON.
    case undecodable(type: String, place: SealedPlace)
    /// The value cannot be encoded, so that it cannot be sealed.
    case unencodable(type: String, place: SealedPlace)
}

extension SealingError {
    /// The place of the value; nil for an error of a key.
    public var place: SealedPlace? {
        switch self {
        case .wrongKeySize, .keyNumberTaken: nil
        case .unknownKey(_, let place), .tooShort(_, let place), .notAuthentic(let place), .otherLayout(_, let place),
            .undecodable(_, let place), .unencodable(_, let place):
            place
        }
    }
}

extension SealingError: CustomStringConvertible, LocalizedError {
    /// The error in words: what happened, where, and what to do.
    public var description: String {
        switch self {
        case .wrongKeySize(let number, let size):
            "The key \(number) has \(size) bytes; a key has \(SealingKeys.keySize). Derive a key from a password first."
        case .keyNumberTaken(let number):
            "The key number \(number) is given twice. Give the new key another number."
        case .unknownKey(let number, let place):
            "The value of \(place) was sealed with the key \(number), which is not among the keys. Add the key."
        case .tooShort(let size, let place):
            "The value of \(place) has \(size) bytes, which is too short for a sealed value. Restore it from a backup."
        case .notAuthentic(let place):
            "The value of \(place) does not open: the key is another, or the value was moved here or changed. Check "
                + "the keys, or restore the record from a backup."
        case .otherLayout(let type, let place):
            "The value of \(place) was sealed with another layout than that of \(type). Open it as its former type."
        case .undecodable(let type, let place):
            "The value of \(place) opens, but is not a value of \(type). Open it as its former type."
        case .unencodable(let type, let place):
            "The value of \(place) cannot be encoded as \(type), so it was not sealed."
        }
    }

    /// The description, for the error's `localizedDescription`.
    public var errorDescription: String? { description }
}
#endif
