// The flush of a transaction's log into the postings: each tail is written once, each block once.
//
// For each word, in the order of the numbers:
//
//     read the tail · change the blocks with records before the tail's first record · merge the other changes into the
//     tail, a block for each 128 postings · write the tail, or remove the word if it has no records left

import LMDB
import TroveCoding

/// Writes changes of postings in a transaction. It keeps its memory from word to word.
struct TextFlush {
    let parts: TextParts
    let keyspace: Keyspace
    private var tail: Postings
    private var block: Postings
    private var merged: Postings
    private var changes: PostingChanges
    private var counts: DocumentCounts
    private var tailClass = LengthClass.greatest
    private var mergedClass = LengthClass.greatest
    private var word: [UInt8] = []
    private var key: [UInt8] = []
    private var row: [UInt8] = []
    /// The new words that have records, as entries of the word table.
    private var storedWords: [Int] = []
    /// Whether the word table has words that are not stored.
    private(set) var hasRemovedWords = false

    init(_ parts: TextParts, _ keyspace: Keyspace) {
        self.parts = parts
        self.keyspace = keyspace
        tail = Postings(fields: parts.fields)
        block = Postings(fields: parts.fields)
        merged = Postings(fields: parts.fields)
        changes = PostingChanges(fields: parts.fields)
        counts = DocumentCounts(fields: parts.fields)
    }

    /// Writes the changes of a log after a mark, and the statistics.
    mutating func write(
        _ log: PendingText, after mark: PendingText.Mark, _ words: WordTable, _ statistics: inout TextStatistics
    ) throws {
        let sorted = log.sortedPostings(after: mark)
        // The new words are in the order of their numbers.
        var newWord = 0
        var start = 0
        while start < sorted.count {
            let number = sorted[start].word
            var end = start + 1
            while end < sorted.count, sorted[end].word == number { end += 1 }
            changes.read(sorted[start..<end], of: log)
            start = end
            while newWord < words.newWords.count, words.entries[words.newWords[newWord]].number < number {
                newWord += 1
            }
            let isNew =
                newWord < words.newWords.count && words.entries[words.newWords[newWord]].number == number
            try change(number, newEntry: isNew ? words.newWords[newWord] : nil, in: words, counting: &statistics)
        }
        if storedWords.count < words.newWords.count { hasRemovedWords = true }
        try putNewWords(words)
        try putLengths(log.records[mark.records...])
        try put(statistics)
    }

    // MARK: Words

    /// Changes the postings of a word.
    ///
    /// - Parameter new: The entry of a word that is not stored yet.
    private mutating func change(
        _ number: UInt64, newEntry new: Int?, in words: WordTable, counting statistics: inout TextStatistics
    ) throws {
        if new == nil, changes.setsAll, try appendToStoredTail(number) { return }
        guard try readTail(number, new, words) else { return }
        var next = 0
        if counts.all > UInt64(tail.count) {
            let first = tail.ids.first ?? .max
            while next < changes.count, changes.postings.ids[next] < first,
                let end = try changeBlock(number, from: next)
            {
                next = end
            }
        }
        if changesNothing(inTailFrom: next) { return }
        try mergeTail(number, from: next)
        if counts.all > 0 {
            try putTail(number)
            guard let new else { return }
            storedWords.append(new)
            statistics.wordCount += 1
        } else if new == nil {
            try removeWord(number)
            statistics.wordCount -= min(1, statistics.wordCount)
            hasRemovedWords = true
        }
    }

    /// Returns whether all changes are shorter records, and the bound of the tail holds for the records in the tail.
    private func changesNothing(inTailFrom start: Int) -> Bool {
        !changes.kinds.contains { $0 != .lowering }
            && !(start..<changes.count).contains { changes.lengthClasses[$0] < tailClass }
    }

    /// Reads the tail of a word. Returns false for a word that is not stored, and gets no records.
    private mutating func readTail(_ number: UInt64, _ new: Int?, _ words: WordTable) throws -> Bool {
        setTailKey(number)
        word.removeAll(keepingCapacity: true)
        tail.removeAll()
        tailClass = LengthClass.greatest
        counts.reset()
        if let new {
            words.withWord(at: new) { $0.append(to: &word) }
            return true
        }
        guard let content = try parts.tails.content(key, keyspace) else {
            guard changes.kinds.contains(.frequencies) else { return false }
            throw parts.tails.damaged(key)
        }
        try parts.tails.reading(key) { () throws(CodingError) in
            let row = try TailRow(content, fields: parts.fields)
            try row.decode(into: &tail)
            try counts.read(row)
            row.word.append(to: &word)
            tailClass = row.leastLengthClass
        }
        return true
    }

    private mutating func setTailKey(_ number: UInt64) {
        key.removeAll(keepingCapacity: true)
        RowNumber.append(number, to: &key)
    }

    private mutating func putTail(_ number: UInt64) throws {
        setTailKey(number)
        StoredRow.begin(&row)
        ByteView.with(word) { word in
            TailRow.append(word: word, counts, merged, leastLengthClass: mergedClass, to: &row)
        }
        try parts.tails.put(key, &row, keyspace)
    }

