// Entries that were found, copied to where they stay until they are asked for.

import LMDB

/// Copies of entries, given out in batches in their order.
@safe final class EntryBuffer {
    private struct Place {
        var start: Int
        var keySize: Int
        var valueSize: Int
    }

    /// Allocated for the first entry: most buffers stay empty.
    private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var used = 0
    private var places: [Place] = []
    private var given = 0
    private lazy var storage = EntryBatch.Storage()

    deinit { unsafe memory.deallocate() }

    var count: Int { places.count }

    func removeAll() {
        places.removeAll(keepingCapacity: true)
        (used, given) = (0, 0)
    }

    func append(_ entry: Entry) {
        let (keySize, valueSize) = (entry.key.count, entry.value.count)
        makeRoom(keySize + valueSize)
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[used...]).copyMemory(from: entry.key.pointer)
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[(used + keySize)...]).copyMemory(
            from: entry.value.pointer)
        places.append(Place(start: used, keySize: keySize, valueSize: valueSize))
        used += keySize + valueSize
    }

    /// Appends an entry that is a key alone.
    func append(key: ByteView) { append(Entry(key)) }

    private func makeRoom(_ size: Int) {
        guard unsafe memory.count - used < size else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(1024, unsafe 2 * memory.count, used + size), alignment: 8)
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<used]))
        unsafe memory.deallocate()
        unsafe memory = larger
    }

    /// Appends the entries of another list, the last one first.
    func append(backwards other: EntryBuffer) {
        for place in other.places.reversed() { append(other.entry(place)) }
    }

    /// Puts the entries in the order of some bytes, and leaves out those that have none.
    ///
    /// - Parameter limit: How many of them are kept.
    /// - Returns: The bytes of the last one.
    @discardableResult
    func sort(keeping limit: Int = .max, by bytes: (Entry) throws -> [UInt8]?) rethrows -> [UInt8]? {
        var sorted = try places.compactMap { place in
            try bytes(entry(place)).map { (bytes: $0, place: place) }
        }
        sorted.sort { TopN.precedes($0.bytes, $1.bytes) }
        places = sorted.prefix(limit).map(\.place)
        if sorted.count > limit { freeMemory() }
        return sorted.prefix(limit).last?.bytes
    }

    /// Frees what the entries take that are no longer here.
    private func freeMemory() {
        let kept = EntryBuffer()
        for place in places { kept.append(entry(place)) }
        unsafe swap(&memory, &kept.memory)
        (used, places) = (kept.used, kept.places)
    }

    /// Puts keys that several tables gave in order, and keeps each that so many of them gave, once.
    func keepKeys(inAtLeast times: Int, isDescending: Bool) {
        let sorted = places.map { (head: entry($0).key.head, place: $0) }.sorted { left, right in
            left.head != right.head ? left.head < right.head : order(left.place, right.place) < 0
        }
        places.removeAll(keepingCapacity: true)
        var count = 0
        for index in sorted.indices {
            count = index > 0 && order(sorted[index - 1].place, sorted[index].place) == 0 ? count + 1 : 1
            if count == times { places.append(sorted[index].place) }
        }
        if isDescending { places.reverse() }
    }

    private func order(_ left: Place, _ right: Place) -> Int { entry(left).key.compare(entry(right).key) }

    /// Returns the next entries, which are valid until more are appended; nil after the last.
    func next(atMost limit: Int = .max) -> EntryBatch? {
        given < places.count && limit > 0 ? batch(atMost: limit) : nil
    }

    /// Returns the next entries, which are valid until more are appended; an empty batch after the last.
    func batch(atMost limit: Int) -> EntryBatch {
        let count = min(EntryBatch.capacity, limit, places.count - given)
        for index in 0..<max(0, count) { storage[index] = entry(places[given + index]) }
        given += max(0, count)
        return storage.batch(count: max(0, count))
    }

    private func entry(_ place: Place) -> Entry {
        let end = place.start + place.keySize
        let bytes = unsafe ByteView(UnsafeRawBufferPointer(memory))
        return Entry(bytes[place.start..<end], bytes[end..<end + place.valueSize])
    }
}
