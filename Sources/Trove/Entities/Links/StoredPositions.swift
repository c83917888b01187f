// The positions in a link's record.

/// The positions of a link in the lists of its ends, in the order of its record: at most two.
struct StoredPositions {
    private var first: Int64 = 0
    private var second: Int64 = 0

    /// Returns the first positions.
    func first(_ count: Int) -> [Int64] { (0..<count).map { self[$0] } }

    subscript(ordinal: Int) -> Int64 {
        get { ordinal == 0 ? first : second }
        set { if ordinal == 0 { first = newValue } else { second = newValue } }
    }
}
