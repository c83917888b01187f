// A program that builds indexes over a store's records: `build PATH POLICY STEPS`, and writes records meanwhile. It
// prints for the test
//
//     step DONE TOTAL
//     held                       after STEPS steps, unless STEPS is 0; then it waits to be killed
//     memory PEAK FILES          in KiB, at the end: the resident peak, and the part of it in mapped files
//     done

import Foundation
import LMDB
import Trove

/// Parcels with indexes, as a later program declares ``OldParcel``.
@IndexKeyRecord(keyPrefix: 4_100_001, "number")
package struct FoundParcel: Hashable {
    #Index<FoundParcel>(\.shelf)
    #Index<FoundParcel>(\.label, \.size.desc)
    #Unique<FoundParcel>(\.size, collisions: .throw)
    #FullTextIndex<FoundParcel>(\.label)

    package let number: Int
    package var size: Int32
    package var shelf: Int32
    package var label: String

    /// Creates the parcel with the contents of the old parcel of that number.
    package init(number: Int, labelSize: Int) {
        let old = OldParcel(number: number, labelSize: labelSize)
        (self.number, size, shelf, label) = (number, old.size, old.shelf, old.label)
    }
}

struct BuildCommand {
    private let path: String
    private let policy: MigrationPolicy
    private let heldAfter: Int

    init(_ arguments: [String]) throws {
        guard arguments.count == 3, let steps = Int(arguments[2]) else { throw WorkerError(arguments: arguments) }
        path = arguments[0]
        policy = arguments[1] == "background" ? .background : .onOpen
        heldAfter = steps
    }

    func run() throws {
        let steps = Monitor(0)
        let heldAfter = heldAfter
        let store = try Store(path: path, records: [FoundParcel.self], migrations: policy) { step in
            say("step \(step.done) \(step.total)")
            let count = steps.withLock { steps in
                steps += 1
                return steps
            }
            guard count == heldAfter else { return }
            say("held")
            while true { _ = pause() }
        }
        var number = 0
        while try !isReady(store) {
            // Moves a parcel to another shelf and back, before or after the position of the build.
            try store.write { context in
                guard var parcel = try context.get(FoundParcel.self, key: number) else { return }
                parcel.shelf ^= 1
                try context.insert(parcel)
                parcel.shelf ^= 1
                try context.insert(parcel)
            }
            number = (number &* 7 &+ 13) % 1000
        }
        say("memory \(try MigrateCommand.memory("VmHWM")) \(try MigrateCommand.memory("RssFile"))")
        say("done")
    }

    private func isReady(_ store: Store) throws -> Bool {
        try store.read { context in
            try context.storedTypes().allSatisfy { type in
                !type.indexes.isEmpty && type.indexes.allSatisfy(\.isReady)
            }
        }
    }
}
