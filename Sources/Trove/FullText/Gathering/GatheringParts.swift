// The parts of a batch of records whose texts are gathered: the calls that follow a failed call of the closure.
//
//     1,000 records, call fails ─┬ first 500, call fails ─┬ 250, stored
//                                └ last 500, stored       └ 250, call fails ─ …
//
// A single record whose text cannot be gathered takes some 20 calls, and its neighbors get their texts. A closure that
// always fails, such as one without its network, is not called for each record: calls that fail in a row are counted.

/// The records of an index that are gathered together: batches, and the halves of batches whose call has failed.
struct GatheringParts {
    typealias Record = WaitingRecords.Record

    /// The number of calls that fail in a row, after which a batch is divided no further.
    static let failureLimit = 20
    /// The number of calls from a batch down to a single record of it.
    private static let depth = 11

    private var parts: [[Record]] = []
    /// The number of calls that have failed in a row, calls for former batches included.
    private var failures = 0

    /// Begins the next batch. ``next()`` returns its parts.
    mutating func begin(_ batch: [Record]) { parts = [batch] }

    /// Returns the next part to gather; nil at the end of the batch.
    ///
    /// Small parts come first, so that one without a failing record is soon found. After a descent to a single record
    /// in vain, the large ones come first: most of the records of a small part may be failing ones.
    mutating func next() -> [Record]? {
        if parts.isEmpty { return nil }
        return failures < Self.depth ? parts.removeLast() : parts.removeFirst()
    }

    /// Notes that the texts of a part were gathered.
    mutating func noteSuccess() { failures = 0 }

    /// Notes that the call for a part has failed. The records of the batch that are left out wait on.
    ///
    /// - Parameter isCancelled: Whether the call was canceled: the batch then ends.
    mutating func noteFailure(of part: [Record], isCancelled: Bool) {
        failures += 1
        guard failures < Self.failureLimit, !isCancelled else { return parts = [] }
        guard part.count > 1 else { return }
        let half = part.count / 2
        parts += [Array(part.prefix(half)), Array(part.dropFirst(half))]
    }
}
