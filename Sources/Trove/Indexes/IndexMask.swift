// A set of a type's indexes.

/// A set of a type's indexes: a bit for each position.
struct IndexMask: Sendable {
    private var bits: UInt64

    static let all = IndexMask(bits: .max)
    static let none = IndexMask(bits: 0)

    /// A single index. The indexes from the 64th on share a bit.
    init(_ index: Int) { bits = 1 << UInt64(min(index, 63)) }

    private init(bits: UInt64) { self.bits = bits }

    var isEmpty: Bool { bits == 0 }

    func contains(_ index: Int) -> Bool { bits & (1 << UInt64(min(index, 63))) != 0 }

    mutating func formUnion(_ other: IndexMask) { bits |= other.bits }
}
