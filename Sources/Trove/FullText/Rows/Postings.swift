// Postings in memory: the records of a word, and how often each field of a record has the word.

/// The postings of a word, in the order of their records.
struct Postings {
    /// The number of fields of the index.
    let fields: Int
    /// The numbers of the records, ascending.
    var ids: [UInt64] = []
    /// The frequencies in the fields of the first record, then of the second, and so on.
    var frequencies: [UInt32] = []

    init(fields: Int) { self.fields = fields }

    var count: Int { ids.count }
    var isEmpty: Bool { ids.isEmpty }

    /// Returns the frequency of the word in a field of a record.
    @inline(__always)
    func frequency(at index: Int, of field: Int) -> UInt32 { frequencies[index &* fields &+ field] }

    mutating func removeAll() {
        ids.removeAll(keepingCapacity: true)
        frequencies.removeAll(keepingCapacity: true)
    }

    /// Appends a posting of another list.
    @inline(__always)
    mutating func append(_ other: Postings, at index: Int) {
        ids.append(other.ids[index])
        for field in 0..<fields { frequencies.append(other.frequency(at: index, of: field)) }
    }

    /// Returns the greatest frequency in a field of some postings.
    func greatestFrequency(of field: Int, in range: Range<Int>) -> UInt32 {
        range.reduce(0) { max($0, frequency(at: $1, of: field)) }
    }

    /// Returns a bound as it is stored: 255 means 255 or more.
    static func bound(_ frequency: UInt32) -> UInt8 { UInt8(clamping: frequency) }
}
