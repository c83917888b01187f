// Programs that gather texts at the same time, while another program saves their records.

import Synchronization
import Trove

/// A record with text that is gathered after the commit.
@IndexKeyRecord(keyPrefix: 4_000_061, "id")
package struct SharedScan: Hashable {
    #FullTextIndex<SharedScan>(
        "Texts",
        gathering: { keys, store in
            SharedScan.reports.withLock { $0?(keys.count) }
            var texts: [Int: String] = [:]
            for scan in try await store.get(SharedScan.self, keys: keys) { texts[scan.id] = "all of " + scan.file }
            return texts
        })

    package let id: Int
    package var file: String

    package init(id: Int, file: String) { (self.id, self.file) = (id, file) }

    /// Receives the number of keys of each call.
    package static let reports = Mutex<(@Sendable (Int) -> Void)?>(nil)
}

/// Gathers texts until none is left, and prints a line for each call of the closure.
struct GatheringProgram {
    let path: String

    func run() async throws {
        let store = try await Store(
            path: path, records: [SharedScan.self], options: StoreOptions(durability: .noSync, gathersTexts: false))
        SharedScan.reports.withLock { $0 = { TroveStoreWorker.say("gathering \($0)") } }
        while try await store.waitingTexts(of: SharedScan.self) > 0 {
            try await store.gatherTexts(of: SharedScan.self)
        }
    }
}
