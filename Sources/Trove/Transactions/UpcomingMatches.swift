// The matches that a running update of entities has still to visit. Their unique values may still change.

import LMDB
import TroveCoding

/// The matches that an update has still to visit, and the unique values that saved entities share with them.
///
/// An entity that ``CollisionRule/upsert`` deletes loses its links and the entities that its cascade takes along. So a
/// match is not deleted before the end of the update: its turn may give it other values.
@usableFromInline
final class UpcomingMatches {
    private let keyPrefix: UInt32
    private var keys: Set<[UInt8]> = []
    /// The values to compare at the end, with the positions of their indexes.
    private var shared: [(index: Int, value: [UInt8])] = []
    /// The order of the saves since the first shared value, by key.
    private var saves: [[UInt8]: Int] = [:]
    private var countOfSaves = 0

    init(_ keyPrefix: UInt32) { self.keyPrefix = keyPrefix }

    @usableFromInline
    func insert(_ key: ByteView) { keys.insert(key.copy()) }

    @usableFromInline
    func remove(_ key: ByteView) { keys.remove(key.copy()) }

    func contains(_ keyPrefix: UInt32, _ key: [UInt8]) -> Bool { self.keyPrefix == keyPrefix && keys.contains(key) }

    /// Notes that a record shares its value with a match.
    func note(_ collision: UniqueCollision, savedAs key: [UInt8]) {
        shared.append((collision.index, collision.value))
        noteSave(key)
    }

    /// Notes that a match is saved.
    @usableFromInline
    func noteSave(_ key: ByteView) {
        if !shared.isEmpty { noteSave(key.copy()) }
    }

    private func noteSave(_ key: [UInt8]) {
        countOfSaves += 1
        saves[key] = countOfSaves
    }

    /// Deletes the entities that still share a value, but for the entity saved last.
    @usableFromInline
    func settle<Record: IndexKeyRecord>(_ type: Record.Type, in context: TransactionContext) throws {
        keys = []
        if shared.isEmpty { return }
        try translatingErrors {
            let table = try context.tableForWriting(Record.schema).table
            for (index, value) in shared {
                while let one = try context.holder(of: value, type, index, excluding: [], table),
                    let other = try context.holder(of: value, type, index, excluding: one, table)
                {
                    let earlier = saves[one, default: 0] < saves[other, default: 0] ? one : other
                    _ = try earlier.withRawSpan { try context.replace($0, with: nil as Record?) }
                }
            }
        }
    }
}

extension TransactionContext {
    /// Begins an update of entities with a rule that deletes other entities; returns nil for other types.
    @usableFromInline
    func beginUpdate<Record: IndexKeyRecord>(_ type: Record.Type) -> UpcomingMatches? {
        guard Record.schema.isOfEntities, Record.replacesRecords else { return nil }
        let matches = UpcomingMatches(Record.schema.keyPrefix)
        upcomingMatches.append(matches)
        return matches
    }
}
