// liblmdb called straight: plain calls, and packing by hand into the bytes that Trove stores. The limit for Trove.

import CLMDB
import Foundation

/// liblmdb without a wrapper. Its bytes are those of Trove: see Packing.swift.
final class LiblmdbPeer: Peer, @unchecked Sendable {
    private let environment: OpaquePointer
    private let people: MDB_dbi
    private let flights: MDB_dbi
    /// Whether each value gets the CRC32C that Trove's have.
    private let hasChecksums: Bool

    init(at place: Place, hasChecksums: Bool) throws {
        self.hasChecksums = hasChecksums
        var made: OpaquePointer?
        try check(mdb_env_create(&made), "mdb_env_create")
        guard let environment = made else { throw BenchmarkError("mdb_env_create made nothing") }
        self.environment = environment
        try check(mdb_env_set_mapsize(environment, 1 << 36), "mdb_env_set_mapsize")
        try check(mdb_env_set_maxdbs(environment, 2), "mdb_env_set_maxdbs")
        let flags = MDB_NOSUBDIR | MDB_NOTLS | (place.isDurable ? 0 : MDB_NOSYNC)
        try check(mdb_env_open(environment, place.file.path, UInt32(flags), 0o600), "mdb_env_open")
        var transaction: OpaquePointer?
        var people = MDB_dbi(), flights = MDB_dbi()
        try check(mdb_txn_begin(environment, nil, 0, &transaction), "mdb_txn_begin")
        try check(mdb_dbi_open(transaction, "people", UInt32(MDB_CREATE), &people), "mdb_dbi_open")
        try check(mdb_dbi_open(transaction, "flights", UInt32(MDB_CREATE), &flights), "mdb_dbi_open")
        try check(mdb_txn_commit(transaction), "mdb_txn_commit")
        self.people = people
        self.flights = flights
    }

    convenience init(at place: Place) throws { try self.init(at: place, hasChecksums: true) }

    deinit { mdb_env_close(environment) }

    // MARK: Transactions

