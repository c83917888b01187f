// The verification of a tree: its pages, its key bounds, and its totals.

extension SnapshotWalk {
    /// Visits a tree.
    ///
    /// - Parameters:
    ///   - record: The tree's record in the file.
    ///   - state: The name and kind of the tree.
    ///   - page: The page of the record; nil for a meta page.
    mutating func walk(_ record: TreeRecord, _ state: TreeState, from page: UInt64?) throws(Visitor.Failure) {
        tree = state
        usage?.beginTable(state.name)
        let isForeign = state.kind != .freePages && record.flags != 0
        let damages = log.damages
        if isForeign {
            let flags = "0x" + String(record.flags, radix: 16)
            note(.foreign, page: page, "the tree has flags (\(flags)) that this library never sets: not verified")
        } else if !record.isEmpty {
            try enter(record.root, level: 1, SubtreeBounds(), from: page, index: nil)
        }
        if log.damages != damages { damagedTrees.insert(state.kind) }
        if state.kind == .records {
            let recorded = record.totals.entries
            tables.append(
                FileReport.Table(
                    name: state.name, isForeign: isForeign, depth: record.depth, totals: tree.totals,
                    recordedEntries: recorded))
        }
        // Unvisited entries and pages are missing in the totals too, and have been reported already.
        guard !isForeign, known == nil, log.damages == damages else { return }
        if record.depth != tree.leafLevel ?? 0 {
            note(.treeDepth, page: page, "the tree has \(tree.leafLevel ?? 0) levels, its record says \(record.depth)")
        }
        if record.totals != tree.totals {
            note(.treeCounts, page: page, "the tree holds \(tree.totals), its record says \(record.totals)")
        }
    }

    /// Visits a page of the tree, and its subtree.
    private mutating func enter(
        _ number: UInt64, level: Int, _ bounds: SubtreeBounds, from parent: UInt64?, index: Int?
    ) throws(Visitor.Failure) {
        guard let page = try page(number, from: parent, index: index) else { return }
        switch page.kind {
        case PageKind.leaf:
            try enterLeaf(page, level: level, bounds)
        case PageKind.branch where level < TreeRecord.mostLevels:
            try enterBranch(page, level: level, bounds)
        case PageKind.branch:
            note(.treeDepth, page: number, "the tree has more than \(level) levels")
        default:
            note(.pageKind, page: number, "the page is of kind \(page.kind), not a page of a tree")
        }
    }

    /// Returns a page of the tree, unless it cannot be read or was used already.
    mutating func page(
        _ number: UInt64, from parent: UInt64?, index: Int?
    ) throws(Visitor.Failure) -> Page? {
        if let known, known.contains(number) { return nil }
        guard number >= 2, number <= meta.lastPage else {
            note(.pageReference, page: parent, index: index, "page \(number) is referenced, but does not exist")
            return nil
        }
        guard used.insert(number) else {
            note(
                .pageUsedTwice, page: number,
                "the page is used twice, here by \(parent.map { "page \($0)" } ?? "a root")")
            return nil
        }
        guard number < pageCount else {
            note(.truncated, page: parent, index: index, "page \(number) lies after the end of the file")
            return nil
        }
        if used.count % 64 == 0 {
            try visitor.advance(to: used.count, of: max(used.count, meta.lastPage + 1 - min(free.count, meta.lastPage)))
        }
        do throws(LMDBError) {
            guard let page = try file.page(number) else {
                note(.truncated, page: number, "the file ends before the end of the page")
                return nil
            }
            guard page.storedNumber == number else {
                // It can be an old version of another page, whose entries would be taken for current entries.
                note(.pageNumber, page: number, "the page contains the number \(page.storedNumber): it is another page")
                misplaced.insert(number)
                return nil
            }
            if let transaction = page.transaction, transaction > meta.transaction {
                note(.pageTransaction, page: number, "the page is of transaction \(transaction)")
            }
            return page
        } catch {
            readError = readError ?? error
            note(.unreadable, page: number, "the page could not be read: \(error)")
            return nil
        }
    }

