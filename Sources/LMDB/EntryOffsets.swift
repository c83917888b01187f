// Offsets into the entries of a batch: where a reader of each entry continues.

/// An offset for each of some entries, 0 at first.
@safe @frozen @usableFromInline
package struct EntryOffsets: ~Copyable {
    @usableFromInline let offsets: UnsafeMutableBufferPointer<Int>

    /// Creates offsets for a number of entries.
    @inlinable
    @inline(__always)
    package init(count: Int) {
        unsafe offsets = .allocate(capacity: count)
        unsafe offsets.initialize(repeating: 0)
    }

    @inlinable
    deinit { unsafe offsets.deallocate() }

    /// The offset for an entry, whose index is less than the number of entries.
    @inlinable
    @inline(__always)
    package subscript(_ index: Int) -> Int {
        get { unsafe offsets[index] }
        set { unsafe offsets[index] = newValue }
    }

    /// Sets all offsets to 0.
    @inlinable
    @inline(__always)
    package mutating func reset() { unsafe offsets.update(repeating: 0) }

    /// Returns a copy of the offsets.
    package func copy() -> [Int] { unsafe Array(offsets) }
}
