// The links kept by hand.

import CTroveLMDB
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
            for (_, cursor) in cursors { trove_mdb_cursor_close(cursor) }
            cursors = []
        }

        private mutating func cursor(on table: MDB_dbi) throws -> OpaquePointer {
            for known in cursors where known.table == table { return known.cursor }
            var made: OpaquePointer?
            try check(trove_mdb_cursor_open(transaction, table, &made), "mdb_cursor_open")
            guard let cursor = made else { throw BenchmarkError("mdb_cursor_open made nothing") }
            cursors.append((table, cursor))
            return cursor
        }

        // MARK: Records

        /// Stores the packed record, unless it is stored already.
        mutating func putRecord(_ table: MDB_dbi) throws {
            var key = packing.keyBytes, value = packing.valueBytes, stored = MDB_val()
            let code = trove_mdb_get(transaction, table, &key, &stored)
            if code == 0, stored.mv_size == value.mv_size, memcmp(stored.mv_data, value.mv_data, value.mv_size) == 0 {
                return
            }
            if code != MDB_NOTFOUND { try check(code, "mdb_get") }
            try check(trove_mdb_put(transaction, table, &key, &value, 0), "mdb_put")
        }

        mutating func removeRecord(_ id: Int64, _ table: MDB_dbi) throws -> Bool {
            packing.packKey(id)
            var key = packing.keyBytes
            let code = trove_mdb_del(transaction, table, &key, nil)
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
            var start = 0, end = 0
            while start < min(old.count, messages.count), old[start].message == messages[start] { start += 1 }
            while end < min(old.count, messages.count) - start,
                old[old.count - 1 - end].message == messages[messages.count - 1 - end]
            {
                end += 1
            }
            var former: [Int64: Int64] = [:]
            former.reserveCapacity(old.count - start - end)
            for link in old[start..<old.count - end] { former[link.message] = link.position }
            let added = messages[start..<messages.count - end]
            var (position, gap) = try Self.positions(
                added.count, after: start > 0 ? old[start - 1].position : nil,
                before: end > 0 ? old[old.count - end].position : nil)
            for message in added {
                if !former.isEmpty, let old = former.removeValue(forKey: message) {
                    try renumber(message, owner, from: old, to: position, links, rows)
                } else if try free(message, owner, links, rows) {
                    try put(message, owner, position, links, rows)
                }
                position += gap
            }
            for (message, position) in former { try remove(message, at: position, fromListOf: owner, links, rows) }
        }

        /// Returns the first of some positions between two others, and their distance.
        private static func positions(
            _ count: Int, after lower: Int64?, before upper: Int64?
        ) throws -> (first: Int64, gap: Int64) {
            switch (lower, upper) {
            case (nil, nil): return (0, gap)
            case (let lower?, nil): return (lower + gap, gap)
            case (nil, let upper?): return (upper - Int64(count) * gap, gap)
            case (let lower?, let upper?):
                let distance = (upper - lower) / Int64(count + 1)
                guard count == 0 || distance > 0 else { throw BenchmarkError("no positions left") }
                return (lower + distance, distance)
            }
        }

        /// Adds messages to the end of a list. Messages that are linked stay in their places.
        mutating func append(_ messages: [Int64], toListOf owner: Int64, _ links: MDB_dbi, _ rows: MDB_dbi) throws {
            var end = try self.end(of: owner, rows)
            for message in messages where try free(message, owner, links, rows) {
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
            let cursor = try cursor(on: rows)
            row.packKey(owner)
            var messages: [Int64] = []
            var key = row.keyBytes, value = MDB_val()
            var isThere = try move(cursor, &key, &value, MDB_SET_RANGE)
            while isThere, Packing.id(in: key, at: 0) == owner {
                messages.append(Packing.id(in: key, at: 16))
                try check(trove_mdb_cursor_del(cursor, 0), "mdb_cursor_del")
                isThere = try move(cursor, &key, &value, MDB_NEXT)
            }
            messages.sort()
            for message in messages {
                packing.packLink(message, owner)
                try deleteIntact(packing.keyBytes, links)
            }
        }

        mutating func remove(
            _ message: Int64, at position: Int64, fromListOf owner: Int64, _ links: MDB_dbi, _ rows: MDB_dbi
        ) throws {
            packing.packLink(message, owner)
            try deleteIntact(packing.keyBytes, links)
            row.packRow(owner, position, message)
            try delete(row.keyBytes, rows)
        }

        /// Removes a message from the list it is in.
        mutating func release(_ message: Int64, _ links: MDB_dbi, _ rows: MDB_dbi) throws {
            try free(message, nil, links, rows)
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

        /// Removes a message from the list of another owner. Returns false if the message has this owner already.
        @discardableResult
        private mutating func free(
            _ message: Int64, _ owner: Int64?, _ links: MDB_dbi, _ rows: MDB_dbi
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

        private mutating func renumber(
            _ message: Int64, _ owner: Int64, from old: Int64, to position: Int64, _ links: MDB_dbi, _ rows: MDB_dbi
        ) throws {
            packing.packLink(message, owner, position)
            try put(packing.keyBytes, packing.valueBytes, links)
            row.packRow(owner, old, message)
            try delete(row.keyBytes, rows)
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
            try deleteIntact(packing.keyBytes, links)
            row.packPair(attachment, message)
            try delete(row.keyBytes, rows)
        }

        // MARK: Calls

        private func put(_ key: MDB_val, _ value: MDB_val, _ table: MDB_dbi) throws {
            var key = key, value = value
            try check(trove_mdb_put(transaction, table, &key, &value, 0), "mdb_put")
        }

        private func delete(_ key: MDB_val, _ table: MDB_dbi) throws {
            var key = key
            try check(trove_mdb_del(transaction, table, &key, nil), "mdb_del")
        }

        /// Deletes a link after a check of its bytes.
        private mutating func deleteIntact(_ key: MDB_val, _ links: MDB_dbi) throws {
            let cursor = try cursor(on: links)
            var key = key, value = MDB_val()
            guard try move(cursor, &key, &value, MDB_SET) else { throw BenchmarkError("no link") }
            try Packing.verify(key, value)
            try check(trove_mdb_cursor_del(cursor, 0), "mdb_cursor_del")
        }
    }
}
