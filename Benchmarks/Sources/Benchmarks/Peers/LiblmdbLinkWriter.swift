// The links kept by hand.

import CLMDB
import Foundation

extension LiblmdbRelatingPeer {
    /// The changes of a write transaction, with a cursor for each table.
    struct Writer: ~Copyable {
        var packing = Packing()
        private var row = Packing()
        private let transaction: OpaquePointer
        private var cursors: [(table: MDB_dbi, cursor: OpaquePointer)] = []

        /// The distance of new positions.
        private static var gap: Int64 { 1 << 24 }

        init(_ transaction: OpaquePointer) { self.transaction = transaction }

        mutating func closeCursors() {
            for (_, cursor) in cursors { mdb_cursor_close(cursor) }
            cursors = []
        }

        private mutating func cursor(on table: MDB_dbi) throws -> OpaquePointer {
            for known in cursors where known.table == table { return known.cursor }
            var made: OpaquePointer?
            try check(mdb_cursor_open(transaction, table, &made), "mdb_cursor_open")
            guard let cursor = made else { throw BenchmarkError("mdb_cursor_open made nothing") }
            cursors.append((table, cursor))
            return cursor
        }

        // MARK: Records

        /// Stores the packed record, unless it is stored already.
        mutating func putRecord(_ table: MDB_dbi) throws {
            var key = packing.keyBytes, value = packing.valueBytes, stored = MDB_val()
            let code = mdb_get(transaction, table, &key, &stored)
            if code == 0, stored.mv_size == value.mv_size, memcmp(stored.mv_data, value.mv_data, value.mv_size) == 0 {
                return
            }
            if code != MDB_NOTFOUND { try check(code, "mdb_get") }
            try check(mdb_put(transaction, table, &key, &value, 0), "mdb_put")
        }

        mutating func removeRecord(_ id: Int64, _ table: MDB_dbi) throws -> Bool {
            packing.packKey(id)
            var key = packing.keyBytes
            let code = mdb_del(transaction, table, &key, nil)
            if code == MDB_NOTFOUND { return false }
            try check(code, "mdb_del")
            return true
        }

        // MARK: Lists

        /// Returns a list with its positions.
        mutating func list(of owner: Int64, _ rows: MDB_dbi) throws -> [(message: Int64, position: Int64)] {
            let cursor = try cursor(on: rows)
            row.packKey(owner)
            var list: [(message: Int64, position: Int64)] = []
            var key = row.keyBytes, value = MDB_val()
            var isThere = try move(cursor, &key, &value, MDB_SET_RANGE)
            while isThere, Packing.id(in: key, at: 0) == owner {
                list.append((Packing.id(in: key, at: 16), Packing.id(in: key, at: 8)))
                isThere = try move(cursor, &key, &value, MDB_NEXT)
            }
            return list
        }

        /// Makes messages the list of an owner. The common ends of the old and the new list stay.
        mutating func replace(_ messages: [Int64], listOf owner: Int64, _ links: MDB_dbi, _ rows: MDB_dbi) throws {
            let old = try list(of: owner, rows)
            if old.map(\.message) == messages { return }
            if old.isEmpty {
                for (index, message) in messages.enumerated() {
                    try free(message, owner, links, rows)
                    try put(message, owner, Int64(index) * Self.gap, links, rows)
                }
            } else if messages.count == old.count + 1, messages.dropFirst().elementsEqual(old.map(\.message)) {
                try free(messages[0], owner, links, rows)
                try put(messages[0], owner, old[0].position - Self.gap, links, rows)
            } else if messages.elementsEqual(old.map(\.message).reversed()) {
                let first = old[0].position
                for (index, link) in old.dropFirst().enumerated() {
                    packing.packLink(link.message, owner, first - Int64(index + 1) * Self.gap)
                    try put(packing.keyBytes, packing.valueBytes, links)
                    row.packRow(owner, link.position, link.message)
                    try delete(row.keyBytes, rows)
                    row.packRow(owner, first - Int64(index + 1) * Self.gap, link.message)
                    try put(row.keyBytes, MDB_val(), rows)
                }
            } else {
                throw BenchmarkError("no such change in the workloads")
            }
        }

        /// Adds messages to the end of a list. Messages that are linked stay in their places.
        mutating func append(_ messages: [Int64], toListOf owner: Int64, _ links: MDB_dbi, _ rows: MDB_dbi) throws {
            var end = try self.end(of: owner, rows)
            for message in messages where try !holds(message, owner, links) {
                try free(message, owner, links, rows)
                try put(message, owner, end, links, rows)
                end += Self.gap
            }
        }

        /// Makes an owner the only owner of a message.
        mutating func take(_ message: Int64, toListOf owner: Int64, _ links: MDB_dbi, _ rows: MDB_dbi) throws {
            if try !free(message, owner, links, rows) { return }
            try put(message, owner, try end(of: owner, rows), links, rows)
        }

