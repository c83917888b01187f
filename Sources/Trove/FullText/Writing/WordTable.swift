// The words that a transaction has used lately, with their numbers.
//
// The bytes of all words are in one array, and a table with open addressing leads to them. So a known word costs a hash
// and a comparison, and no allocation. Words are added at the end and cut off from the end only: an entry never moves
// to another slot, except in a larger table, which adds the entries in their order. So the slots of the last words can
// be cleared without leaving gaps in the probes of others.

import LMDB

/// The latest words of a transaction, in the order of their first use.
struct WordTable {
    struct Entry {
        /// The end of the word's bytes; its begin is the end of the word before.
        var end: Int
        let number: UInt64
        let hash: UInt64
        /// The last document with the word, and the word's place among the document's words.
        var document: UInt64 = 0
        var place = 0
    }

    /// A point in the history of the table.
    struct Mark {
        let count: Int
        let newCount: Int
    }

    private var bytes: [UInt8] = []
    private(set) var entries: [Entry] = []
    /// The indices of the entries, plus 1; 0 in an unused slot.
    private var slots = [UInt32](repeating: 0, count: 1024)
    /// The entries of the words that are not stored yet, in the order of their numbers.
    private(set) var newWords: [Int] = []
    /// The number of documents so far: the number of the current document.
    private var document: UInt64 = 0
    private let seed = UInt64.random(in: .min ... .max)

    /// The size of the words in bytes.
    var byteCount: Int { bytes.count + entries.count * MemoryLayout<Entry>.size }

    var mark: Mark { Mark(count: entries.count, newCount: newWords.count) }

    // MARK: Finding

    /// Returns the hash of a word. It differs from table to table, so that no text can be built from equal hashes.
    @inline(__always)
    func hash(of word: ByteView) -> UInt64 {
        var hash = seed ^ UInt64(word.count)
        var offset = 0
        while offset + 8 <= word.count {
            hash = Self.mixed(hash ^ word.integer(at: offset, as: UInt64.self))
            offset += 8
        }
        return Self.mixed(hash ^ word.dropFirst(offset).head)
    }

    @inline(__always)
    private static func mixed(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }

    /// Returns the index of a word; nil if the table does not have it.
    @inline(__always)
    func index(of word: ByteView, _ hash: UInt64) -> Int? {
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if entries[index].hash == hash, equals(index, word) { return index }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Calls a closure with the bytes of a word.
    @inline(__always)
    func withWord<R>(at index: Int, _ body: (ByteView) throws -> R) rethrows -> R {
        let begin = index == 0 ? 0 : entries[index - 1].end
        return try ByteView.with(bytes) { try body($0[begin..<entries[index].end]) }
    }

    @inline(__always)
    private func equals(_ index: Int, _ word: ByteView) -> Bool { withWord(at: index) { $0.equals(word) } }

    // MARK: Changing

    /// Adds a word that the table does not have. Returns its index.
    ///
    /// - Parameter isNew: Whether the word is not stored yet. Its number is greater than the numbers of all earlier
    ///   words.
    mutating func add(_ word: ByteView, _ hash: UInt64, number: UInt64, isNew: Bool) -> Int {
        if 2 * (entries.count + 1) > slots.count { grow() }
        let index = entries.count
        word.append(to: &bytes)
        entries.append(Entry(end: bytes.count, number: number, hash: hash))
        if isNew { newWords.append(index) }
        occupySlot(of: index)
        return index
    }

    /// Begins the words of the next document.
    mutating func beginDocument() { document += 1 }

    /// Notes a use of a word by the document.
    ///
    /// - Returns: The word's place among the words of the document, and whether it is a first use.
    @inline(__always)
    mutating func use(_ index: Int, next place: Int) -> (place: Int, isFirst: Bool) {
        if entries[index].document == document { return (entries[index].place, false) }
        entries[index].document = document
        entries[index].place = place
        return (place, true)
    }

    private mutating func occupySlot(of index: Int) {
        var slot = Int(truncatingIfNeeded: entries[index].hash) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(index + 1)
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: 2 * slots.count)
        for index in entries.indices { occupySlot(of: index) }
    }

    /// Marks all words as stored.
    mutating func noteStored() { newWords.removeAll(keepingCapacity: true) }

    /// Removes all words.
    mutating func removeAll() {
        guard !entries.isEmpty else { return }
        self = WordTable()
    }

    /// Removes the words added after a mark.
    mutating func cut(to mark: Mark) {
        while entries.count > mark.count {
            let index = entries.count - 1
            var slot = Int(truncatingIfNeeded: entries[index].hash) & (slots.count - 1)
            while slots[slot] != UInt32(index + 1) { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = 0
            entries.removeLast()
        }
        bytes.removeLast(bytes.count - (entries.last?.end ?? 0))
        newWords.removeLast(newWords.count - mark.newCount)
    }
}
