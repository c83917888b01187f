// The records of a scan, as a part of a query.

/// All records of a scan, with the score 0.
final class NumbersScorer: TextScorer {
    private(set) var id: UInt64 = 0
    private let ids: [UInt64]
    /// The place of the first record that is not before the current record.
    private var place = 0

    /// - Parameter ids: The numbers of the records, ascending.
    init(_ ids: [UInt64]) { self.ids = ids }

    var cost: UInt64 { UInt64(ids.count) }
    var bound: Double { 0 }

    func seek(_ target: UInt64) throws -> UInt64 {
        guard id < target else { return id }
        var step = 1
        // The next record is usually near.
        var low = place
        while low + step < ids.count, ids[low + step] < target {
            low += step
            step *= 2
        }
        var high = min(ids.count, low + step)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < target { low = middle + 1 } else { high = middle }
        }
        place = low
        id = place < ids.count ? ids[place] : endOfPostings
        return id
    }

    func score() throws -> Double { 0 }
    func reach(_ target: UInt64) throws -> UInt64 { endOfPostings }
}
