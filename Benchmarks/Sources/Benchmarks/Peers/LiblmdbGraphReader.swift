// The reads of graphs by hand.

import CTroveLMDB
import Foundation
import Trove

extension LiblmdbRelatingPeer {
    /// A read transaction, with a cursor for each table.
    struct Reader: ~Copyable {
        private var packing = Packing()
        private var cursors: [(table: MDB_dbi, cursor: OpaquePointer)] = []
        private let transaction: OpaquePointer

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

        // MARK: An entity at a time

        /// Reads a record by its id.
        private mutating func get<Record>(
            _ id: Int64, _ table: MDB_dbi, _ unpack: (MDB_val, MDB_val) -> Record
        ) throws -> Record? {
            let cursor = try cursor(on: table)
            packing.packKey(id)
            var key = packing.keyBytes, value = MDB_val()
            return try move(cursor, &key, &value, MDB_SET) ? unpack(key, value) : nil
        }

        mutating func message(_ id: Int64, _ table: MDB_dbi) throws -> Message? {
            try get(id, table, Message.init(unpacking:_:))
        }

        /// Reads a chat: each message, and its author, as its link is met.
        mutating func chat(_ id: Int64, _ peer: LiblmdbRelatingPeer, withAuthors: Bool) throws -> Chat? {
            guard var chat = try get(id, peer.chats, Chat.init(unpacking:_:)) else { return nil }
            let cursor = try cursor(on: peer.chatLinks.rows)
            packing.packKey(id)
            var messages: [Message] = []
            var key = packing.keyBytes, value = MDB_val()
            var isThere = try move(cursor, &key, &value, MDB_SET_RANGE)
            while isThere, Packing.id(in: key, at: 0) == id {
                if var message = try message(Packing.id(in: key, at: 16), peer.messages) {
                    if withAuthors { message.$author = try author(of: message.id, peer) }
                    messages.append(message)
                }
                isThere = try move(cursor, &key, &value, MDB_NEXT)
            }
            chat.$messages = .relation(messages)
            return chat
        }

        private mutating func author(of message: Int64, _ peer: LiblmdbRelatingPeer) throws -> Author {
            let cursor = try cursor(on: peer.authorLinks.links)
            packing.packKey(message)
            var key = packing.keyBytes, value = MDB_val()
            guard try move(cursor, &key, &value, MDB_SET_RANGE), Packing.id(in: key, at: 0) == message,
                let member = try get(Packing.id(in: key, at: 8), peer.members, Member.init(unpacking:_:))
            else { return .none }
            return .relation(member)
        }

        /// Reads the ids after a target in the list of an owner.
        mutating func targets(
            of owner: Int64, after target: Int64, atMost count: Int, _ links: MDB_dbi, _ rows: MDB_dbi
        ) throws -> [Int64] {
            let link = try cursor(on: links), row = try cursor(on: rows)
            packing.packLink(target, owner)
            var key = packing.keyBytes, value = MDB_val()
            guard try move(link, &key, &value, MDB_SET) else { throw BenchmarkError("no link") }
            packing.packRow(owner, Packing.position(in: value), target)
            key = packing.keyBytes
            guard try move(row, &key, &value, MDB_SET) else { throw BenchmarkError("no row") }
            var ids: [Int64] = []
            ids.reserveCapacity(count)
            while ids.count < count, try move(row, &key, &value, MDB_NEXT), Packing.id(in: key, at: 0) == owner {
                ids.append(Packing.id(in: key, at: 16))
            }
            return ids
        }

        // MARK: All at once

        /// Reads all records.
        mutating func all<Record>(_ table: MDB_dbi, _ unpack: (MDB_val, MDB_val) -> Record) throws -> [Record] {
            let cursor = try cursor(on: table)
            var records: [Record] = []
            var key = MDB_val(), value = MDB_val()
            var isThere = try move(cursor, &key, &value, MDB_FIRST)
            while isThere {
                records.append(unpack(key, value))
                isThere = try move(cursor, &key, &value, MDB_NEXT)
            }
            return records
        }

        /// Reads records by their ids, which ascend. The record after the last is tried before a search.
        mutating func find<Record>(
            _ ids: [Int64], _ table: MDB_dbi, _ unpack: (MDB_val, MDB_val) -> Record
        ) throws -> [Record] {
            let cursor = try cursor(on: table)
            var records: [Record] = []
            records.reserveCapacity(ids.count)
            var key = MDB_val(), value = MDB_val()
            for id in ids {
                let isNext = try !records.isEmpty && move(cursor, &key, &value, MDB_NEXT)
                if !isNext || Packing.id(in: key, at: 0) != id {
                    packing.packKey(id)
                    key = packing.keyBytes
                    guard try move(cursor, &key, &value, MDB_SET) else { throw BenchmarkError("no record") }
                }
                records.append(unpack(key, value))
            }
            return records
        }

        /// Reads the targets of owners, whose ids ascend.
        ///
        /// - Parameter offset: The offset of the target in the keys of the table.
        mutating func lists(of owners: [Int64], _ table: MDB_dbi, targetOffset offset: Int) throws -> Lists {
            let cursor = try cursor(on: table)
            var targets: [Int64] = [], ends: [Int] = []
            ends.reserveCapacity(owners.count)
            var key = MDB_val(), value = MDB_val()
            var isThere = false
            for owner in owners {
                if !isThere || Packing.id(in: key, at: 0) != owner {
                    packing.packKey(owner)
                    key = packing.keyBytes
                    isThere = try move(cursor, &key, &value, MDB_SET_RANGE)
                }
                while isThere, Packing.id(in: key, at: 0) == owner {
                    targets.append(Packing.id(in: key, at: offset))
                    isThere = try move(cursor, &key, &value, MDB_NEXT)
                }
                ends.append(targets.count)
            }
            return Lists(targets, ends)
        }
    }

    /// The author of a message.
    typealias Author = ToOneRelation<Member, Relations.Mutual, Relations.Optional>

    /// The targets of owners, as indices of distinct ids.
    struct Lists {
        /// The ids of the targets, ascending.
        private(set) var distinct: [Int64] = []
        private var places: [Int]
        private let ends: [Int]

        init(_ targets: [Int64], _ ends: [Int]) {
            self.ends = ends
            if zip(targets, targets.dropFirst()).allSatisfy({ $0 < $1 }) {
                (distinct, places) = (targets, Array(targets.indices))
                return
            }
            places = Array(repeating: 0, count: targets.count)
            for (id, index) in zip(targets, targets.indices).sorted(by: { $0.0 < $1.0 }) {
                if distinct.last != id { distinct.append(id) }
                places[index] = distinct.count - 1
            }
        }

        /// The targets of an owner.
        subscript(owner: Int) -> ArraySlice<Int> { places[(owner == 0 ? 0 : ends[owner - 1])..<ends[owner]] }
    }
}
