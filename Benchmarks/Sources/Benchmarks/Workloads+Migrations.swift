// Opening a store whose records must be rewritten, compared with reading all of them and inserting them into a new
// store.

import Foundation
import Trove

extension Workload {
    /// Returns workloads for Trove alone: SQLite adds a column without a change of any row, and liblmdb has no fields.
    static func migrating(_ inputs: Inputs) -> [Workload] {
        let old = inputs.people.map(PersonOf.FirstProgram.init)
        return [
            migration("M1", "migrate: a field more, one renamed", old, target: 2, PersonOf.Extended.init),
            migration("M2", "migrate: a narrower field, validated first", old, target: 3, PersonOf.Narrowed.init),
            migration("M3", "migrate: another key", old, target: 2, PersonOf.Sorted.init),
        ]
    }

    private static func migration<Old: IndexKeyRecord, New: IndexKeyRecord & Equatable>(
        _ id: String, _ title: String, _ old: [Old], target: Double, _ convert: @escaping @Sendable (Old) -> New
    ) -> Workload {
        let work = Work.migrating { place, copy in
            let options = StoreOptions(durability: .noSync)
            try await Store(path: place.file.path, options: options).insert(contentsOf: old)
            let clock = ContinuousClock()
            let reference = try clock.measure {
                let source = try Store(path: place.file.path, options: options)
                try Store(path: copy.file.path, options: options).write { context in
                    try Old.query().forEach(in: source) { try context.insert(convert($0)) }
                }
            }
            func migrate() throws { _ = try Store(path: place.file.path, records: [New.self], options: options) }
            var (measurement, _) = try await Measurement.of(staysOnThread: true, forMemory: true) { try migrate() }
            measurement.ownReference = reference / .seconds(1)
            let migrated = try await New.query().resolve(in: Store(path: place.file.path, options: options))
            guard try await migrated == New.query().resolve(in: Store(path: copy.file.path, options: options)) else {
                throw BenchmarkError("\(id): the records are not those that were inserted into a new store")
            }
            return measurement
        }
        return Workload(id: id, title: title, records: old.count, target: target, work: work, peers: [.trove])
    }
}