    private func write(_ body: (OpaquePointer) throws -> Void) throws {
        var made: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, 0, &made), "mdb_txn_begin")
        guard let transaction = made else { return }
        do {
            try body(transaction)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        try check(mdb_txn_commit(transaction), "mdb_txn_commit")
    }

    private func read<R>(_ body: (OpaquePointer) throws -> R) throws -> R {
        var made: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &made), "mdb_txn_begin")
        guard let transaction = made else { throw BenchmarkError("mdb_txn_begin made nothing") }
        defer { mdb_txn_abort(transaction) }
        return try body(transaction)
    }

    // MARK: Writing

    func insert(_ people: [Person]) throws {
        try write { transaction in
            try withPacking { packing in
                for person in people { try put(person, &packing, transaction) }
            }
        }
    }

    func insertEach(_ people: [Person]) throws {
        try withPacking { packing in
            for person in people { try write { try put(person, &packing, $0) } }
        }
    }

    /// One by one: liblmdb has one writer, and nothing that lets writers share a commit.
    func insertConcurrently(_ tasks: [[Person]]) async throws {
        for people in tasks { try insertEach(people) }
    }

    private func put(_ person: Person, _ packing: inout Packing, _ transaction: OpaquePointer) throws {
        packing.pack(person, hasChecksum: hasChecksums)
        try put(packing, people, transaction)
    }

    private func put(_ packing: borrowing Packing, _ database: MDB_dbi, _ transaction: OpaquePointer) throws {
        var key = packing.keyBytes, value = packing.valueBytes
        try check(mdb_put(transaction, database, &key, &value, 0), "mdb_put")
    }

    func delete(_ ids: [Int64]) throws {
        try write { transaction in
            for id in ids {
                var bytes = Packing.keyBits(id)
                try withUnsafeMutableBytes(of: &bytes) { bytes in
                    var key = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
                    try check(mdb_del(transaction, people, &key, nil), "mdb_del")
                }
            }
        }
    }

    func insert(_ flights: [Flight]) throws {
        try write { transaction in
            try withPacking { packing in
                for flight in flights {
                    packing.pack(flight, hasChecksum: hasChecksums)
                    try put(packing, self.flights, transaction)
                }
            }
        }
    }

    // MARK: Reading

    func get(_ ids: [Int64]) throws -> Checksum {
        try read { transaction in
            var checksum = Checksum()
            for id in ids { if let person = try get(id, transaction) { checksum.add(person) } }
            return checksum
        }
    }

    /// Resets and renews one transaction, as liblmdb's documentation advises.
    func getEach(_ ids: [Int64]) throws -> Checksum {
        try read { transaction in
            var checksum = Checksum()
            for id in ids {
                mdb_txn_reset(transaction)
                try check(mdb_txn_renew(transaction), "mdb_txn_renew")
                if let person = try get(id, transaction) { checksum.add(person) }
            }
            return checksum
        }
    }

    private func get(_ id: Int64, _ transaction: OpaquePointer) throws -> Person? {
        var bytes = Packing.keyBits(id)
        return try withUnsafeMutableBytes(of: &bytes) { bytes in
            var key = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress), value = MDB_val()
            let code = mdb_get(transaction, people, &key, &value)
            if code == MDB_NOTFOUND { return nil }
            try check(code, "mdb_get")
            return Person(unpacking: key, value)
        }
    }

    func select(_ ranges: [Range<Int64>]) throws -> Checksum {
        try read { transaction in
            var checksum = Checksum()
            for range in ranges {
                var people: [Person] = []
                try scan(range, transaction) { key, value in people.append(Person(unpacking: key, value)) }
                checksum.add(people)
            }
            return checksum
        }
    }

    /// Touches the one number in each value: what a projection cannot do without.
    func ages(_ ranges: [Range<Int64>]) throws -> Checksum {
        try read { transaction in
            var checksum = Checksum()
            for range in ranges {
                var sum = 0
                try scan(range, transaction) { _, value in sum &+= Packing.age(in: value) }
                checksum.add(sum)
            }
            return checksum
        }
    }

    func all() throws -> [Person] {
        try read { transaction in
            var people: [Person] = []
            try scan(nil, transaction) { key, value in people.append(Person(unpacking: key, value)) }
            return people
        }
    }

    func count(_ range: Range<Int64>) throws -> Int {
        try read { transaction in
            var count = 0
            try scan(range, transaction) { _, _ in count += 1 }
            return count
        }
    }

    @inline(__always)
    private func scan(_ range: Range<Int64>?, _ transaction: OpaquePointer, _ body: (MDB_val, MDB_val) -> Void) throws {
        var made: OpaquePointer?
        try check(mdb_cursor_open(transaction, people, &made), "mdb_cursor_open")
        guard let cursor = made else { return }
        defer { mdb_cursor_close(cursor) }
        var lower = Packing.keyBits(range?.lowerBound ?? .min), upper = Packing.keyBits(range?.upperBound ?? .max)
        try withUnsafeMutableBytes(of: &lower) { lower in
            try withUnsafeBytes(of: &upper) { upper in
                guard let bound = upper.baseAddress else { return }
                var key = MDB_val(mv_size: lower.count, mv_data: lower.baseAddress), value = MDB_val()
                var code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
                while code == 0, range == nil || memcmp(key.mv_data, bound, 8) < 0 {
                    body(key, value)
                    code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
                }
                if code != MDB_NOTFOUND { try check(code, "mdb_cursor_get") }
            }
        }
    }

    func flightCount() throws -> Int {
        try read { transaction in
            var statistics = MDB_stat()
            try check(mdb_stat(transaction, flights, &statistics), "mdb_stat")
            return statistics.ms_entries
        }
    }
}

private func check(_ code: Int32, _ call: String) throws {
    guard code == 0 else { throw BenchmarkError("\(call): \(String(cString: mdb_strerror(code)))") }
}
