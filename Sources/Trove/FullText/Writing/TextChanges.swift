// The changes of a full-text index in a transaction: a value, so that its use for each word needs no checks.

import LMDB
import TroveCoding

/// The state of a full-text index in a write transaction. ``TextWriter`` shares it.
struct TextChanges {
    /// The number of words that are kept from flush to flush, and from transaction to transaction.
    static let wordLimit = 65_536
    /// The bytes of words that are kept so. A few words may be as long as a text.
    static let keptBytesLimit = 1 << 23
    /// The bytes of words after which the log is flushed.
    static let wordBytesLimit = 1 << 26

    /// A nested transaction, and the state at its beginning.
    private struct Level {
        let pending: PendingText.Mark
        let flushed: PendingText.Mark
        let statistics: TextStatistics
        let words: WordTable.Mark
        /// The words at the first flush since the beginning; nil before it.
        var savedWords: WordTable?
    }

    /// The number of changes, of postings and of records, after which the log is flushed.
    var changeLimit = PendingText.limit

    private let parts: TextParts
    private var keyspace: Keyspace
    /// The statistics, with all changes so far.
    private(set) var statistics: TextStatistics
    private var words: WordTable
    private var builder: DocumentBuilder
    private var old: DocumentBuilder
    private var pending: PendingText
    /// The changes that are in the postings.
    private var flushed = PendingText.Mark()
    private var levels: [Level] = []
    private var key: [UInt8] = []
    private var row: [UInt8] = []

    /// Opens an index in a transaction.
    ///
    /// - Parameter words: The known words of the index.
    init(_ parts: TextParts, _ keyspace: Keyspace, _ words: WordTable) throws {
        self.parts = parts
        self.keyspace = keyspace
        self.words = words
        statistics = try TextReader(parts, keyspace).statistics()
        builder = DocumentBuilder(fields: parts.fields, keepsOrder: parts.keepsOrder)
        old = builder
        pending = PendingText(fields: parts.fields)
    }

    /// Returns the words of the transaction, which has committed, for the next transaction; nil if some are not stored.
    /// Call it once, at the end.
    mutating func takeWords() -> WordTable? {
        defer { words = WordTable() }
        return words.newWords.isEmpty && levels.isEmpty ? words : nil
    }

    /// Whether there are changes to flush.
    var hasPendingChanges: Bool { pending.mark.records > flushed.records }

    // MARK: Documents

    /// Stores the text of a record, in place of its stored text.
    ///
    /// - Parameters:
    ///   - id: The record's number.
    ///   - tokenize: Adds the words of a field. Called once for each field, in order.
    /// - Returns: False if the record is in the index with the same text.
    mutating func write(_ id: UInt64, _ tokenize: (_ field: Int, _ add: WordAdding) throws -> Void) throws -> Bool {
        builder.begin()
        words.beginDocument()
        for field in 0..<parts.fields {
            builder.beginField()
            try tokenize(field) { word, position in
                try ByteView.with(word) { try add($0, at: position, in: field) }
            }
            builder.endField(field)
        }
        setKey(id)
        StoredRow.begin(&row)
        builder.append(to: &row)
        if try readStored(unlessEqualTo: row) {
            guard !old.isEqualToStored else { return false }
            pending.beginRecord(id, length: builder.totalLength)
            logDifference()
        } else {
            pending.beginRecord(id, length: builder.totalLength)
            statistics.documentCount += 1
            for place in builder.words.indices {
                pending.append(builder.words[place], builder.frequencies, from: place * parts.fields)
            }
        }
        try parts.documents.put(key, &row, keyspace)
        changeLengths()
        try flushIfLarge()
        return true
    }

    /// Removes the text of a record. Returns false if the record is not in the index.
    mutating func remove(_ id: UInt64) throws -> Bool {
        setKey(id)
        guard try readStored(unlessEqualTo: []) else { return false }
        builder.begin()
        pending.beginRecord(id, length: 0)
        for word in old.words { pending.append(word, .removal) }
        statistics.documentCount -= min(1, statistics.documentCount)
        changeLengths()
        try keyspace.delete(parts.documents.database, key)
        try flushIfLarge()
        return true
    }

    /// Reads the stored document of the current key. Returns false if there is none.
    ///
    /// - Parameter row: The new row. If the stored document is equal, its words are not read.
    private mutating func readStored(unlessEqualTo row: [UInt8]) throws -> Bool {
        guard let content = try parts.documents.content(key, keyspace) else {
            old.begin()
            return false
        }
        let isEqual = ByteView.with(row) { $0.dropFirst(StoredRow.checksumSize).equals(content) && !row.isEmpty }
        if isEqual {
            old.noteEqual()
            return true
        }
        try parts.documents.reading(key) { () throws(CodingError) in
            try old.read(try DocumentRow(content, fields: parts.fields))
        }
        // Words have numbers below the next one, unless the document is damaged.
        guard old.words.last ?? 0 < statistics.nextWord else { throw parts.documents.damaged(key) }
        return true
    }

