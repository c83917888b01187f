// All records of a full-text index.

import LMDB
import TroveCoding

/// All records of an index, with the score 0.
final class EverythingScorer: TextScorer {
    private(set) var id: UInt64 = 0
    let cost: UInt64
    private let parts: TextParts
    private var cursor: SeekCursor?
    private var key: [UInt8] = []

    init(_ reader: TextReader, count: UInt64) throws {
        parts = reader.parts
        cost = count
        cursor = try reader.keyspace.seeks(in: parts.documents.database)
    }

    var bound: Double { 0 }

    func seek(_ target: UInt64) throws -> UInt64 {
        guard id < target else { return id }
        id = try find(target)
        return id
    }

    private func find(_ target: UInt64) throws -> UInt64 {
        guard target < RowNumber.limit else { return endOfPostings }
        if id + 1 == target, id > 0 { return try number(of: try cursor?.next()) }
        key.removeAll(keepingCapacity: true)
        RowNumber.append(target, to: &key)
        return try number(of: try ByteView.with(key) { try cursor?.seek($0) })
    }

    private func number(of entry: Entry?) throws -> UInt64 {
        guard let entry else { return endOfPostings }
        guard entry.key.count == RowNumber.size else { throw parts.documents.damaged(entry.key) }
        return RowNumber.read(entry.key)
    }

    func score() throws -> Double { 0 }
    func reach(_ target: UInt64) throws -> UInt64 { endOfPostings }
}
