// The work on the targets of a relation that is worth machine code of its own for each type.

import TroveCoding

/// Loops over the targets of a relation.
///
/// A list of relations is created in the program's module, where the target type is known. So the compiler specializes
/// these loops for the type: they neither copy the entities nor call them through tables.
@usableFromInline
struct TargetCode<Target: EntityModelProtocol>: Sendable {
    /// Returns the keys of entities.
    let keys: @Sendable (_ entities: [Target]) -> KeyList
    /// Returns the keys of ids.
    let keysOfIDs: @Sendable (_ ids: [Target.ID]) -> KeyList
    /// Saves entities from an index on, up to the first entity that is more than a record to write. Returns its index.
    let saveRecords:
        @Sendable (_ entities: [Target], _ start: Int, _ isFragment: Bool, TransactionContext) throws -> Int

    @inlinable
    init() {
        self.init(
            keys: { entities in KeyList(count: entities.count) { entities[$0].id.encodeKey(into: &$1) } },
            keysOfIDs: { ids in KeyList(count: ids.count) { ids[$0].encodeKey(into: &$1) } },
            saveRecords: { entities, start, isFragment, context in
                let strategy = isFragment ? Target.fragmentMergeStrategy : Target.defaultMergeStrategy
                guard strategy.combine == nil, Target.schema.isSavedAlone else { return start }
                var index = start
                while index < entities.count, entities[index].isNormalized {
                    try context.saveAlone(entities[index])
                    index += 1
                }
                return index
            })
    }

    @usableFromInline
    init(
        keys: @escaping @Sendable ([Target]) -> KeyList, keysOfIDs: @escaping @Sendable ([Target.ID]) -> KeyList,
        saveRecords: @escaping @Sendable ([Target], Int, Bool, TransactionContext) throws -> Int
    ) {
        self.keys = keys
        self.keysOfIDs = keysOfIDs
        self.saveRecords = saveRecords
    }
}
