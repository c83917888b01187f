// The values of a field in CloudKit, without its classes.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value of a field in a `CKRecord`.
package enum CloudKitValue: Equatable, Sendable {
    /// A number without a fraction.
    case integer(Int64)
    /// A number with a fraction.
    case double(Double)
    /// Text.
    case string(String)
    /// Bytes.
    case data(Data)
    /// A moment.
    case date(Date)
    /// Several values.
    case list([CloudKitValue])
    /// The file of a `CKAsset`; nil if the asset has not been fetched.
    case asset(URL?)
    /// A value of another class, by its name: a reference, or a location.
    case other(String)

    /// Returns whether two values are equal. NaN equals itself.
    func isSame(as other: CloudKitValue) -> Bool {
        switch (self, other) {
        case (.double(let left), .double(let right)): left == right || left.isNaN && right.isNaN
        case (.list(let left), .list(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
        default: self == other
        }
    }

    /// The type in words, for errors.
    var words: String {
        switch self {
        case .integer: "an integer"
        case .double: "a number with a fraction"
        case .string: "a String"
        case .data: "Data"
        case .date: "a Date"
        case .list(let values): values.first.map { "a list that begins with \($0.words)" } ?? "an empty list"
        case .asset: "a CKAsset"
        case .other(let name): "a \(name)"
        }
    }
}
