// The types for the tests of policies and progress.

import Foundation
import LMDB
import Trove

/// Large records: a few thousand of them take several transactions.
enum Bulky {
    @IndexKeyRecord(keyPrefix: 6_200_001, "id")
    struct Old: Hashable {
        let id: Int
        var size: Int8
        var body: Data
    }

    @IndexKeyRecord(keyPrefix: 6_200_001, "id")
    struct New: Hashable {
        let id: Int
        var size: Int
        var body: Data
        var note: String?
    }

    /// Narrower than necessary: every record is validated.
    @IndexKeyRecord(keyPrefix: 6_200_001, "size", "id")
    struct NewKey: Hashable {
        let size: Int8
        let id: Int16
        var body: Data
    }

    static func body(_ id: Int) -> Data { Data(repeating: UInt8(truncatingIfNeeded: id), count: 1000) }
    static func old(_ count: Int) -> [Old] {
        (0..<count).map { Old(id: $0, size: Int8($0 % 100), body: body($0)) }
    }
    static func new(_ count: Int) -> [New] {
        (0..<count).map { New(id: $0, size: $0 % 100, body: body($0), note: nil) }
    }
}

/// A type whose key also changes.
enum Moved {
    @IndexKeyRecord(keyPrefix: 6_200_002, "id")
    struct Old: Hashable {
        let id: Int
        var name: String
    }

    @IndexKeyRecord(keyPrefix: 6_200_002, "name", "id")
    struct New: Hashable {
        let name: String
        let id: Int
    }
}

/// A gate for a migration. It records the steps, and blocks after some of them.
final class MigrationGate: Sendable {
    private let isWanted: @Sendable (_ steps: [MigrationProgress]) -> Bool
    private let taken = Monitor<(steps: [MigrationProgress], wasReached: Bool)>(([], false))
    private let reached = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    /// Blocks after some steps.
    init(after count: Int = 1) { isWanted = { $0.count >= count } }

    /// Blocks when all records are validated and none is written.
    init(afterValidationOf count: Int) {
        isWanted = { steps in steps.last?.phase == .validating && steps.last?.done == count }
    }

    var steps: [MigrationProgress] { taken.withLock { $0.steps } }
    var isReached: Bool { taken.withLock { $0.wasReached } }

    /// Takes a report of the migration; blocks at the chosen step.
    func pass(_ step: MigrationProgress) {
        let isReached = taken.withLock { taken in
            taken.steps.append(step)
            guard !taken.wasReached, isWanted(taken.steps) else { return false }
            taken.wasReached = true
            return true
        }
        guard isReached else { return }
        reached.signal()
        opened.wait()
    }

    func waitUntilReached() { reached.wait() }
    func open() { opened.signal() }
}

/// The recorded steps of a migration.
final class MigrationSteps: Sendable {
    private let taken = Monitor<[MigrationProgress]>([])

    var all: [MigrationProgress] { taken.withLock { $0 } }
    func take(_ step: MigrationProgress) { taken.withLock { $0.append(step) } }
}
