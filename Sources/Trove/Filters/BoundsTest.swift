// A test of values against bounds.

import LMDB
import TroveCoding

/// A test of values against byte ranges, prepared for many calls. The first eight bytes nearly always decide.
@usableFromInline
struct BoundsTest: Sendable {
    private let bounds: ByteRanges
    /// The first bytes of the lowest and of the highest bound.
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64
    /// Whether everything strictly between `low` and `high` is allowed.
    @usableFromInline let isSingle: Bool

    @usableFromInline
    init(_ bounds: ByteRanges) {
        self.bounds = bounds
        isSingle = bounds.parts.count == 1
        low = bounds.parts.first.map { ByteView.with($0.range.lower, \.head) } ?? .max
        high =
            bounds.parts.last.map { part in part.range.upper.map { ByteView.with($0, \.head) } ?? .max } ?? 0
    }

    /// Returns whether the ranges contain a value.
    @inlinable
    @inline(__always)
    func contains(_ value: some KeyComponent) -> Bool {
        if let head = KeyWriter.head(of: value) {
            if head < low || head > high { return false }
            if isSingle, head > low, head < high { return true }
        }
        return withKeyBytes(of: value) { decide($0) }
    }

    @usableFromInline
    func decide(_ bytes: ByteView) -> Bool { bounds.contains(bytes) }
}
