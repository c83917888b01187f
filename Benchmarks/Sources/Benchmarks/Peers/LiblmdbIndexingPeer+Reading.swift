// Reads over the indexes kept by hand: a scan over index entries, and a lookup by the record key of each entry.

import CTroveLMDB
import Foundation

extension LiblmdbIndexingPeer {
    func people(ofAge age: Int) throws -> [IndexedPerson] {
        try people(.ascending(age..<age + 1), atMost: nil)
    }

    func people(_ order: AgeOrder, atMost limit: Int?) throws -> [IndexedPerson] {
        try environment.read { transaction in
            try withCursor(transaction, ages) { cursor in
                var people: [IndexedPerson] = []
                func add(_ row: MDB_val) throws -> Bool {
                    people.append(try person(of: row, transaction))
                    return people.count != limit
                }
                switch order {
                case .ascending(let ages): _ = try forEachRow(ages, cursor, add)
                case .descending(let ages): try forEachGroupDown(ages, cursor, add)
                }
                return people
            }
        }
    }

    func count(_ ages: Range<Int>) throws -> Int {
        try environment.read { transaction in
            try withCursor(transaction, self.ages) { cursor in
                var count = 0
                _ = try forEachRow(ages, cursor) { _ in
                    count += 1
                    return true
                }
                return count
            }
        }
    }

    func plainPeople(ofAge age: Int) throws -> [Person] {
        try environment.read { transaction in
            try withCursor(transaction, plain) { cursor in
                var people: [Person] = []
                var key = MDB_val(), value = MDB_val()
                while try move(cursor, &key, &value, MDB_NEXT) {
                    if Packing.age(in: value) == age { people.append(Person(unpacking: key, value)) }
                }
                return people
            }
        }
    }

    func verified() throws -> (plain: [Person], indexed: [IndexedPerson]) {
        try environment.read { transaction in
            let people: [IndexedPerson] = try everyone(in: indexed, transaction)
            let plainPeople: [Person] = try everyone(in: plain, transaction)
            try withPacking { record in
                try withPacking { row in
                    for person in people {
                        record.pack(person, hasChecksum: true)
                        row.packRow(age: person.age, key: record.keyBytes)
                        try checkExists(row.keyBytes, ages, transaction)
                        row.packRow(email: Packing.email(in: record.valueBytes), key: record.keyBytes)
                        try checkExists(row.keyBytes, emails, transaction)
                    }
                    for person in plainPeople where try count(of: plainAges, transaction) > 0 {
                        record.pack(person, hasChecksum: true)
                        row.packRow(age: person.age, key: record.keyBytes)
                        try checkExists(row.keyBytes, plainAges, transaction)
                    }
                }
            }
            let counts = try [ages, emails, plainAges].map { try count(of: $0, transaction) }
            guard counts[0] == people.count, counts[1] == people.count, [0, plainPeople.count].contains(counts[2])
            else { throw BenchmarkError("liblmdb: there are orphaned entries") }
            return (plainPeople, people)
        }
    }

    // MARK: Parts

    func value(of id: Int64, in table: MDB_dbi, _ transaction: OpaquePointer) throws -> MDB_val? {
        var bits = Packing.keyBits(id)
        return try withUnsafeMutableBytes(of: &bits) { bits in
            var key = MDB_val(mv_size: bits.count, mv_data: bits.baseAddress), value = MDB_val()
            let code = trove_mdb_get(transaction, table, &key, &value)
            if code == MDB_NOTFOUND { return nil }
            try check(code, "mdb_get")
            return value
        }
    }

    /// Returns the person of an index entry.
    @inline(__always)
    private func person(of row: MDB_val, _ transaction: OpaquePointer) throws -> IndexedPerson {
        var key = MDB_val(mv_size: Self.keySize, mv_data: row.mv_data + row.mv_size - Self.keySize), value = MDB_val()
        try check(trove_mdb_get(transaction, indexed, &key, &value), "mdb_get")
        return IndexedPerson(unpacking: key, value)
    }

    private func everyone<P: PersonRecord>(in table: MDB_dbi, _ transaction: OpaquePointer) throws -> [P] {
        try withCursor(transaction, table) { cursor in
            var people: [P] = []
            var key = MDB_val(), value = MDB_val()
            while try move(cursor, &key, &value, MDB_NEXT) { people.append(P(unpacking: key, value)) }
            return people
        }
    }

    private func count(of table: MDB_dbi, _ transaction: OpaquePointer) throws -> Int {
        var statistics = MDB_stat()
        try check(trove_mdb_stat(transaction, table, &statistics), "mdb_stat")
        return statistics.ms_entries
    }

    private func checkExists(_ row: MDB_val, _ table: MDB_dbi, _ transaction: OpaquePointer) throws {
        var key = row, value = MDB_val()
        try check(trove_mdb_get(transaction, table, &key, &value), "an index entry is missing: mdb_get")
    }

    // MARK: Scans over the index of ages

    /// Visits the index entries of some ages in their order, until the closure returns false.
    ///
    /// - Returns: Whether the closure never returned false.
    @inline(__always)
    private func forEachRow(_ ages: Range<Int>, _ cursor: OpaquePointer, _ body: (MDB_val) throws -> Bool) throws
        -> Bool
    {
        var lower = Packing.keyBits(Int64(ages.lowerBound)), upper = Packing.keyBits(Int64(ages.upperBound))
        return try withUnsafeMutableBytes(of: &lower) { lower in
            try withUnsafeBytes(of: &upper) { upper in
                var row = MDB_val(mv_size: lower.count, mv_data: lower.baseAddress), value = MDB_val()
                var isThere = try move(cursor, &row, &value, MDB_SET_RANGE)
                while isThere, memcmp(row.mv_data, upper.baseAddress!, upper.count) < 0 {
                    guard try body(row) else { return false }
                    isThere = try move(cursor, &row, &value, MDB_NEXT)
                }
                return true
            }
        }
    }

    /// Visits the index entries of some ages, the highest age first; the entries of an age keep their order.
    private func forEachGroupDown(_ ages: Range<Int>, _ cursor: OpaquePointer, _ body: (MDB_val) throws -> Bool) throws
    {
        var upper = ages.upperBound
        while let age = try age(below: upper, cursor), ages.contains(age) {
            guard try forEachRow(age..<age + 1, cursor, body) else { return }
            upper = age
        }
    }

    /// Returns the greatest stored age below an age.
    private func age(below age: Int, _ cursor: OpaquePointer) throws -> Int? {
        var bits = Packing.keyBits(Int64(age))
        return try withUnsafeMutableBytes(of: &bits) { bits in
            var row = MDB_val(mv_size: bits.count, mv_data: bits.baseAddress), value = MDB_val()
            let isThere = try move(cursor, &row, &value, MDB_SET_RANGE)
            guard try move(cursor, &row, &value, isThere ? MDB_PREV : MDB_LAST) else { return nil }
            return Int(bitPattern: UInt(bigEndian: row.mv_data.loadUnaligned(as: UInt.self)) ^ (1 << 63))
        }
    }
}
