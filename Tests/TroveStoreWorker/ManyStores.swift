// A process with many stores open, all with the default options.

import Foundation
import Trove

/// Opens stores, and then uses the process and the last store as usual.
struct ManyStores {
    let directory: String
    let count: Int

    /// Opens copies of one store: creating a store flushes it to the disk.
    func openFiles() throws {
        setLimits()
        let first = path(0)
        try Store(path: first, records: [Line.self]).close()
        for number in 1..<count { try FileManager.default.copyItem(atPath: first, toPath: path(number)) }
        try use((0..<count).map { try Store(path: path($0), records: [Line.self]) })
    }

    func openTemporary() throws {
        setLimits()
        try use((0..<count).map { _ in try Store.temporary(records: [Line.self]) })
    }

    private func path(_ number: Int) -> String { directory + "/\(number).trove" }

    private func use(_ stores: [Store]) throws {
        TroveStoreWorker.say("\(stores.count) open")
        TroveStoreWorker.say("\(Data(count: 1 << 30).count) bytes")
        let thread = Thread { TroveStoreWorker.say("a thread") }
        thread.stackSize = 64 << 20
        thread.start()
        guard let last = stores.last else { return }
        _ = readLine()
        // Each write is small beside the map. All of them are larger than the map was.
        let text = String(repeating: "x", count: 1 << 20)
        let before = try last.info.mapSize
        var number = 0
        while try last.info.usedSize < before {
            try last.write { context in
                for _ in 0..<16 {
                    try context.insert(Line(writer: "w", number: number, text: text))
                    number += 1
                }
            }
        }
        TroveStoreWorker.say(try last.info.mapSize > before ? "grown" : "as it was")
    }

    /// Allows as many open files as the system does: a store has three. With fewer addresses the maps are smaller, and
    /// full after fewer writes.
    private func setLimits() {
        change(Self.files) { $0.rlim_cur = $0.rlim_max }
        change(Self.addresses) { $0.rlim_cur = min($0.rlim_max, 16 << 40) }
    }

    private func change(_ resource: Resource, _ body: (inout rlimit) -> Void) {
        var limits = rlimit()
        guard unsafe getrlimit(resource, &limits) == 0 else { return }
        body(&limits)
        _ = unsafe setrlimit(resource, &limits)
    }

    #if canImport(Glibc)
    private typealias Resource = __rlimit_resource_t
    private static let files = Resource(RLIMIT_NOFILE.rawValue)
    private static let addresses = Resource(RLIMIT_AS.rawValue)
    #else
    private typealias Resource = Int32
    private static let files = RLIMIT_NOFILE
    private static let addresses = RLIMIT_AS
    #endif
}