    /// Logs the differences of the new document from the stored document.
    private mutating func logDifference() {
        builder.sortByWords()
        let isShorter = LengthClass.of(builder.totalLength) < LengthClass.of(old.totalLength)
        var (mine, others) = (0, 0)
        while mine < builder.words.count || others < old.words.count {
            let word = mine < builder.words.count ? builder.words[mine] : .max
            let oldWord = others < old.words.count ? old.words[others] : .max
            if word > oldWord {
                pending.append(oldWord, .removal)
                others += 1
                continue
            }
            if word < oldWord || !builder.hasFrequencies(at: mine, of: old, at: others) {
                pending.append(word, builder.frequencies, from: mine * parts.fields)
            } else if isShorter {
                pending.append(word, .lowering)
            }
            mine += 1
            if word == oldWord { others += 1 }
        }
    }

    private mutating func changeLengths() {
        for field in 0..<parts.fields {
            let total = statistics.totalLengths[field]
            statistics.totalLengths[field] = total - min(total, old.lengths[field]) &+ builder.lengths[field]
        }
    }

    private mutating func setKey(_ id: UInt64) {
        key.removeAll(keepingCapacity: true)
        RowNumber.append(id, to: &key)
    }

    // MARK: Words

    @inline(__always)
    private mutating func add(_ word: ByteView, at position: Int, in field: Int) throws {
        guard !word.isEmpty else { return }
        let hash = words.hash(of: word)
        let index = try words.index(of: word, hash) ?? addWord(word, hash)
        let use = words.use(index, next: builder.words.count)
        builder.add(words.entries[index].number, use, at: position, in: field)
    }

    /// Adds a word to the table, with its stored number or the next number.
    @inline(never)
    private mutating func addWord(_ word: ByteView, _ hash: UInt64) throws -> Int {
        if let number = try TextReader(parts, keyspace).number(of: word, &key) {
            guard number < statistics.nextWord else { throw parts.words.damaged(key) }
            return words.add(word, hash, number: number, isNew: false)
        }
        let number = statistics.nextWord
        guard number < RowNumber.limit - 1 else { throw parts.words.exhausted }
        statistics.nextWord += 1
        return words.add(word, hash, number: number, isNew: true)
    }

    // MARK: Flushing

    private mutating func flushIfLarge() throws {
        // Records without words are in the log, too.
        let changes = pending.mark.postings - flushed.postings + pending.mark.records - flushed.records
        if changes >= changeLimit || words.byteCount >= Self.wordBytesLimit { try flush() }
    }

    /// Writes the pending changes into the postings, and the statistics. If it throws, the transaction cannot commit.
    mutating func flush() throws {
        guard hasPendingChanges else { return }
        var flush = TextFlush(parts, keyspace)
        do {
            try flush.write(pending, after: flushed, words, &statistics)
        } catch {
            keyspace.poison(because: error, in: "flush", parts.tails.database)
            throw error
        }
        guard let level = levels.indices.last else {
            pending.cut(to: PendingText.Mark())
            flushed = PendingText.Mark()
            words.noteStored()
            let isLarge = words.entries.count > Self.wordLimit || words.byteCount > Self.keptBytesLimit
            if flush.hasRemovedWords || isLarge { words.removeAll() }
            return
        }
        pending.cut(to: levels[level].pending)
        flushed = levels[level].pending
        if levels[level].savedWords == nil { levels[level].savedWords = words }
        words = WordTable()
    }

    // MARK: Nested transactions

    /// Continues in the enclosing transaction of the nested transaction that has opened the index, after its commit.
    mutating func move(to keyspace: Keyspace) { self.keyspace = keyspace }

    /// Continues in a nested transaction.
    mutating func beginNested(_ keyspace: Keyspace) {
        levels.append(
            Level(pending: pending.mark, flushed: flushed, statistics: statistics, words: words.mark))
        self.keyspace = keyspace
    }

    /// Continues in the enclosing transaction, after the end of the nested transaction.
    ///
    /// - Parameter isCommitted: Whether the nested transaction has committed; otherwise its changes are forgotten.
    mutating func endNested(_ keyspace: Keyspace, isCommitted: Bool) {
        self.keyspace = keyspace
        guard let level = levels.popLast() else { return }
        if isCommitted {
            guard let enclosing = levels.indices.last, levels[enclosing].savedWords == nil else { return }
            levels[enclosing].savedWords = level.savedWords
        } else {
            pending.cut(to: level.pending)
            flushed = level.flushed
            statistics = level.statistics
            if let saved = level.savedWords { words = saved }
            words.cut(to: level.words)
        }
    }
}
