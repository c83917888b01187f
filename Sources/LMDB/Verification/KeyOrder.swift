// The two orders in which the keys of a tree ascend.

import CLMDB

/// How a tree orders its keys.
enum KeyOrder {
    /// Byte by byte, and the shorter one first: the order of tables and their names.
    case bytes
    /// As numbers of the machine's, 8 bytes each: the order of the free pages' tree, whose keys are transactions.
    case numbers

    /// The sizes that a key can have.
    var keySizes: ClosedRange<Int> {
        switch self {
        case .bytes: 1...Calls.maximumKeySize
        case .numbers: 8...8
        }
    }

    /// Whether two keys ascend strictly.
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
