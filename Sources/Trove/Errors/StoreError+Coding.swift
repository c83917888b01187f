// Converting the errors of encoding and decoding.

import TroveCoding

extension StoreError {
    /// Converts an error of reading a record.
    @usableFromInline
    package init(reading key: StoredKey, _ error: CodingError) {
        if case .unknownLayout(let layout) = error.reason {
            self = .schema(.unknownLayout(type: key.type, layout: layout))
        } else {
            self = .record(.corrupted(type: key.type, key: key, reason: error))
        }
    }

    /// Converts an error of encoding a record.
    @usableFromInline
    package init(writing type: String, _ error: CodingError) {
        switch error.reason {
        case .keyTooLarge(let size, let limit): self = .record(.keyTooLarge(type: type, size: size, limit: limit))
        case .valueTooLarge(let size, let limit): self = .record(.valueTooLarge(type: type, size: size, limit: limit))
        default: self = .record(.unencodable(type: type, reason: error))
        }
    }
}
