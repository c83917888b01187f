// The work on the targets of a relation that is worth machine code of its own for each type.

import LMDB
import TroveCoding

/// Loops over the targets of a relation, and their decoding.
///
/// A list of relations is created in the program's module, where the target type is known. So the compiler specializes
/// these loops for the type: they neither copy the entities nor call them through tables.
@usableFromInline
struct TargetCode<Target: EntityModelProtocol>: Sendable {
    /// Returns the keys of entities.
    let keys: @Sendable (_ entities: [Target]) -> KeyList
    /// Returns the keys of ids.
    let keysOfIDs: @Sendable (_ ids: [Target.ID]) -> KeyList
    /// Saves entities from an index on, up to the first entity that is more than a record to write, or that has one of
    /// the outer keys. Returns its index.
    let saveRecords:
        @Sendable (
            _ entities: [Target], _ start: Int, _ isFragment: Bool, _ outer: [[UInt8]], TransactionContext
        ) throws -> Int

    /// Returns the ids whose keys these are. A key that is not an id throws the error that `corrupted` makes.
    let ids: @Sendable (_ keys: KeyViews, _ corrupted: (ByteView, CodingError) -> any Error) throws -> [Target.ID]
    /// Decodes a stored entity.
    let decode: @Sendable (Entry, RecordTable) throws -> Target
    /// Decodes stored entities, and appends them to a list.
    let decodeAll: @Sendable (Matches, RecordTable, inout [Target]) throws -> Void

    @inlinable
    init() {
        self.init(
            keys: { entities in KeyList(count: entities.count) { entities[$0].id.encodeKey(into: &$1) } },
            keysOfIDs: { ids in KeyList(count: ids.count) { ids[$0].encodeKey(into: &$1) } },
            saveRecords: { entities, start, isFragment, outer, context in
                let strategy = isFragment ? Target.fragmentMergeStrategy : Target.defaultMergeStrategy
                guard strategy.combine == nil, Target.schema.isSavedAlone else { return start }
                var index = start
                while index < entities.count, entities[index].isNormalized {
                    if !outer.isEmpty, outer.contains(KeyWriter.bytes { entities[index].encodeKey(into: &$0) }) {
                        break
                    }
                    try context.saveAlone(entities[index])
                    index += 1
                }
                return index
            },
            ids: { keys, corrupted in
                try (0..<keys.count).map { index in
                    do throws(CodingError) {
                        var reader = KeyReader(keys[index])
                        let id = try Target.ID(decodingKey: &reader)
                        try reader.finish()
                        return id
                    } catch {
                        throw corrupted(keys[index], error)
                    }
                }
            },
            decode: { entry, table in try Target.decode(entry, table) },
            decodeAll: { matches, table, entities in
                var matches = matches
                while let index = matches.popFirst() { entities.append(try Target.decode(matches[index], table)) }
            })
    }

    @usableFromInline
    init(
        keys: @escaping @Sendable ([Target]) -> KeyList, keysOfIDs: @escaping @Sendable ([Target.ID]) -> KeyList,
        saveRecords: @escaping @Sendable ([Target], Int, Bool, [[UInt8]], TransactionContext) throws -> Int,
        ids: @escaping @Sendable (KeyViews, (ByteView, CodingError) -> any Error) throws -> [Target.ID],
        decode: @escaping @Sendable (Entry, RecordTable) throws -> Target,
        decodeAll: @escaping @Sendable (Matches, RecordTable, inout [Target]) throws -> Void
    ) {
        self.keys = keys
        self.keysOfIDs = keysOfIDs
        self.saveRecords = saveRecords
        self.ids = ids
        self.decode = decode
        self.decodeAll = decodeAll
    }
}
