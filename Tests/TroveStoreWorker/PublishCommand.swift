// The last step of a commit: `publish path old new` replaces the number that reads take. It knows the lock files of
// Linux.

import Foundation

/// Replaces the number of the transaction that new reads show, in the lock file of a store that is open elsewhere.
///
/// The file has two numbers of 32 bits, the mutex of the readers, and then this number.
enum PublishCommand {
    private struct Unexpected: Error {
        var stored: UInt64?
    }

    private static let place = unsafe UInt64(8 + MemoryLayout<pthread_mutex_t>.size)

    static func run(_ arguments: [String]) throws {
        guard arguments.count == 4, let old = UInt64(arguments[2]), let new = UInt64(arguments[3]) else {
            throw Unexpected()
        }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: arguments[1] + "-lock"))
        try file.seek(toOffset: place)
        let stored = try file.read(upToCount: 8).map { $0.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        guard stored == old else { throw Unexpected(stored: stored) }
        try file.seek(toOffset: place)
        try file.write(contentsOf: Data((0..<8).map { UInt8(truncatingIfNeeded: new >> (8 * $0)) }))
        try file.close()
        TroveStoreWorker.say("done")
    }
}
