// The reductions of words to index terms, and the cache of these reductions.

/// The terms that an index has in place of a word: a stem, its replacements, or nothing.
struct WordReduction: Sendable {
    /// A term of a spelling.
    struct Term: Hashable, Sendable {
        var bytes: [UInt8]
        /// The number of positions from the word's own position.
        var offset = 0
    }

    /// The terms of a replacement, in order, and the number of positions that they take.
    struct Spelling: Hashable, Sendable {
        var terms: [Term]
        var span = 1
    }

    /// The replacements of the word. A word that is not replaced has a single one, and a word that is left out none.
    let spellings: [Spelling]
    /// The terms of all spellings, by their offsets, each once.
    let terms: [Term]
    /// The number of positions of the longest spelling; at least 1.
    let span: Int

    init(_ spellings: [Spelling]) {
        self.spellings = spellings
        var known: Set<Term> = []
        let different = spellings.flatMap(\.terms).filter { known.insert($0).inserted }
        // The sort is stable: terms at one position stay in the order of the spellings.
        terms = different.sorted { $0.offset < $1.offset }
        span = spellings.reduce(1) { max($0, $1.span) }
    }

    /// Creates the reduction to a single term; an empty term is left out.
    init(to term: [UInt8]) {
        terms = term.isEmpty ? [] : [Term(bytes: term)]
        spellings = terms.isEmpty ? [] : [Spelling(terms: terms)]
        span = 1
    }

    /// The reduction of a word that is left out.
    static let leftOut = WordReduction([])
}

/// The reductions of the words met lately. The bytes of all words and terms are in one array: a known word costs a hash
/// and a comparison, and no allocation.
struct ReductionTable: Sendable {
    /// The limits after which all reductions are forgotten.
    static let wordLimit = 65_536
    static let byteLimit = 4 << 20
    /// Longer words are not kept.
    static let longestWord = 255

    private struct Entry {
        var word: Range<Int>
        /// The range of the terms.
        var terms: Range<Int>
        var span: Int
        var hash: UInt64
    }

    private var bytes: [UInt8] = []
    private var terms: [(bytes: Range<Int>, offset: Int)] = []
    private var entries: [Entry] = []
    /// The indices of the entries, plus 1; 0 in an unused slot. Their number is a power of two.
    private var slots = [UInt32](repeating: 0, count: 1_024)
    private let seed = UInt64.random(in: .min ... .max)

    /// The number of words.
    var count: Int { entries.count }

    /// Returns the hash of a word. It differs from table to table, so that no text can be built from equal hashes.
    @inline(__always)
    private func hash(of word: RawSpan) -> UInt64 {
        var hash = seed
        for offset in 0..<word.byteCount {
            hash = (hash ^ UInt64(word.byte(at: offset))) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash &>> 32
        }
        return hash
    }

    /// Calls a closure with each term of a word.
    ///
    /// - Parameters:
    ///   - reduce: Reduces a word that the table does not have.
    ///   - body: Receives a term, and its offset from the word's position.
    /// - Returns: The number of positions of the word.
    mutating func visit(
        _ word: RawSpan, reduce: (RawSpan) -> WordReduction, _ body: (_ term: RawSpan, _ offset: Int) throws -> Void
    ) rethrows -> Int {
        guard word.byteCount <= Self.longestWord else { return try Self.visit(reduce(word), body) }
        let hash = hash(of: word)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let entry = entries[Int(slots[slot]) - 1]
            if entry.hash == hash, word.equals(bytes[entry.word]) { return try visit(entry, body) }
            slot = (slot + 1) & (slots.count - 1)
        }
        let entry = add(word, hash, reduce(word))
        return try visit(entry, body)
    }

    private static func visit(
        _ reduction: WordReduction, _ body: (_ term: RawSpan, _ offset: Int) throws -> Void
    ) rethrows -> Int {
        for term in reduction.terms {
            try term.bytes.withRawSpan(of: 0..<term.bytes.count) { try body($0, term.offset) }
        }
        return reduction.span
    }

    @inline(__always)
    private func visit(_ entry: Entry, _ body: (_ term: RawSpan, _ offset: Int) throws -> Void) rethrows -> Int {
        for index in entry.terms {
            let term = terms[index]
            try bytes.withRawSpan(of: term.bytes) { try body($0, term.offset) }
        }
        return entry.span
    }

    private mutating func add(_ word: RawSpan, _ hash: UInt64, _ reduction: WordReduction) -> Entry {
        if entries.count >= Self.wordLimit || bytes.count >= Self.byteLimit { self = ReductionTable() }
        let added = entries.isEmpty ? self.hash(of: word) : hash
        let first = terms.count
        let start = bytes.count
        bytes.append(word)
        let end = bytes.count
        for term in reduction.terms {
            terms.append((bytes.count..<bytes.count + term.bytes.count, term.offset))
            bytes += term.bytes
        }
        let entry = Entry(word: start..<end, terms: first..<terms.count, span: reduction.span, hash: added)
        entries.append(entry)
        if 2 * entries.count > slots.count {
            slots = [UInt32](repeating: 0, count: 2 * slots.count)
            for index in entries.indices { occupySlot(of: index) }
        } else {
            occupySlot(of: entries.count - 1)
        }
        return entry
    }

    private mutating func occupySlot(of index: Int) {
        var slot = Int(truncatingIfNeeded: entries[index].hash) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(index + 1)
    }
}
