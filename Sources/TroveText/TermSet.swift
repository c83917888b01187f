// A set of terms that is searched with bytes, without making strings.

/// A hash table of terms, with open addressing.
struct TermSet: Sendable {
    /// The terms, one after the other.
    private var bytes: [UInt8] = []
    /// The range of a term for each slot; an empty range for a free slot. Their number is a power of two.
    private var slots: [Range<Int>]
    /// The length of the longest term.
    private var longest = 0

    init(_ terms: some Collection<[UInt8]>) {
        var capacity = 4
        while capacity < terms.count * 2 { capacity *= 2 }
        slots = Array(repeating: 0..<0, count: capacity)
        for term in terms where !term.isEmpty { term.withRawSpan(of: 0..<term.count) { insert($0) } }
    }

    /// Whether there are no terms.
    var isEmpty: Bool { bytes.isEmpty }

    /// Returns whether a term is in the set.
    func contains(_ term: RawSpan) -> Bool {
        guard term.byteCount <= longest else { return false }
        return !slots[slot(of: term)].isEmpty
    }

    private mutating func insert(_ term: RawSpan) {
        let slot = slot(of: term)
        guard slots[slot].isEmpty else { return }
        slots[slot] = bytes.count..<bytes.count + term.byteCount
        bytes.append(term)
        longest = max(longest, term.byteCount)
    }

    /// The slot of a term, or the free slot where it would be.
    private func slot(of term: RawSpan) -> Int {
        var hash = TermHash()
        hash.combine(term)
        var slot = Int(truncatingIfNeeded: hash.value) & (slots.count - 1)
        while !slots[slot].isEmpty, !term.equals(bytes[slots[slot]]) { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }
}
