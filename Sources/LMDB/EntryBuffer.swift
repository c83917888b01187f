// A growable buffer of entries.

/// Copies of entries in memory of their own, read back in batches.
@safe package final class EntryBuffer {
    private struct Slot {
        var start: Int
        var keySize: Int
        var valueSize: Int
    }

    /// Allocated with the first entry.
    private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var used = 0
    private var slots: [Slot] = []
    private var returned = 0
    private lazy var storage = EntryBatch.Storage()

    package init() {}

    deinit { unsafe memory.deallocate() }

    package var count: Int { slots.count }

    package func removeAll() {
        slots.removeAll(keepingCapacity: true)
        (used, returned) = (0, 0)
    }

    /// Makes room for a number of entries with the given bytes of keys and values in all.
    package func reserveCapacity(_ count: Int, bytes: Int) {
        slots.reserveCapacity(count)
        makeRoom(bytes)
    }

    /// Appends a copy of an entry.
    package func append(_ entry: Entry) {
        let (keySize, valueSize) = (entry.key.count, entry.value.count)
        makeRoom(keySize + valueSize)
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[used...]).copyMemory(from: entry.key.pointer)
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[(used + keySize)...])
            .copyMemory(from: entry.value.pointer)
        slots.append(Slot(start: used, keySize: keySize, valueSize: valueSize))
        used += keySize + valueSize
    }

    /// Appends a copy of a key, with an empty value.
    package func append(key: ByteView) { append(Entry(key)) }

    /// Appends copies of the entries of another buffer, the last entry first.
    package func append(reversed other: EntryBuffer) {
        for slot in other.slots.reversed() { append(other.entry(slot)) }
    }

    private func makeRoom(_ size: Int) {
        guard unsafe memory.count - used < size else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(unsafe 2 * memory.count, used + size, 1024), alignment: 8)
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<used]))
        unsafe memory.deallocate()
        unsafe memory = larger
    }

    // MARK: Order

    /// Sorts the entries by some bytes, and removes the entries without any.
    ///
    /// - Parameters:
    ///   - limit: The number of entries to keep.
    ///   - bytes: Returns the sort bytes of an entry; nil to remove the entry.
    /// - Returns: The sort bytes of the last entry.
    @discardableResult
    package func sort(keeping limit: Int = .max, by bytes: (Entry) throws -> [UInt8]?) rethrows -> [UInt8]? {
        var sorted = try slots.compactMap { slot in try bytes(entry(slot)).map { (bytes: $0, slot: slot) } }
        sorted.sort { left, right in ByteView.with(left.bytes) { $0.compare(right.bytes) < 0 } }
        slots = sorted.prefix(limit).map(\.slot)
        if sorted.count > limit { compact() }
        return sorted.prefix(limit).last?.bytes
    }

    /// Frees the memory of removed entries.
    private func compact() {
        let kept = EntryBuffer()
        for slot in slots { kept.append(entry(slot)) }
        unsafe swap(&memory, &kept.memory)
        (used, slots) = (kept.used, kept.slots)
    }

    /// Sorts the keys, and keeps a single copy of each key that occurs often enough.
    ///
    /// - Parameter times: The least number of occurrences.
    package func keepKeys(inAtLeast times: Int, isDescending: Bool) {
        let sorted = sortedIndices().map { slots[Int($0)] }
        slots.removeAll(keepingCapacity: true)
        var count = 0
        for index in sorted.indices {
            count = index > 0 && entry(sorted[index - 1]).key.equals(entry(sorted[index]).key) ? count + 1 : 1
            if count == times { slots.append(sorted[index]) }
        }
        if isDescending { slots.reverse() }
    }

    /// Returns the indices of the entries in the order of their keys.
    package func sortedIndices() -> [Int32] { ByteView.order(of: slots.count) { entry(slots[$0]).key } }

    // MARK: Reading

    /// The entry at an index, which is valid until more are appended.
    package subscript(_ index: Int) -> Entry { entry(slots[index]) }

    /// Returns the next entries, which are valid until more are appended; nil after the last.
    package func next(atMost limit: Int = .max) -> EntryBatch? {
        returned < slots.count && limit > 0 ? batch(atMost: limit) : nil
    }

    /// Returns the next entries, which are valid until more are appended; an empty batch after the last.
    package func batch(atMost limit: Int) -> EntryBatch {
        let count = max(0, min(EntryBatch.capacity, limit, slots.count - returned))
        for index in 0..<count { storage[index] = entry(slots[returned + index]) }
        returned += count
        return storage.batch(count: count)
    }

    private func entry(_ slot: Slot) -> Entry {
        let bytes = unsafe ByteView(UnsafeRawBufferPointer(memory))
        let end = slot.start + slot.keySize
        return Entry(bytes[slot.start..<end], bytes[end..<end + slot.valueSize])
    }
}