    private mutating func removeWord(_ number: UInt64) throws {
        setTailKey(number)
        try keyspace.delete(parts.tails.database, key)
        ByteView.with(word) { WordKey.write($0, to: &key) }
        try keyspace.delete(parts.words.database, key)
    }

    /// Stores the numbers of the new words with records, in the order of the words.
    private mutating func putNewWords(_ words: WordTable) throws {
        let sorted = storedWords.sorted { first, second in
            words.withWord(at: first) { first in words.withWord(at: second) { first.compare($0) < 0 } }
        }
        for index in sorted {
            words.withWord(at: index) { WordKey.write($0, to: &key) }
            StoredRow.begin(&row)
            RowNumber.append(words.entries[index].number, to: &row)
            try parts.words.put(key, &row, keyspace)
        }
    }

    // MARK: Merging

    /// Merges postings with the changes of some of their records, into `merged`.
    ///
    /// - Parameters:
    ///   - postings: The stored postings.
    ///   - storedClass: The length class of the stored postings.
    ///   - range: The indices of the changes.
    ///   - flush: Called after each posting.
    private mutating func merge(
        _ postings: Postings, lengthClass storedClass: UInt8, withChanges range: Range<Int>,
        _ flush: (inout TextFlush) throws -> Void
    ) throws {
        merged.removeAll()
        mergedClass = LengthClass.greatest
        var stored = 0
        var change = range.lowerBound
        while stored < postings.count || change < range.upperBound {
            let storedID = stored < postings.count ? postings.ids[stored] : .max
            let changedID = change < range.upperBound ? changes.postings.ids[change] : .max
            if storedID < changedID {
                append(postings, stored, storedClass)
            } else {
                let isStored = storedID == changedID
                appendChange(change, isStored ? (postings, stored, storedClass) : nil)
                change += 1
                if !isStored {
                    try flush(&self)
                    continue
                }
            }
            stored += 1
            try flush(&self)
        }
    }

    private mutating func append(_ postings: Postings, _ index: Int, _ lengthClass: UInt8) {
        merged.append(postings, at: index)
        mergedClass = min(mergedClass, lengthClass)
    }

    /// Appends the posting of a changed record, if it still has the word.
    private mutating func appendChange(
        _ change: Int, _ stored: (postings: Postings, index: Int, lengthClass: UInt8)?
    ) {
        switch changes.kinds[change] {
        case .lowering:
            guard let stored else { return }
            append(stored.postings, stored.index, min(stored.lengthClass, changes.lengthClasses[change]))
        case .removal:
            if let stored { counts.remove(stored.postings, at: stored.index) }
        case .frequencies:
            if let stored { counts.remove(stored.postings, at: stored.index) }
            counts.add(changes.postings, at: change)
            append(changes.postings, change, changes.lengthClasses[change])
        }
    }

    /// Merges changes into the tail. `merged` is the new tail.
    private mutating func mergeTail(_ number: UInt64, from start: Int) throws {
        guard !changes.setsAll || start == changes.count || changes.postings.ids[start] <= tail.ids.last ?? 0 else {
            return try appendToTail(number, from: start)
        }
        try merge(tail, lengthClass: tailClass, withChanges: start..<changes.count) { flush in
            if flush.merged.count == TailRow.capacity { try flush.putFullTail(number) }
        }
    }

    /// Appends changes to a stored tail without reading its postings, as for the words of a new record.
    ///
    /// - Returns: False if the changes belong elsewhere, or fill the tail.
    private mutating func appendToStoredTail(_ number: UInt64) throws -> Bool {
        setTailKey(number)
        guard let content = try parts.tails.content(key, keyspace) else { return false }
        let isAppended = try parts.tails.reading(key) { () throws(CodingError) in
            let stored = try TailRow(content, fields: parts.fields)
            guard stored.count + changes.count < TailRow.capacity, let last = try stored.lastID(),
                last < changes.postings.ids[0]
            else { return false }
            try counts.read(stored)
            for index in 0..<changes.count { counts.add(changes.postings, at: index) }
            StoredRow.begin(&row)
            stored.append(
                changes.postings, after: last, counts, leastLengthClass: changes.leastLengthClass, to: &row)
            return true
        }
        if isAppended { try parts.tails.put(key, &row, keyspace) }
        return isAppended
    }

    /// Appends changes to the tail: new records after its last one.
    private mutating func appendToTail(_ number: UInt64, from start: Int) throws {
        swap(&merged, &tail)
        mergedClass = tailClass
        let fields = parts.fields
        for change in start..<changes.count {
            merged.ids.append(changes.postings.ids[change])
            counts.all += 1
            for field in 0..<fields {
                let frequency = changes.postings.frequencies[change &* fields &+ field]
                merged.frequencies.append(frequency)
                if frequency > 0 { counts.byField[field] += 1 }
            }
            mergedClass = min(mergedClass, changes.lengthClasses[change])
            if merged.count == TailRow.capacity { try putFullTail(number) }
        }
    }

