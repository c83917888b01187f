// Indexes kept by hand, with plain calls of liblmdb: the same tables as Trove's, with the same bytes and the same
// guarantees. A saved record is compared with the stored record in place, and an index entry is written only if it
// changes.

import CTroveLMDB
import Foundation

final class LiblmdbIndexingPeer: IndexingPeer, @unchecked Sendable {
    let environment: LiblmdbEnvironment
    let plain: MDB_dbi
    let indexed: MDB_dbi
    let ages: MDB_dbi
    let emails: MDB_dbi
    /// The index of `plain`, after it was built.
    let plainAges: MDB_dbi

    init(at place: Place) throws {
        environment = try LiblmdbEnvironment(at: place, tables: ["plain", "indexed", "ages", "emails", "plainAges"])
        plain = environment.tables[0]
        indexed = environment.tables[1]
        ages = environment.tables[2]
        emails = environment.tables[3]
        plainAges = environment.tables[4]
    }

    // MARK: Writing

    func insert(_ people: [Person]) throws {
        try environment.write { transaction in
            try withPacking { packing in
                for person in people {
                    packing.pack(person, hasChecksum: true)
                    try put(packing.keyBytes, packing.valueBytes, plain, transaction)
                }
            }
        }
    }

    func insert(_ people: [IndexedPerson]) throws {
        try changeIndexed { buffers, transaction, emailCursor in
            for person in people {
                let old = try value(of: person.id, in: indexed, transaction)
                try save(person, over: old, &buffers, transaction, emailCursor)
            }
        }
    }

    func rename(_ people: [Person]) throws {
        try environment.write { transaction in
            try withPacking { packing in
                for renamed in people {
                    guard let old = try value(of: renamed.id, in: plain, transaction) else { continue }
                    var person = Person(id: renamed.id, unpacking: old)
                    person.name = renamed.name
                    packing.pack(person, hasChecksum: true)
                    try put(packing.keyBytes, packing.valueBytes, plain, transaction)
                }
            }
        }
    }

    func rename(_ people: [IndexedPerson]) throws {
        try changeIndexed { buffers, transaction, emailCursor in
            for renamed in people {
                guard let old = try value(of: renamed.id, in: indexed, transaction) else { continue }
                var person = IndexedPerson(id: renamed.id, unpacking: old)
                person.name = renamed.name
                try save(person, over: old, &buffers, transaction, emailCursor)
            }
        }
    }

    func age(_ ids: [Int64]) throws {
        try changeIndexed { buffers, transaction, emailCursor in
            for id in ids {
                guard let old = try value(of: id, in: indexed, transaction) else { continue }
                var person = IndexedPerson(id: id, unpacking: old)
                person.age = (person.age + 1) % IndexedPerson.ages.count
                try save(person, over: old, &buffers, transaction, emailCursor)
            }
        }
    }

    static let keySize = MemoryLayout<UInt64>.size

    /// The record, and the index entries to delete and to insert.
    private struct Buffers: ~Copyable {
        var record = Packing(), oldAge = Packing(), newAge = Packing(), oldEmail = Packing(), newEmail = Packing()
    }

    private func changeIndexed(_ body: (inout Buffers, OpaquePointer, _ emailCursor: OpaquePointer) throws -> Void)
        throws
    {
        var buffers = Buffers()
        try environment.write { transaction in
            try withCursor(transaction, emails) { cursor in try body(&buffers, transaction, cursor) }
        }
    }

    /// Stores a person.
    ///
    /// - Parameter old: The stored value under the id. Its page may be moved by the first write.
    private func save(
        _ person: IndexedPerson, over old: MDB_val?, _ buffers: inout Buffers, _ transaction: OpaquePointer,
        _ emailCursor: OpaquePointer
    ) throws {
        buffers.record.pack(person, hasChecksum: true)
        let key = buffers.record.keyBytes, value = buffers.record.valueBytes
        let keepsAge = old.map { Packing.age(in: $0) == person.age } ?? false
        let keepsEmail = old.map { Packing.isEqual(Packing.email(in: $0), Packing.email(in: value)) } ?? false
        if !keepsAge {
            buffers.newAge.packRow(age: person.age, key: key)
            if let old { buffers.oldAge.packRow(age: Packing.age(in: old), key: key) }
        }
        if !keepsEmail {
            buffers.newEmail.packRow(email: Packing.email(in: value), key: key)
            if let old { buffers.oldEmail.packRow(email: Packing.email(in: old), key: key) }
            try checkIsFree(buffers.newEmail.keyBytes, emailCursor)
        }
        try put(key, value, indexed, transaction)
        if !keepsAge {
            if old != nil { try delete(buffers.oldAge.keyBytes, ages, transaction) }
            try put(buffers.newAge.keyBytes, MDB_val(), ages, transaction)
        }
        if !keepsEmail {
            if old != nil { try delete(buffers.oldEmail.keyBytes, emails, transaction) }
            try put(buffers.newEmail.keyBytes, MDB_val(), emails, transaction)
        }
    }

    /// Throws if another person has the e-mail address of an index entry.
    private func checkIsFree(_ row: MDB_val, _ emailCursor: OpaquePointer) throws {
        let size = row.mv_size - Self.keySize
        var key = MDB_val(mv_size: size, mv_data: row.mv_data), value = MDB_val()
        var isThere = try move(emailCursor, &key, &value, MDB_SET_RANGE)
        while isThere, key.mv_size >= size, memcmp(key.mv_data, row.mv_data, size) == 0 {
            guard key.mv_size == row.mv_size, memcmp(key.mv_data, row.mv_data, row.mv_size) == 0 else {
                throw BenchmarkError("an e-mail address twice")
            }
            isThere = try move(emailCursor, &key, &value, MDB_NEXT)
        }
    }

    private func put(_ key: MDB_val, _ value: MDB_val, _ table: MDB_dbi, _ transaction: OpaquePointer) throws {
        var key = key, value = value
        try check(trove_mdb_put(transaction, table, &key, &value, 0), "mdb_put")
    }

    private func delete(_ key: MDB_val, _ table: MDB_dbi, _ transaction: OpaquePointer) throws {
        var key = key
        try check(trove_mdb_del(transaction, table, &key, nil), "mdb_del")
    }

    /// Scans the table, sorts the entries, and appends them to the index in order.
    func buildIndex() throws {
        try environment.write { transaction in
            var statistics = MDB_stat()
            try check(trove_mdb_stat(transaction, plain, &statistics), "mdb_stat")
            var rows: [(age: Int, key: UInt64)] = []
            rows.reserveCapacity(statistics.ms_entries)
            try withCursor(transaction, plain) { cursor in
                var key = MDB_val(), value = MDB_val()
                while try move(cursor, &key, &value, MDB_NEXT) {
                    rows.append((Packing.age(in: value), UInt64(bigEndian: key.mv_data.loadUnaligned(as: UInt64.self))))
                }
            }
            rows.sort { $0.age != $1.age ? $0.age < $1.age : $0.key < $1.key }
            try withPacking { packing in
                try withCursor(transaction, plainAges) { cursor in
                    for row in rows {
                        var bits = row.key.bigEndian
                        withUnsafeMutableBytes(of: &bits) { bits in
                            packing.packRow(
                                age: row.age, key: MDB_val(mv_size: bits.count, mv_data: bits.baseAddress))
                        }
                        var key = packing.keyBytes, value = MDB_val()
                        try check(trove_mdb_cursor_put(cursor, &key, &value, UInt32(MDB_APPEND)), "mdb_cursor_put")
                    }
                }
            }
        }
    }
}
