// The stored sample of ranked indexes, and of totals beside them: its contents, and the way to write the next sample.
//
//     swift run TroveStoreWorker write-rank-sample Tests/TroveTests/Samples/format-N-ranks.trove

import Foundation
import Trove

/// Ranked indexes of one property and of several, descending ones, with nil, with a condition, of the key, and with
/// entries that are too long for a level.
@IndexKeyRecord(keyPrefix: 5_000_071, "id")
package struct SampleRank: Hashable {
    #Index<SampleRank>(\.score, ranked: true)
    #Index<SampleRank>(\.team, \.score.desc, ranked: true)
    #Index<SampleRank>(\.bonus, ranked: true, where: { $0.isActive })
    #Index<SampleRank>(\.note, ranked: true)
    #Index<SampleRank>(\.id, ranked: true)
    #Totals<SampleRank>(by: \.team, of: \.score)

    package let id: Int
    package var team: String
    package var score: Int32
    package var bonus: Double?
    package var note: String?
    package var isActive: Bool
}

package enum SampleRanks {
    /// The records in the order of their keys. Some entries have the second level.
    package static let stored = (0..<800).map(record)

    private static let bonuses: [Double?] = [nil, -0.5, 0, 1e300, nil, -.infinity]

    /// Returns the record with a number.
    package static func record(_ id: Int) -> SampleRank {
        // Entries of 494 bytes and more are cut, and those of more than 509 bytes have no level.
        let note = id % 100 == 7 ? String(repeating: "x", count: 480 + id / 14) : id % 9 == 0 ? "n\(id % 50)" : nil
        return SampleRank(
            id: id, team: ["red", "blue", "", "東京"][id % 4], score: Int32(id * 7_919 % 500) - 250,
            bonus: bonuses[id % bonuses.count], note: note, isActive: id % 3 == 1)
    }

    /// Inserts the records, and others that are removed again.
    package static func fill(_ store: Store) throws {
        try store.insert(contentsOf: stored.shuffledByKey)
        try store.insert(contentsOf: (2_000..<2_200).map(record))
        try SampleRank.filter(\.id >= 2_000).delete(in: store)
        for id in [0, 7, 640, 799] {
            var changed = stored[id]
            (changed.team, changed.score, changed.note, changed.isActive) = ("moved", .max, "moved", !changed.isActive)
            try store.insert(changed)
            try store.insert(stored[id])
        }
    }

    /// Writes the sample of the current format. The file must not exist yet.
    static func write(to path: String) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "trove-sample-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: directory) } catch { TroveStoreWorker.say("\(error)") }
        }
        let store = try Store(path: directory.appending(path: "sample.trove").path, records: [SampleRank.self])
        try fill(store)
        TroveStoreWorker.say("\(try store.copy(to: path, compacting: true))")
    }
}

extension [SampleRank] {
    /// The records in an order that differs from that of their keys, always the same one.
    fileprivate var shuffledByKey: [SampleRank] { sorted { ($0.id * 733 % 809) < ($1.id * 733 % 809) } }
}