    /// Stores the merged postings as a block, and begins an empty tail.
    private mutating func putFullTail(_ number: UInt64) throws {
        try putBlock(number, 0..<merged.count)
        merged.removeAll()
        mergedClass = LengthClass.greatest
    }

    // MARK: Blocks

    /// Changes the block that has the record of a change, or would have it.
    ///
    /// - Returns: The index of the first change after the block; nil if the record is after all blocks.
    private mutating func changeBlock(_ number: UInt64, from start: Int) throws -> Int? {
        guard let stored = try readBlock(number, changes.postings.ids[start]) else { return nil }
        let end = changes.firstIndex(after: stored.lastID, from: start)
        let lowers = (start..<end).contains { changes.lengthClasses[$0] < stored.lengthClass }
        if !lowers, !(start..<end).contains(where: { changes.kinds[$0] != .lowering }) { return end }
        try merge(block, lengthClass: stored.lengthClass, withChanges: start..<end) { _ in }
        try replaceBlock(number, stored.lastID)
        return end
    }

    /// Reads the first block whose last record is not before a record; nil if the word has none.
    private mutating func readBlock(
        _ number: UInt64, _ id: UInt64
    ) throws -> (lastID: UInt64, lengthClass: UInt8)? {
        PostingBlock.writeKey(number, id, to: &key)
        guard let entry = try keyspace.firstEntry(parts.blocks.database, from: key),
            entry.key.count == PostingBlock.keySize, RowNumber.read(entry.key) == number
        else { return nil }
        let content = try parts.blocks.content(of: entry.value, key: entry.key)
        let lastID = RowNumber.read(entry.key, at: RowNumber.size)
        return try parts.blocks.reading(entry.key) { () throws(CodingError) in
            let stored = try PostingBlock(content, lastID: lastID, fields: parts.fields)
            try stored.decode(into: &block)
            return (lastID, stored.leastLengthClass)
        }
    }

    /// Replaces a block by the merged postings: none, one or several blocks.
    private mutating func replaceBlock(_ number: UInt64, _ lastID: UInt64) throws {
        if 1..<PostingBlock.joinLimit ~= merged.count { try joinNextBlock(number, lastID) }
        if merged.ids.last != lastID {
            PostingBlock.writeKey(number, lastID, to: &key)
            try keyspace.delete(parts.blocks.database, key)
        }
        let pieces = (merged.count + PostingBlock.capacity - 1) / PostingBlock.capacity
        for piece in 0..<pieces {
            try putBlock(number, merged.count * piece / pieces..<merged.count * (piece + 1) / pieces)
        }
    }

    /// Moves the postings of the next block into the merged postings, if a block can have both.
    private mutating func joinNextBlock(_ number: UInt64, _ lastID: UInt64) throws {
        guard lastID + 1 < RowNumber.limit, let next = try readBlock(number, lastID + 1),
            block.count + merged.count <= PostingBlock.capacity
        else { return }
        for index in 0..<block.count { append(block, index, next.lengthClass) }
    }

    /// Stores some of the merged postings as a block.
    private mutating func putBlock(_ number: UInt64, _ range: Range<Int>) throws {
        PostingBlock.writeKey(number, merged.ids[range.upperBound - 1], to: &key)
        StoredRow.begin(&row)
        PostingBlock.append(merged, range, leastLengthClass: mergedClass, to: &row)
        try parts.blocks.put(key, &row, keyspace)
    }

    // MARK: Lengths and statistics

    private mutating func putLengths(_ records: ArraySlice<PendingText.Record>) throws {
        let isSorted = !zip(records, records.dropFirst()).contains { $0.id > $1.id }
        // Of several lengths of a record, the last is valid.
        let sorted =
            isSorted
            ? records
            : records.indices.sorted { (records[$0].id, $0) < (records[$1].id, $1) }.map { records[$0] }[...]
        var page: UInt64?
        for record in sorted {
            if page != record.id / LengthPage.capacity {
                if page != nil { try parts.lengths.put(key, &row, keyspace) }
                page = record.id / LengthPage.capacity
                try readLengths(record.id / LengthPage.capacity)
            }
            LengthPage.set(record.length, of: record.id, in: &row)
        }
        if page != nil { try parts.lengths.put(key, &row, keyspace) }
    }

    private mutating func readLengths(_ page: UInt64) throws {
        LengthPage.writeKey(page, to: &key)
        StoredRow.begin(&row)
        if let content = try parts.lengths.content(key, keyspace) {
            guard content.count == LengthPage.size else { throw parts.lengths.damaged(key) }
            content.append(to: &row)
        } else {
            row.append(contentsOf: repeatElement(0, count: LengthPage.size))
        }
    }

    private mutating func put(_ statistics: TextStatistics) throws {
        setTailKey(0)
        StoredRow.begin(&row)
        statistics.append(to: &row)
        try parts.tails.put(key, &row, keyspace)
    }
}
