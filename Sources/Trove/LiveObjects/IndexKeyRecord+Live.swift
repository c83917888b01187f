// The live objects of a record type: found, created and drafted.

import LMDB
import TroveCoding

extension IndexKeyRecord {
    /// Stores a new record, and returns its live object.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - store: The store.
    /// - Throws: ``StoreError/RecordError/keyExists(type:key:)``;
    ///   ``StoreError/RecordError/notUnique(type:index:key:existing:)``, also under the rule ``CollisionRule/ignore``;
    ///   the errors of ``RecordWritable/insert(_:onConflict:)``.
    @available(*, noasync, message: "await the call")
    public static func create(_ record: Self, in store: Store) throws -> Live<Self> {
        try store.write { context in
            context.isUndoneByErrors = true
            return try context.create(record, isAlone: true, in: store.liveHome)
        }
    }

    /// The async form of `create(_:in:)`.
    public static func create(_ record: Self, in store: Store) async throws -> Live<Self> {
        try await store.write { context in
            context.isUndoneByErrors = true
            return try context.create(record, isAlone: true, in: store.liveHome)
        }
    }

    /// Stores a new record in a transaction, and returns its live object.
    ///
    /// If the transaction is undone, the object is deleted.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - context: A write transaction.
    /// - Throws: The errors of `create(_:in:)`.
    @available(*, noasync, message: "call it in the closure of a write")
    public static func create(_ record: Self, in context: TransactionContext) throws -> Live<Self> {
        guard let store = context.store as? Store else {
            throw StoreError.transaction(.transactionEnded(path: context.core.path))
        }
        return try context.create(record, isAlone: false, in: store.liveHome)
    }

    /// Returns a live object for a record that is not stored yet.
    ///
    /// It is stored by `save()`, `saveChanges(in:)` or `saveAllChanges()`, and given up by ``Live/revert()``. Until
    /// then it is kept alive. If a record of the key is stored, the save throws
    /// ``StoreError/RecordError/keyExists(type:key:)``.
    ///
    /// If the key has a live object, that object becomes the draft, in place of its unsaved edits.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - store: The store.
    public static func draft(_ record: Self, in store: Store) -> Live<Self> {
        let home = store.liveHome
        defer { home.objects.noteEdit() }
        let (object, isNew) = home.object(record.indexKey) { LiveState(draft: record) }
        if !isNew { object.notifyLater(object.update { $0.becomeDraft(record) }) }
        return object
    }

    /// Returns the live object of a stored record, or of a draft; nil if there is none.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - store: The store.
    /// - Throws: ``StoreError`` if the record cannot be read.
    public static func live(_ key: IndexKey, in store: Store) throws -> Live<Self>? {
        let home = store.liveHome
        if let object: Live<Self> = home.upToDateObject(key) { return object }
        return try home.reading { try home.storedObject(key, in: $0) }
    }

    /// Returns the live objects of stored records and drafts, in the order of the keys. Missing records are left out.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - store: The store.
    /// - Throws: ``StoreError`` if a record cannot be read.
    public static func live(_ keys: some Sequence<IndexKey>, in store: Store) throws -> [Live<Self>] {
        let home = store.liveHome
        return try home.reading { context in
            try keys.compactMap { key in try home.storedObject(key, in: context) }
        }
    }

    /// Returns the live object of a record, which is stored if it is missing. If the key has a draft, it returns the
    /// draft, which stays unsaved.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - store: The store.
    ///   - make: Creates the record. Called only if there is no record of the key.
    /// - Throws: ``StoreError/RecordError/keyChanged(type:key:)`` if the created record has another key; the errors of
    ///   `create(_:in:)`.
    @available(*, noasync, message: "await the call")
    public static func live(_ key: IndexKey, in store: Store, orCreate make: () throws -> Self) throws -> Live<Self> {
        while true {
            if let object = try live(key, in: store) { return object }
            let record = try make()
            try checkKey(of: record, is: key)
            do {
                return try create(record, in: store)
            } catch StoreError.record(.keyExists(_, let taken)) where taken.value(as: Self.self) == key {
                // Another writer was faster.
            }
        }
    }

    /// The async form of ``live(_:in:orCreate:)``.
    public static func live(
        _ key: IndexKey, in store: Store, orCreate make: @escaping @Sendable () throws -> Self
    ) async throws -> Live<Self> {
        while true {
            if let object = try live(key, in: store) { return object }
            let record = try make()
            try checkKey(of: record, is: key)
            do {
                return try await create(record, in: store)
            } catch StoreError.record(.keyExists(_, let taken)) where taken.value(as: Self.self) == key {
                // Another writer was faster.
            }
        }
    }

    private static func checkKey(of record: Self, is key: IndexKey) throws {
        guard record.indexKey == key else {
            throw StoreError.record(.keyChanged(type: schema.name, key: StoredKey(key, of: Self.self)))
        }
    }

    /// Saves all live objects of the type with changes, in one transaction: all or none.
    ///
    /// - Throws: The error of the first object that cannot be saved. All objects keep their edits.
    @available(*, noasync, message: "await the call")
    public static func saveChanges(in store: Store) throws { try store.live.save(unsaved(in: store)) }

    /// The async form of ``saveChanges(in:)``.
    public static func saveChanges(in store: Store) async throws { try await store.live.save(unsaved(in: store)) }

    private static func unsaved(in store: Store) -> [any MappedObject] {
        store.live.shared.pending.objects.filter { $0.mapKey.keyPrefix == keyPrefix }
    }
}

extension TransactionContext {
    /// - Parameter isAlone: Whether the transaction stores the record alone.
    fileprivate func create<Record: IndexKeyRecord>(
        _ record: Record, isAlone: Bool, in home: LiveHome
    ) throws -> Live<Record> {
        let new = try FoundRecord(record)
        try insertOrThrow(record, encoded: new.bytes, onConflict: .throw)
        let stored = Record.schema.entity == nil ? new : try found(Record.self, record.indexKey)
        let (object, isNew) = home.object(record.indexKey) { LiveState(draft: record) }
        object.begin(creating: record, new.bytes, stored: stored, isNew: isNew, isAlone: isAlone, in: self)
        return object
    }
}