        /// Removes a list: in each table in the order of its keys.
        mutating func removeList(of owner: Int64, _ links: MDB_dbi, _ rows: MDB_dbi) throws {
            let list = try list(of: owner, rows)
            for message in list.map(\.message).sorted() {
                packing.packLink(message, owner)
                var key = packing.keyBytes, value = MDB_val()
                let cursor = try cursor(on: links)
                guard try move(cursor, &key, &value, MDB_SET) else { throw BenchmarkError("no link") }
                try Packing.verify(key, value)
                try check(mdb_cursor_del(cursor, 0), "mdb_cursor_del")
            }
            for link in list {
                row.packRow(owner, link.position, link.message)
                try delete(row.keyBytes, rows)
            }
        }

        mutating func remove(
            _ message: Int64, at position: Int64, fromListOf owner: Int64, _ links: MDB_dbi, _ rows: MDB_dbi
        ) throws {
            packing.packLink(message, owner)
            try delete(packing.keyBytes, links)
            row.packRow(owner, position, message)
            try delete(row.keyBytes, rows)
        }

        /// Returns the position at the end of a list.
        private mutating func end(of owner: Int64, _ rows: MDB_dbi) throws -> Int64 {
            let cursor = try cursor(on: rows)
            row.packKey(owner + 1)
            var key = row.keyBytes, value = MDB_val()
            let isThere =
                try move(cursor, &key, &value, MDB_SET_RANGE)
                ? move(cursor, &key, &value, MDB_PREV) : move(cursor, &key, &value, MDB_LAST)
            guard isThere, Packing.id(in: key, at: 0) == owner else { return 0 }
            return Packing.id(in: key, at: 8) + Self.gap
        }

        /// Returns whether a message is linked to an owner.
        private mutating func holds(_ message: Int64, _ owner: Int64, _ links: MDB_dbi) throws -> Bool {
            packing.packLink(message, owner)
            var key = packing.keyBytes, value = MDB_val()
            let code = mdb_get(transaction, links, &key, &value)
            if code == MDB_NOTFOUND { return false }
            try check(code, "mdb_get")
            return true
        }

        /// Removes a message from the list of another owner. Returns false if the message has this owner already.
        @discardableResult
        private mutating func free(
            _ message: Int64, _ owner: Int64, _ links: MDB_dbi, _ rows: MDB_dbi
        ) throws -> Bool {
            let cursor = try cursor(on: links)
            packing.packKey(message)
            var key = packing.keyBytes, value = MDB_val()
            guard try move(cursor, &key, &value, MDB_SET_RANGE), Packing.id(in: key, at: 0) == message else {
                return true
            }
            let former = Packing.id(in: key, at: 8)
            if former == owner { return false }
            try remove(message, at: Packing.position(in: value), fromListOf: former, links, rows)
            return true
        }

        private mutating func put(
            _ message: Int64, _ owner: Int64, _ position: Int64, _ links: MDB_dbi, _ rows: MDB_dbi
        ) throws {
            packing.packLink(message, owner, position)
            try put(packing.keyBytes, packing.valueBytes, links)
            row.packRow(owner, position, message)
            try put(row.keyBytes, MDB_val(), rows)
        }

        // MARK: Pairs

        /// Returns the entity that another is linked to.
        mutating func target(of owner: Int64, _ table: MDB_dbi) throws -> Int64? {
            let cursor = try cursor(on: table)
            row.packKey(owner)
            var key = row.keyBytes, value = MDB_val()
            guard try move(cursor, &key, &value, MDB_SET_RANGE), Packing.id(in: key, at: 0) == owner else {
                return nil
            }
            return Packing.id(in: key, at: 8)
        }

        mutating func attach(_ attachment: Int64, to message: Int64, _ links: MDB_dbi, _ rows: MDB_dbi) throws {
            let former = try target(of: message, links)
            if former == attachment { return }
            if let former { try detach(former, from: message, links, rows) }
            if let other = try target(of: attachment, rows) { try detach(attachment, from: other, links, rows) }
            packing.packPair(message, attachment)
            try put(packing.keyBytes, packing.valueBytes, links)
            row.packPair(attachment, message)
            try put(row.keyBytes, MDB_val(), rows)
        }

        mutating func detach(_ attachment: Int64, from message: Int64, _ links: MDB_dbi, _ rows: MDB_dbi) throws {
            packing.packPair(message, attachment)
            try delete(packing.keyBytes, links)
            row.packPair(attachment, message)
            try delete(row.keyBytes, rows)
        }

        // MARK: Calls

        private func put(_ key: MDB_val, _ value: MDB_val, _ table: MDB_dbi) throws {
            var key = key, value = value
            try check(mdb_put(transaction, table, &key, &value, 0), "mdb_put")
        }

        private func delete(_ key: MDB_val, _ table: MDB_dbi) throws {
            var key = key
            try check(mdb_del(transaction, table, &key, nil), "mdb_del")
        }
    }
}
