// liblmdb called directly: plain calls, and packing by hand into the bytes that Trove stores. This is the lower bound
// for Trove.

import CTroveLMDB
import Foundation

/// liblmdb without a wrapper. Its bytes equal Trove's bytes: see Packing.swift.
final class LiblmdbPeer: Peer, @unchecked Sendable {
    private let environment: LiblmdbEnvironment
    private let people: MDB_dbi
    private let flights: MDB_dbi
    /// Whether each value gets a CRC32C, as in Trove.
    private let hasChecksums: Bool
    private let history: LiblmdbHistory?

    init(at place: Place, hasChecksums: Bool) throws {
        self.hasChecksums = hasChecksums
        environment = try LiblmdbEnvironment(at: place, tables: ["people", "flights", "history"])
        people = environment.tables[0]
        flights = environment.tables[1]
        history = place.keepsHistory ? LiblmdbHistory(environment.tables[2]) : nil
    }

    convenience init(at place: Place) throws { try self.init(at: place, hasChecksums: true) }

    // MARK: Writing

    func insert(_ people: [Person]) throws {
        try environment.write { transaction in
            try withPacking { packing in
                for person in people { try put(person, &packing, transaction) }
            }
            try history?.finish(transaction)
        }
    }

    func insertEach(_ people: [Person]) throws {
        try withPacking { packing in
            for person in people {
                try environment.write { transaction in
                    try put(person, &packing, transaction)
                    try history?.finish(transaction)
                }
            }
        }
    }

    /// Inserts sequentially: liblmdb has a single writer, and its writers cannot share a commit.
    func insertConcurrently(_ tasks: [[Person]]) async throws {
        for people in tasks { try insertEach(people) }
    }

    private func put(_ person: Person, _ packing: inout Packing, _ transaction: OpaquePointer) throws {
        packing.pack(person, hasChecksum: hasChecksums)
        if let history {
            var key = packing.keyBytes, value = MDB_val()
            let code = trove_mdb_get(transaction, people, &key, &value)
            if code != MDB_NOTFOUND { try check(code, "mdb_get") }
            history.add(code == MDB_NOTFOUND ? .inserted : .updated, person.id)
        }
        try put(packing, people, transaction)
    }

    private func put(_ packing: borrowing Packing, _ database: MDB_dbi, _ transaction: OpaquePointer) throws {
        var key = packing.keyBytes, value = packing.valueBytes
        try check(trove_mdb_put(transaction, database, &key, &value, 0), "mdb_put")
    }

    func delete(_ ids: [Int64]) throws {
        try environment.write { transaction in
            for id in ids {
                var bytes = Packing.keyBits(id)
                try withUnsafeMutableBytes(of: &bytes) { bytes in
                    var key = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
                    try check(trove_mdb_del(transaction, people, &key, nil), "mdb_del")
                }
                history?.add(.deleted, id)
            }
            try history?.finish(transaction)
        }
    }

    func insert(_ flights: [Flight]) throws {
        try environment.write { transaction in
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
        try environment.read { transaction in
            var checksum = Checksum()
            for id in ids { if let person = try get(id, transaction) { checksum.add(person) } }
            return checksum
        }
    }

    /// Resets and renews a single transaction, as liblmdb's documentation recommends.
    func getEach(_ ids: [Int64]) throws -> Checksum {
        try environment.read { transaction in
            var checksum = Checksum()
            for id in ids {
                trove_mdb_txn_reset(transaction)
                try check(trove_mdb_txn_renew(transaction), "mdb_txn_renew")
                if let person = try get(id, transaction) { checksum.add(person) }
            }
            return checksum
        }
    }

    private func get(_ id: Int64, _ transaction: OpaquePointer) throws -> Person? {
        var bytes = Packing.keyBits(id)
        return try withUnsafeMutableBytes(of: &bytes) { bytes in
            var key = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress), value = MDB_val()
            let code = trove_mdb_get(transaction, people, &key, &value)
            if code == MDB_NOTFOUND { return nil }
            try check(code, "mdb_get")
            return Person(unpacking: key, value)
        }
    }

    func select(_ ranges: [Range<Int64>]) throws -> Checksum {
        try environment.read { transaction in
            var checksum = Checksum()
            for range in ranges {
                var people: [Person] = []
                try scan(range, transaction) { key, value in people.append(Person(unpacking: key, value)) }
                checksum.add(people)
            }
            return checksum
        }
    }

    /// Reads only the age in each value, the minimum for a projection.
    func ages(_ ranges: [Range<Int64>]) throws -> Checksum {
        try environment.read { transaction in
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
        try environment.read { transaction in
            var people: [Person] = []
            try scan(nil, transaction) { key, value in people.append(Person(unpacking: key, value)) }
            return people
        }
    }

    func count(_ range: Range<Int64>) throws -> Int {
        try environment.read { transaction in
            var count = 0
            try scan(range, transaction) { _, _ in count += 1 }
            return count
        }
    }

    @inline(__always)
    private func scan(_ range: Range<Int64>?, _ transaction: OpaquePointer, _ body: (MDB_val, MDB_val) -> Void) throws {
        var made: OpaquePointer?
        try check(trove_mdb_cursor_open(transaction, people, &made), "mdb_cursor_open")
        guard let cursor = made else { return }
        defer { trove_mdb_cursor_close(cursor) }
        var lower = Packing.keyBits(range?.lowerBound ?? .min), upper = Packing.keyBits(range?.upperBound ?? .max)
        try withUnsafeMutableBytes(of: &lower) { lower in
            try withUnsafeBytes(of: &upper) { upper in
                guard let bound = upper.baseAddress else { return }
                var key = MDB_val(mv_size: lower.count, mv_data: lower.baseAddress), value = MDB_val()
                var code = trove_mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
                while code == 0, range == nil || memcmp(key.mv_data, bound, 8) < 0 {
                    body(key, value)
                    code = trove_mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
                }
                if code != MDB_NOTFOUND { try check(code, "mdb_cursor_get") }
            }
        }
    }

    func flightCount() throws -> Int {
        try environment.read { transaction in
            var statistics = MDB_stat()
            try check(trove_mdb_stat(transaction, flights, &statistics), "mdb_stat")
            return statistics.ms_entries
        }
    }

    func historyCount() throws -> Int {
        try environment.read { try history?.count($0) ?? 0 }
    }
}