    private mutating func enterBranch(_ page: Page, level: Int, _ bounds: SubtreeBounds) throws(Visitor.Failure) {
        tree.totals.branchPages += 1
        usage?.note(page, .branch)
        let nodes = nodes(of: page)
        // Only the freelist's tree can keep a branch with a single child, if a commit had to change the tree while
        // saving it.
        if nodes.count == 1, tree.kind != .freePages {
            note(.pageBounds, page: page.number, "the branch page has only one child")
        }
        checkKeys(of: nodes.dropFirst(), in: page, bounds, excludingLower: true)
        for (index, node) in nodes.enumerated() {
            guard let node, case .child(let child) = node.content else { continue }
            let next = index + 1 < nodes.count ? nodes[index + 1] : nil
            let below = SubtreeBounds(
                lower: index == 0 ? bounds.lower : page.bytes[node.key],
                upper: next.map { page.bytes[$0.key] } ?? bounds.upper)
            try enter(child, level: level + 1, below, from: page.number, index: index)
        }
    }

    private mutating func enterLeaf(_ page: Page, level: Int, _ bounds: SubtreeBounds) throws(Visitor.Failure) {
        tree.totals.leafPages += 1
        usage?.note(page, .leaf)
        let leafLevel = tree.leafLevel ?? level
        tree.leafLevel = leafLevel
        if level != leafLevel {
            note(.treeDepth, page: page.number, "the leaf is on level \(level), the first leaf on level \(leafLevel)")
        }
        let nodes = nodes(of: page)
        tree.totals.entries += UInt64(nodes.count)
        checkKeys(of: nodes[...], in: page, bounds, excludingLower: false)
        for (index, node) in nodes.enumerated() {
            guard let node else { continue }
            try visit(node, index, in: page)
        }
    }

    // MARK: Nodes and keys

    /// Returns the nodes of a page, with nil for a node outside of the page.
    mutating func nodes(of page: Page) -> [Node?] {
        guard let count = page.nodeCount, count > 0 else {
            note(.pageBounds, page: page.number, "the page has no entries: its free space begins at \(page.lower)")
            return []
        }
        let nodes = (0..<count).map { page.node($0) }
        for index in nodes.indices where nodes[index] == nil {
            note(.node, page: page.number, index: index, "the entry does not lie in its page")
        }
        let start = firstStart(of: nodes) ?? firstStartAfterSorting(nodes, of: page)
        if page.upper < page.lower || page.upper > start {
            note(.pageBounds, page: page.number, "the free space ends at an impossible offset, \(page.upper)")
        }
        return nodes
    }

    /// Returns where the first node begins, if the nodes lie in reverse order and none overlaps another. A page is
    /// filled from its end, so most are so.
    private func firstStart(of nodes: [Node?]) -> Int? {
        var end = 0
        for node in nodes.reversed() {
            guard let node, node.start >= end else { return nil }
            end = node.end
        }
        return nodes.last??.start
    }

    /// Returns where the first node begins. Notes nodes that overlap.
    private mutating func firstStartAfterSorting(_ nodes: [Node?], of page: Page) -> Int {
        var places: [(start: Int, end: Int, index: Int)] = []
        for (index, node) in nodes.enumerated() {
            if let node { places.append((node.start, node.end, index)) }
        }
        places.sort { $0.start < $1.start }
        for (first, second) in zip(places, places.dropFirst()) where second.start < first.end {
            note(.node, page: page.number, index: second.index, "the entry overlaps entry \(first.index)")
        }
        return places.first?.start ?? page.bytes.count
    }

    /// Checks the order of keys, and their bounds.
    private mutating func checkKeys(
        of nodes: ArraySlice<Node?>, in page: Page, _ bounds: SubtreeBounds, excludingLower: Bool
    ) {
        let order = tree.order
        let sizes = order.keySizes
        var last: Range<Int>?
        for index in nodes.indices {
            guard let node = nodes[index] else { continue }
            let key = page.bytes[node.key]
            guard sizes.contains(key.count) else {
                note(.keySize, page: page.number, index: index, "the key has \(key.count) bytes")
                continue
            }
            if let last {
                if !order.ascends(page.bytes[last], key) {
                    note(
                        .keyOrder, page: page.number, index: index, key: Array(key),
                        "the key does not sort after the key before")
                }
            } else if let lower = bounds.lower, excludingLower ? !order.ascends(lower, key) : order.ascends(key, lower)
            {
                note(
                    .keyPlace, page: page.number, index: index, key: Array(key), "the key is below its page's bounds")
            }
            last = node.key
        }
        if let last, let upper = bounds.upper, !order.ascends(page.bytes[last], upper) {
            note(
                .keyPlace, page: page.number, key: Array(page.bytes[last]), "the last key is above its page's bounds")
        }
    }
}
