// Entries that were found, copied to where they stay until they are asked for.

import LMDB

/// Copies of entries, given out in batches in their order.
@safe final class EntryBuffer {
    private struct Place {
        var start: Int
        var keySize: Int
        var valueSize: Int
    }

    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 8)
    private var used = 0
    private var places: [Place] = []
    private var given = 0
    private let batch = UnsafeMutablePointer<Entry>.allocate(capacity: EntryBatch.capacity)

    deinit {
        unsafe memory.deallocate()
        unsafe batch.deallocate()
    }

    var count: Int { places.count }

    func removeAll() {
        places.removeAll(keepingCapacity: true)
        (used, given) = (0, 0)
    }

    func append(_ entry: Entry) {
        let (keySize, valueSize) = unsafe (entry.key.count, entry.value.count)
        makeRoom(keySize + valueSize)
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[used...]).copyMemory(from: entry.key)
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[(used + keySize)...]).copyMemory(from: entry.value)
        places.append(Place(start: used, keySize: keySize, valueSize: valueSize))
        used += keySize + valueSize
    }

    /// Appends an entry that is a key alone.
    func append(key: UnsafeRawBufferPointer) {
        unsafe append(Entry(key, UnsafeRawBufferPointer(start: nil, count: 0)))
    }

    private func makeRoom(_ size: Int) {
        guard unsafe memory.count - used < size else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(unsafe 2 * memory.count, used + size), alignment: 8)
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<used]))
        unsafe memory.deallocate()
        unsafe memory = larger
    }

    /// Appends the entries of another list, the last one first.
    func append(backwards other: EntryBuffer) {
        for place in other.places.reversed() { unsafe append(other.entry(place)) }
    }

    /// Puts the entries in the order of some bytes, and leaves out those that have none.
    ///
    /// - Parameter limit: How many of them are kept.
    /// - Returns: The bytes of the last one.
    @discardableResult
    func sort(keeping limit: Int = .max, by bytes: (Entry) throws -> [UInt8]?) rethrows -> [UInt8]? {
        var sorted = try places.compactMap { place in
            try unsafe bytes(entry(place)).map { (bytes: $0, place: place) }
        }
        sorted.sort { TopN.precedes($0.bytes, $1.bytes) }
        places = sorted.prefix(limit).map(\.place)
        if sorted.count > limit { freeMemory() }
        return sorted.prefix(limit).last?.bytes
    }

    /// Frees what the entries take that are no longer here.
    private func freeMemory() {
        let kept = EntryBuffer()
        for place in places { unsafe kept.append(entry(place)) }
        unsafe swap(&memory, &kept.memory)
        (used, places) = (kept.used, kept.places)
    }

    /// Puts keys that several tables gave in order, and keeps each that so many of them gave, once.
    func keepKeys(inAtLeast times: Int, isDescending: Bool) {
        let sorted = places.map { unsafe (head: head(of: entry($0).key), place: $0) }.sorted { left, right in
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

    private func order(_ left: Place, _ right: Place) -> Int { unsafe byteOrder(entry(left).key, entry(right).key) }

    /// The next entries; nil when all were given. They hold until more are copied.
    func next(atMost limit: Int = .max) -> EntryBatch? {
        let count = min(EntryBatch.capacity, limit, places.count - given)
        guard count > 0 else { return nil }
        for index in 0..<count { unsafe (batch + index).initialize(to: entry(places[given + index])) }
        given += count
        return unsafe EntryBatch(batch, count: count)
    }

    @unsafe private func entry(_ place: Place) -> Entry {
        let end = place.start + place.keySize
        return unsafe Entry(
            UnsafeRawBufferPointer(rebasing: memory[place.start..<end]),
            UnsafeRawBufferPointer(rebasing: memory[end..<end + place.valueSize]))
    }
}

/// Room for a batch.
@safe final class BatchStorage {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: EntryBatch.capacity)

    init() {
        let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        unsafe entries.initialize(repeating: Entry(nothing, nothing), count: EntryBatch.capacity)
    }

    deinit { unsafe entries.deallocate() }
}
