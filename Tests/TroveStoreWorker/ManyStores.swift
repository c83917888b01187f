// A process with many stores open, all with the default options.

import Foundation
import Trove

/// Opens stores, and then uses the process and the last store as usual.
struct ManyStores {
    let directory: String
    let count: Int

    /// Opens copies of one store: creating a store flushes it to the disk.
    func openFiles() throws {
        try allowDescriptors()
        let first = path(0)
        try Store(path: first, records: [Line.self]).close()
        for number in 1..<count { try FileManager.default.copyItem(atPath: first, toPath: path(number)) }
        try use((0..<count).map { try Store(path: path($0), records: [Line.self]) })
    }

    func openTemporary() throws {
        try allowDescriptors()
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
        let before = try last.info.mapSize
        var number = 0
        while try last.info.usedSize < before {
            try last.write { context in
                for _ in 0..<16 {
                    try context.insert(
                        Line(writer: "w", number: number, text: String(repeating: "x", count: 1 << 20)))
                    number += 1
                }
            }
        }
        TroveStoreWorker.say(try last.info.mapSize > before ? "grown" : "as it was")
    }

    /// Allows as many open files as the system does: a store has three.
    private func allowDescriptors() throws {
        var limits = rlimit()
        guard unsafe getrlimit(Self.descriptors, &limits) == 0 else { return }
        limits.rlim_cur = limits.rlim_max
        _ = unsafe setrlimit(Self.descriptors, &limits)
    }

    #if canImport(Glibc)
    private static let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let descriptors = RLIMIT_NOFILE
    #endif
}
