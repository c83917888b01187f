// Entries side by side: what cursors return.

/// Some entries of a scan. They are valid until the next batch is fetched.
@safe @frozen @usableFromInline package struct EntryBatch {
    /// The maximum number of entries in a batch.
    @inlinable
    package static var capacity: Int { 64 }

    @usableFromInline package let entries: UnsafePointer<Entry>
    @usableFromInline package let count: Int

    @inlinable
    @inline(__always)
    @unsafe package init(_ entries: UnsafePointer<Entry>, count: Int) {
        unsafe self.entries = entries
        self.count = count
    }

    /// The entry at an index, which is less than ``count``.
    @inlinable
    @inline(__always)
    package subscript(_ index: Int) -> Entry { unsafe entries[index] }

    /// Returns the entries at some indices, all of which the batch has.
    @inlinable
    @inline(__always)
    package func part(_ indices: Range<Int>) -> EntryBatch {
        unsafe EntryBatch(entries + indices.lowerBound, count: indices.count)
    }

    /// Calls a closure with each key and its value until it returns false. Returns whether every call returned true.
    @inlinable
    @inline(__always)
    package func forEach(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool) rethrows -> Bool {
        for index in 0..<count {
            let entry = self[index]
            guard try body(unsafe entry.key.pointer.bytes, unsafe entry.value.pointer.bytes) else { return false }
        }
        return true
    }
}

extension EntryBatch {
    /// Memory for one batch, which a cursor fills again and again.
    @safe package final class Storage {
        private let entries: UnsafeMutablePointer<Entry>

        package init(capacity: Int = EntryBatch.capacity) {
            unsafe entries = .allocate(capacity: capacity)
            unsafe entries.initialize(repeating: Entry(ByteView()), count: capacity)
        }

        deinit { unsafe entries.deallocate() }

        /// The entry at an index, which is less than the capacity.
        package subscript(_ index: Int) -> Entry {
            get { unsafe entries[index] }
            set { unsafe entries[index] = newValue }
        }

        /// Returns the first entries as a batch, valid until they are set again.
        package func batch(count: Int) -> EntryBatch { unsafe EntryBatch(entries, count: count) }
    }
}
