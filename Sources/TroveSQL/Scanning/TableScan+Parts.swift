// The rows of elements, of links and of lists.
//
// Their bytes are put together in the form of a record of the table's layout, so that the cursor reads them as it reads
// records:
//
//     element   key of the record → header position value, or header key value
//     link      owner target → header position
//     list      key → header fields

import LMDB
import Trove
import TroveCoding

extension TableScan {
    private static var integerSize: Int { 8 }

    // MARK: Elements

    /// Adds the elements of a record that pass the tests.
    @unsafe func addElements(
        of record: Row, _ list: ElementList, _ cursor: UnsafeMutablePointer<RowCursor>
    ) throws {
        guard let (bytes, start) = try field(of: record, list) else { return }
        var offset = start
        if list.isOptional {
            guard offset < bytes.count else { throw truncated(record.key, offset) }
            let tag = unsafe bytes.pointer[offset]
            if tag == 0 { return }
            offset += 1
        }
        let count = unsafe cursor.pointee.length(bytes, at: &offset)
        guard count >= 0, count <= bytes.count else { throw truncated(record.key, offset) }
        for ordinal in 0..<count {
            let begin = offset
            do throws(CodingError) {
                for part in list.parts.indices {
                    offset = try bytes.withSpan { (bytes) throws(CodingError) in
                        try list.walk.end(of: part, from: offset, in: bytes)
                    }
                }
            } catch {
                throw table.stored.corrupted(record.key, error)
            }
            var row = Row()
            row.key = record.key
            row.ordinal = ordinal
            row.value = block(
                list.isDictionary ? nil : Int64(ordinal), bytes[begin..<offset],
                headSize: StoredValueHeader.size)
            try unsafe add(row, cursor)
        }
    }

    /// Returns the bytes with the property of a record, and its offset; nil for a record of an older layout that leaves
    /// the property open.
    private func field(of record: Row, _ list: ElementList) throws -> (ByteView, Int)? {
        do throws(CodingError) {
            if record.isOld {
                guard let bytes = try list.records.converted(list.field, record) else { return nil }
                return (copied(bytes), 0)
            }
            let bytes = record.value.dropFirst(StoredValueHeader.size)
            var start = 0
            for field in 0..<list.field { start = try list.records.end(of: field, from: start, in: bytes) }
            return (bytes, start)
        } catch {
            throw table.stored.corrupted(record.key, error)
        }
    }

    private func truncated(_ key: ByteView, _ offset: Int) -> StoreError {
        table.stored.corrupted(key, CodingError(.malformed(expected: "the elements of a property"), at: offset))
    }

    /// Returns a value with unused bytes for a header, an integer, and further bytes. It is valid until the next batch.
    private func block(_ integer: Int64?, _ bytes: ByteView, headSize: Int) -> ByteView {
        let size = integer == nil ? 0 : Self.integerSize
        let block = UnsafeMutableRawPointer.allocate(byteCount: headSize + size + bytes.count, alignment: 8)
        unsafe copies.append(block)
        if let integer { unsafe block.storeBytes(of: integer.littleEndian, toByteOffset: headSize, as: Int64.self) }
        if let start = unsafe bytes.pointer.baseAddress {
            unsafe (block + headSize + size).copyMemory(from: start, byteCount: bytes.count)
        }
        return unsafe ByteView(UnsafeRawBufferPointer(start: block, count: headSize + size + bytes.count))
    }

    // MARK: Links

    /// Returns the row of a link.
    func row(of entry: Entry, _ links: StoredLinkList) throws -> Row {
        guard let order = path.order, let end = end(ofFirst: 1, in: entry.key) else { throw malformedLink(entry) }
        let hasPosition =
            switch order {
            case .list: links.position != nil
            case .inverseList: links.inverseHasPosition
            case .records, .swappedRecords: false
            }
        let rest = entry.key.dropFirst(end)
        let positionSize = hasPosition ? Self.integerSize : 0
        guard rest.count > positionSize else { throw malformedLink(entry) }
        let (first, second) = (entry.key[0..<end], rest.dropFirst(positionSize))
        let ownerIsFirst = order == .list || order == .records && links.ownerIsFirst
        let (owner, target) = ownerIsFirst ? (first, second) : (second, first)
        var row = Row()
        row.key = copied(owner.copy() + target.copy())
        guard let field = links.position else {
            // The tag of nil.
            row.value = block(0, ByteView(), headSize: StoredValueHeader.size)
            return row
        }
        let position: Int64
        switch order {
        case .list: position = rest.integer(at: 0, as: Int64.self).byteSwapped ^ Int64.min
        case .records: position = try self.position(field, entry.key, entry.value)
        // Of the columns, only the position is not in the entry.
        case _ where plan.isCovering: position = 0
        case .inverseList, .swappedRecords:
            let key = links.ownerIsFirst ? row.key : copied(target.copy() + owner.copy())
            guard let core, let records = links.table.records else { throw malformedLink(entry) }
            if lookups == nil { lookups = try PointLookup(core, records) }
            guard let value = try lookups?.value(of: key) else { throw malformedLink(entry) }
            position = try self.position(field, key, value)
        }
        row.value = block(position, ByteView(), headSize: StoredValueHeader.size)
        return row
    }

    /// Returns the position in the record of a link.
    private func position(_ field: Int, _ key: ByteView, _ value: ByteView) throws -> Int64 {
        if verifies, !table.stored.isIntact(key, value) { throw table.stored.checksumMismatch(key) }
        let offset = StoredValueHeader.size + field * Self.integerSize
        guard value.count >= offset + Self.integerSize else {
            throw table.stored.corrupted(
                key, CodingError(.truncated(needed: offset + Self.integerSize, available: value.count)))
        }
        return Int64(littleEndian: value.integer(at: offset, as: Int64.self))
    }

    private func malformedLink(_ entry: Entry) -> StoreError {
        table.stored.corrupted(entry.key, CodingError(.malformed(expected: "an entry of links")))
    }

    // MARK: Lists

    /// Adds the rows of a list that pass the tests.
    @unsafe func addRows(
        of list: CatalogList, _ context: ReadContext, _ cursor: UnsafeMutablePointer<RowCursor>
    ) throws {
        for (key, fields) in try list.rows(context) {
            var row = Row()
            row.key = copied(key)
            row.value = ByteView.with(fields) { block(nil, $0, headSize: StoredValueHeader.size) }
            try unsafe add(row, cursor)
        }
        unsafe cursor.pointee.beginRow()
        unsafe cursor.pointee.isOver = cursor.pointee.count == 0
    }
}
