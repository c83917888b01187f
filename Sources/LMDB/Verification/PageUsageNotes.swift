// Notes of the use of pages, taken by a walk.
//
// Each page is noted once, in any order. Of a cell with several pages, the kind and table of most of them is wanted in
// constant memory: a majority vote, in which a page of another kind takes back a vote.

/// The notes of a walk about the use of pages.
struct PageUsageNotes {
    /// The notes of a cell.
    struct Slot {
        /// The kind, and above it the number of the table.
        private var owner: UInt32 = 0
        /// The votes for the owner.
        private(set) var votes: UInt32 = 0
        /// The number of pages noted.
        private(set) var noted: UInt32 = 0
        private(set) var usedBytes: UInt64 = 0

        private static let kindBits: UInt32 = 3

        /// The kind of most pages.
        var kind: PageUsage.Kind {
            PageUsage.Kind(rawValue: UInt8(owner & ((1 << Self.kindBits) - 1))) ?? .unreached
        }

        /// The number of the table of most pages; nil for pages of no table.
        var table: Int? {
            switch kind {
            case .branch, .leaf, .overflow: Int(owner >> Self.kindBits)
            case .meta, .free, .unreached: nil
            }
        }

        fileprivate mutating func note(_ kind: PageUsage.Kind, _ table: Int, used: Int) {
            let owner = UInt32(truncatingIfNeeded: table) << Self.kindBits | UInt32(kind.rawValue)
            noted += 1
            usedBytes += UInt64(max(0, used))
            if votes == 0 {
                (self.owner, votes) = (owner, 1)
            } else if self.owner == owner {
                votes += 1
            } else {
                votes -= 1
            }
        }
    }

    let pages: Int
    let pageSize: Int
    let pagesPerCell: Int
    private let headerSize: Int
    private let shift: Int
    private(set) var slots: [Slot]
    private(set) var tables: [PageUsage.Table] = []
    private(set) var freePages = 0

    init(pages: Int, pageSize: Int, headerSize: Int, cellLimit: Int) {
        self.pages = pages
        self.pageSize = pageSize
        self.headerSize = headerSize
        var shift = 0
        while (pages - 1) >> shift >= max(1, cellLimit) { shift += 1 }
        self.shift = shift
        pagesPerCell = 1 << shift
        slots = [Slot](repeating: Slot(), count: ((pages - 1) >> shift) + 1)
        for page in 0..<min(2, pages) { note(page, .meta, used: pageSize) }
    }

    /// Begins a table: later pages are of it.
    mutating func beginTable(_ name: String) { tables.append(PageUsage.Table(name: name)) }

    /// Notes an inner page or a leaf page of the table.
    mutating func note(_ page: Page, _ kind: PageUsage.Kind) {
        let used = pageSize - min(max(0, page.upper - page.lower), pageSize)
        note(Int(page.number), kind, used: used)
        guard let last = tables.indices.last else { return }
        tables[last].usedBytes += used
        if kind == .branch {
            tables[last].branchPages += 1
        } else {
            tables[last].leafPages += 1
            tables[last].entries += page.nodeCount ?? 0
            let steps = PageUsage.Table.steps
            tables[last].leafFill[min(steps - 1, used * steps / pageSize)] += 1
        }
    }

    /// Notes the pages of a large value.
    mutating func noteValue(from first: UInt64, pages count: UInt64, size: Int) {
        var rest = headerSize + size
        for page in first..<first + count {
            let used = min(rest, pageSize)
            note(Int(page), .overflow, used: used)
            rest -= used
        }
        guard let last = tables.indices.last else { return }
        tables[last].overflowPages += Int(count)
        tables[last].usedBytes += min(headerSize + size, Int(count) * pageSize)
    }

    /// Notes a page of a freelist.
    mutating func noteFree(_ page: UInt64) {
        freePages += 1
        note(Int(page), .free, used: 0)
    }

    private mutating func note(_ page: Int, _ kind: PageUsage.Kind, used: Int) {
        guard page >= 0, page < pages else { return }
        slots[page >> shift].note(kind, max(0, tables.count - 1), used: used)
    }
}
