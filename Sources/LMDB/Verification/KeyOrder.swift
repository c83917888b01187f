// The two key orders of trees.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The key order of a tree.
enum KeyOrder {
    /// Byte by byte, with a shorter key before its extensions: the order of tables and their names.
    case bytes
    /// As 8-byte numbers in the machine's byte order: the order of the freelist's tree, whose keys are transactions.
    case numbers

    /// The range of key sizes.
    var keySizes: ClosedRange<Int> {
        switch self {
        case .bytes: 1...Calls.maximumKeySize
        case .numbers: 8...8
        }
    }

    /// Returns whether two keys ascend strictly.
    func ascends(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .bytes: Self.precedes(first, second)
        case .numbers:
            (Array(first).integer(UInt64.self, at: 0) ?? 0) < (Array(second).integer(UInt64.self, at: 0) ?? 0)
        }
    }

    private static func precedes(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Bool {
        unsafe first.withUnsafeBytes { first in
            unsafe second.withUnsafeBytes { second in
                guard let start = first.baseAddress, let other = second.baseAddress else {
                    return first.count < second.count
                }
                let order = unsafe memcmp(start, other, min(first.count, second.count))
                return order == 0 ? first.count < second.count : order < 0
            }
        }
    }
}
