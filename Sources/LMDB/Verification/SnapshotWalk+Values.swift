// The contents of leaves: entries of tables, records of tables, freelists.
//
//     list = count 8 · page numbers 8 each, descending · unused            the key is a transaction's number, 8

extension SnapshotWalk {
    /// Visits the value of a leaf's node, according to the kind of tree.
    mutating func visit(_ node: Node, _ index: Int, in page: Page) throws(Visitor.Failure) {
        if tree.kind == .tables {
            return try visitTable(node, index, in: page)
        }
        if case .value(_, let flags) = node.content, flags != 0 {
            note(.node, page: page.number, index: index, "the entry is of unknown kind \(flags)")
        }
        guard let value = try value(of: node, index, in: page) else { return }
        if tree.kind == .freePages {
            visitFreePages(value, Array(page.bytes[node.key]), index, in: page)
        } else {
            let entry = FileEntry(table: tree.name, key: node.key, value: value, page: page, index: index)
            if let finding = try visitor.visit(entry) { log.note(finding) }
        }
    }

    // MARK: Large values

    /// Returns the value of a node; nil if it cannot be read.
    private mutating func value(
        of node: Node, _ index: Int, in page: Page
    ) throws(Visitor.Failure) -> FileValue? {
        switch node.content {
        case .child:
            return nil
        case .value(let range, _):
            return FileValue(page, range)
        case .overflow(let first, let pages, let size):
            guard let head = try self.page(first, from: page.number, index: index) else { return nil }
            if let pages, pages != head.overflowCount {
                note(
                    .overflow, page: page.number, index: index,
                    "the entry says that its value has \(pages) pages, the first of them says \(head.overflowCount)")
            }
            return largeValue(head, size: size)
        }
    }

    private mutating func largeValue(_ head: Page, size: Int) -> FileValue? {
        let needed = file.overflowPages(forSize: size)
        let count = head.overflowCount
        tree.totals.overflowPages &+= count
        var isDoubtful = true
        if head.kind != PageKind.overflow {
            note(.overflow, page: head.number, "the page is of kind \(head.kind), not the first page of a large value")
        } else if count < needed {
            note(
                .overflow, page: head.number,
                "the number of pages for the value of \(size) bytes is \(needed), the page says \(count)")
        } else if count > meta.lastPage - head.number + 1 {
            note(.overflow, page: head.number, "the value fills \(count) pages, more than the file has from there")
        } else if let page = useFollowers(of: head, count: min(count, pageCount - head.number)) {
            note(.pageUsedTwice, page: page, "the page is used twice, here by the value on page \(head.number)")
        } else {
            isDoubtful = false
            usage?.noteValue(from: head.number, pages: min(count, pageCount - head.number), size: size)
            if count > pageCount - head.number {
                note(.truncated, page: head.number, "the value's \(count) pages extend beyond the end of the file")
            }
        }
        guard needed <= pageCount - head.number else { return nil }
        // The value may be intact nevertheless. But no page is shown for many values: otherwise the verification might
        // not end in time.
        if isDoubtful, doubtful.insert(contentsOf: head.number..<head.number + needed) != nil { return nil }
        return FileValue(file, firstPage: head.number, size: size)
    }

    /// Marks the other pages of a large value as used, up to the first page already in use, and returns it.
    private mutating func useFollowers(of head: Page, count: UInt64) -> UInt64? {
        used.insert(contentsOf: head.number + 1..<head.number + max(count, 1))
    }

    // MARK: Tables

    private mutating func visitTable(_ node: Node, _ index: Int, in page: Page) throws(Visitor.Failure) {
        let bytes = page.layout.tableName(fromKey: page.bytes[node.key])
        let name = String(decoding: bytes, as: UTF8.self)
        if !name.utf8.elementsEqual(bytes) || bytes.contains(0) {
            note(.foreign, page: page.number, index: index, "the table's name is not valid text: it cannot be opened")
        }
        switch node.content {
        case .value(let range, NodeFlags.table):
            if range.count == TreeRecord.byteCount, let record = TreeRecord(page.bytes, at: range.lowerBound) {
                pendingTables.append((name, record, page.number))
            } else {
                note(.tableRecord, page: page.number, index: index, "the table's record has \(range.count) bytes")
            }
        case .value(_, let flags) where flags != 0:
            note(.node, page: page.number, index: index, "the entry is of unknown kind \(flags)")
        default:
            _ = try value(of: node, index, in: page)
            note(.foreign, page: page.number, index: index, "the entry is not a table")
        }
    }

    // MARK: Free pages

    private mutating func visitFreePages(_ value: FileValue, _ key: [UInt8], _ index: Int, in page: Page) {
        let transaction = key.integer(UInt64.self, at: 0) ?? 0
        var problem =
            (1...max(1, meta.transaction)).contains(transaction)
            ? nil : "the list is of transaction \(transaction), which does not exist"
        var twice: UInt64?
        var left: UInt64?
        var last = UInt64.max
        let isRead = value.forEachPiece { piece in
            for offset in stride(from: 0, through: piece.byteCount - 8, by: 8) {
                let number = unsafe piece.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
                guard let count = left else {
                    left = number
                    if number > value.size / 8 - 1 {
                        problem = problem ?? "the list of \(value.size) bytes claims \(number) pages"
                    }
                    continue
                }
                guard count > 0 else { return }
                left = count - 1
                if number < 2 || number > meta.lastPage {
                    problem = problem ?? "page \(number) is in the list, but does not exist"
                } else {
                    if number >= last { problem = problem ?? "page \(number) is in the list after \(last)" }
                    if free.insert(number) { usage?.noteFree(number) } else { twice = twice ?? number }
                }
                last = number
            }
        }
        if left == nil, isRead { problem = problem ?? "the list has \(value.size) bytes" }
        if let problem { note(.freeList, page: page.number, index: index, problem) }
        if let twice { note(.pageFreedTwice, page: twice, "the page is in two freelists") }
        if !isRead { note(.unreadable, page: page.number, index: index, "the list could not be read") }
    }
}

extension TreeTotals: CustomStringConvertible {
    /// The totals, as text.
    public var description: String {
        "\(entries) entries on \(branchPages) branch, \(leafPages) leaf and \(overflowPages) overflow pages"
    }
}
