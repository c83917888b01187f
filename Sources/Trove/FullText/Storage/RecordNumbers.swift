// The numbers of a type's records: from 1, in the order in which they are given, and never given again.
//
//     part 0   key: record key          content: number(5)
//     part 1   key: number(5)           content: record key
//     part 1   key: 0 as a number(5)    content: the next free number(5)
//
// All full-text indexes of a type share the numbers.

import LMDB
import TroveCoding

/// The numbers of a type's records in a transaction.
///
/// A writer calls ``flush()`` before the commit, and brackets nested transactions with ``beginNested(_:)`` and
/// ``endNested(_:isCommitted:)``.
final class RecordNumbers {
    private let parts: RecordNumberParts
    private var keyspace: Keyspace
    /// The next free number; nil before it is read.
    private var next: UInt64?
    private var storedNext: UInt64?
    /// The next free number, and its stored value, at the beginning of each open nested transaction.
    private var levels: [(next: UInt64?, stored: UInt64?)] = []
    private var numberKey: [UInt8] = []
    private var row: [UInt8] = []

    init(_ parts: RecordNumberParts, _ keyspace: Keyspace) {
        self.parts = parts
        self.keyspace = keyspace
    }

    // MARK: Reading

    /// Returns the number of a record; nil if it has none.
    func number(of key: [UInt8]) throws -> UInt64? {
        guard let content = try parts.numbers.content(key, keyspace) else { return nil }
        guard content.count == RowNumber.size, RowNumber.read(content) > 0 else { throw parts.numbers.damaged(key) }
        return RowNumber.read(content)
    }

    /// Returns the key of a record in its page; nil if no record has the number. The bytes are valid until the
    /// transaction's end, in a write transaction until its next write.
    func key(of number: UInt64) throws -> ByteView? {
        guard number > 0, number < RowNumber.limit else { return nil }
        setNumberKey(number)
        let key = try parts.keys.content(numberKey, keyspace)
        guard key?.isEmpty != true else { throw parts.keys.damaged(numberKey) }
        return key
    }

    /// Appends the keys of records, by their numbers in ascending order: each lookup begins near the last.
    ///
    /// - Throws: ``StoreError/RecordError/indexDamaged(type:index:key:)`` for a number that no record has.
    func appendKeys(of numbers: some Sequence<UInt64>, to keys: EntryBuffer) throws {
        guard var lookups = try keyspace.lookups(in: parts.keys.database) else { return }
        for number in numbers {
            setNumberKey(number)
            try ByteView.with(numberKey) { numberKey in
                guard let value = try lookups.value(of: numberKey) else { throw parts.keys.damaged(numberKey) }
                let key = try parts.keys.content(of: value, key: numberKey)
                guard !key.isEmpty else { throw parts.keys.damaged(numberKey) }
                keys.append(key: key)
            }
        }
    }

    /// Returns the number of records that have numbers.
    func count() throws -> Int { try keyspace.count(parts.numbers.database) }

    /// Returns a walk over the records with numbers, in the order of their keys.
    ///
    /// - Parameter key: The key after which to begin; nil for the first record.
    func walk(after key: [UInt8]?) throws -> RecordNumberWalk {
        try RecordNumberWalk(parts.numbers, keyspace, after: key)
    }

    // MARK: Writing

    /// Returns the number of a record, which gets the next free number unless it has a number.
    ///
    /// - Throws: ``StoreError/TextError/idsExhausted(type:index:)`` after 2⁴⁰ − 2 numbers: the next one is stored too.
    func assign(_ key: [UInt8]) throws -> UInt64 {
        if let number = try number(of: key) { return number }
        let number = try nextNumber()
        guard number < Self.lastNumber else { throw parts.keys.exhausted }
        next = number + 1
        StoredRow.begin(&row)
        RowNumber.append(number, to: &row)
        try parts.numbers.put(key, &row, keyspace)
        setNumberKey(number)
        StoredRow.begin(&row)
        row += key
        try parts.keys.put(numberKey, &row, keyspace)
        return number
    }

    /// Removes the number of a record. Returns false if the record has none.
    @discardableResult
    func remove(_ key: [UInt8]) throws -> Bool {
        guard let number = try number(of: key) else { return false }
        // The greatest number may be removed: from now on, the stored next number alone shows that it was given.
        _ = try nextNumber()
        setNumberKey(number)
        try keyspace.delete(parts.keys.database, numberKey)
        try keyspace.delete(parts.numbers.database, key)
        return true
    }

    /// The next free number when no number is left.
    private static let lastNumber = RowNumber.limit - 1

    /// Removes the numbers of all records, none of which has a document any more. They are not given again, unless the
    /// next free number is damaged, or no number is left.
    func removeAll() throws {
        setNumberKey(0)
        let isSound = try parts.keys.isSound(numberKey, keyspace)
        if try !isSound || nextNumber() >= Self.lastNumber { next = 1 }
        try keyspace.deleteAll(parts.numbers.database)
        try keyspace.deleteAll(parts.keys.database)
        storedNext = nil
    }

    /// Stores the next free number.
    func flush() throws {
        guard let next, next != storedNext else { return }
        setNumberKey(0)
        StoredRow.begin(&row)
        RowNumber.append(next, to: &row)
        try parts.keys.put(numberKey, &row, keyspace)
        storedNext = next
    }

    private func nextNumber() throws -> UInt64 {
        if let next { return next }
        setNumberKey(0)
        guard let content = try parts.keys.content(numberKey, keyspace) else {
            next = 1
            return 1
        }
        guard content.count == RowNumber.size, RowNumber.read(content) > 0 else {
            throw parts.keys.damaged(numberKey)
        }
        let stored = RowNumber.read(content)
        next = stored
        storedNext = stored
        return stored
    }

    private func setNumberKey(_ number: UInt64) {
        numberKey.removeAll(keepingCapacity: true)
        RowNumber.append(number, to: &numberKey)
    }

    // MARK: Nested transactions

    /// Continues in the enclosing transaction of the nested transaction that has opened the numbers, after its commit.
    func move(to keyspace: Keyspace) { self.keyspace = keyspace }

    /// Continues in a nested transaction.
    func beginNested(_ keyspace: Keyspace) {
        levels.append((next, storedNext))
        self.keyspace = keyspace
    }

    /// Continues in the enclosing transaction, after the end of the nested transaction.
    func endNested(_ keyspace: Keyspace, isCommitted: Bool) {
        self.keyspace = keyspace
        guard let level = levels.popLast(), !isCommitted else { return }
        (next, storedNext) = level
    }
}
