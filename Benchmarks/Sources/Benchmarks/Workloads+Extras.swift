// The costs of what few programs turn on, and of relations that are not set: each beside an entity without.

import Foundation
import Trove

extension Workload {
    /// Returns workloads for Trove alone, relative to the same work with plain entities or records in the same store.
    static func extras(_ count: Int) -> [Workload] {
        let linked = (0..<count).map(Linked.init(number:))
        let (unlinked, plain) = (linked.map(Unlinked.init), linked.map(Plain.init))
        let (stamped, kept) = (linked.map(Stamped.init), linked.map(Kept.init))
        var random = SplitMix64(state: 2018)
        let ids = linked.map(\.id).shuffled(using: &random)
        return [
            beside(
                "R10", "save an entity with six unset relations, beside a record without relations", count, target: 1.1,
                Linked.self, Unlinked.self,
                run: { try $0.save(linked) }, reference: { try $0.insertEach(unlinked) }),
            beside(
                "R10g", "get an entity with six unset relations, beside a record without relations", count,
                target: 1.05, Linked.self, Unlinked.self,
                prepare: {
                    try $0.save(linked)
                    try $0.insertEach(unlinked)
                },
                run: { try $0.read { for id in ids { _ = try Linked.get(in: $0, id: id) } } },
                reference: { try $0.read { for id in ids { _ = try Unlinked.get(in: $0, id: id) } } }),
            beside(
                "R13", "save an entity that keeps the time of its save, beside an entity without", count, target: nil,
                Stamped.self, Plain.self,
                run: { try stamped.save(to: $0) }, reference: { try plain.save(to: $0) }),
            beside(
                "R13k", "save an entity that is kept when it is deleted, beside an entity without", count, target: nil,
                Kept.self, Plain.self,
                run: { try kept.save(to: $0) }, reference: { try plain.save(to: $0) }),
            beside(
                "R13d", "delete an entity that is then kept, beside an entity without", count, target: nil,
                Kept.self, Plain.self,
                prepare: {
                    try kept.save(to: $0)
                    try plain.save(to: $0)
                },
                run: { try $0.write { for id in ids { try Kept.delete(id: id, from: $0) } } },
                reference: { try $0.write { for id in ids { try Plain.delete(id: id, from: $0) } } }),
        ]
    }

    /// Returns work in a store relative to other work in the same store, which is done first or second, at random.
    static func beside(
        _ id: String, _ title: String, _ records: Int, target: Double?, _ types: any IndexKeyRecord.Type...,
        prepare: @escaping @Sendable (Store) throws -> Void = { _ in },
        run: @escaping @Sendable (Store) throws -> Void, reference: @escaping @Sendable (Store) throws -> Void
    ) -> Workload {
        let work = Work.migrating { place, _ in
            let store = try await Store(
                path: place.file.path, records: types, options: StoreOptions(durability: .noSync))
            try prepare(store)
            let clock = ContinuousClock()
            let isFirst = Bool.random()
            var time = isFirst ? try clock.measure { try reference(store) } : .zero
            var (measurement, _) = try await Measurement.of(staysOnThread: true, forMemory: false) { try run(store) }
            if !isFirst { time = try clock.measure { try reference(store) } }
            measurement.ownReference = time / .seconds(1)
            return measurement
        }
        return Workload(id: id, title: title, records: records, target: target, work: work, peers: [.trove])
    }
}

extension Store {
    /// Saves entities one by one, in a single transaction.
    fileprivate func save<Entity: EntityModelProtocol>(_ entities: [Entity]) throws {
        try write { for entity in entities { try entity.save(to: $0) } }
    }

    /// Inserts records one by one, in a single transaction.
    func insertEach<Record: IndexKeyRecord>(_ records: [Record]) throws {
        try write { for record in records { try $0.insert(record) } }
    }
}
