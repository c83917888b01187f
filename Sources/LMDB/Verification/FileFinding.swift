// What a look at a file has found: what is wrong, where, and in which words.

/// Something that is not as it should be in a file.
public struct FileFinding: Hashable, Sendable, Codable {
    /// What kind of thing was found.
    public var kind: Kind
    /// Whether the file is damaged by it; else it is only worth knowing.
    public var isDamage: Bool
    /// The page where it was found.
    public var page: UInt64?
    /// The table where it was found, or one of ``freePages`` and ``tables``.
    public var table: String?
    /// The number of the node in its page, or of the page in a list of free pages.
    public var index: Int?
    /// The key of the entry.
    public var key: [UInt8]?
    /// What was found, in words.
    public var detail: String

    /// Makes a finding.
    public init(
        _ kind: Kind, page: UInt64? = nil, table: String? = nil, index: Int? = nil, key: [UInt8]? = nil,
        _ detail: String
    ) {
        self.kind = kind
        isDamage = !Kind.remarks.contains(kind)
        self.page = page
        self.table = table
        self.index = index
        self.key = key
        self.detail = detail
    }

    /// What stands in ``table`` for the tree of free pages.
    public static let freePages = "(free pages)"
    /// What stands in ``table`` for the tree that holds the tables.
    public static let tables = "(tables)"
}

extension FileFinding {
    /// What kind of thing was found: a word, to which a layer above can add its own.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// The word.
        public var rawValue: String

        /// Makes a kind of that word.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ rawValue: String) { self.rawValue = rawValue }

        /// One of the two meta pages, from which all else is found.
        public static let metaPage = Self("metaPage")
        /// The file is shorter than what was committed to it.
        public static let truncated = Self("truncated")
        /// A page could not be read from the disk.
        public static let unreadable = Self("unreadable")
        /// A page is named that the file does not have.
        public static let pageReference = Self("pageReference")
        /// A page is in two places of the trees.
        public static let pageUsedTwice = Self("pageUsedTwice")
        /// Another page's number stands in a page: it was written to the wrong place, or read from it.
        public static let pageNumber = Self("pageNumber")
        /// A page is not of the kind that its place demands.
        public static let pageKind = Self("pageKind")
        /// The free space of a page is not where it can be, or the page is empty.
        public static let pageBounds = Self("pageBounds")
        /// A node does not lie in its page, or lies over another, or is of a kind that there is not.
        public static let node = Self("node")
        /// A key is empty or too long.
        public static let keySize = Self("keySize")
        /// The keys of a page do not ascend.
        public static let keyOrder = Self("keyOrder")
        /// A key is not among those for which the pages above lead to its page.
        public static let keyPlace = Self("keyPlace")
        /// The branches of a tree are not equally long, or not as long as its record says.
        public static let treeDepth = Self("treeDepth")
        /// A tree does not hold as many keys or pages as its record says.
        public static let treeCounts = Self("treeCounts")
        /// The pages of a large value are not what they should be.
        public static let overflow = Self("overflow")
        /// The record of a table is not one.
        public static let tableRecord = Self("tableRecord")
        /// A list of free pages is not one.
        public static let freeList = Self("freeList")
        /// A page is in two lists of free pages.
        public static let pageFreedTwice = Self("pageFreedTwice")
        /// A page is in use, and in a list of free pages.
        public static let pageFreeAndUsed = Self("pageFreeAndUsed")
        /// What only the commit before the last uses is not as it should be. Nobody reads it, and the next commit
        /// leaves it behind. It can be damage of the disk's, or what is left of a commit whose last write failed.
        public static let olderSnapshot = Self("olderSnapshot")
        /// A table or entry that this library never writes. It was not looked into.
        public static let foreign = Self("foreign")
        /// Pages that are neither in use nor in a list of free pages: lost space, and no harm.
        public static let leakedPages = Self("leakedPages")

        /// Kinds that are no damage.
        static let remarks: Set<Self> = [.olderSnapshot, .foreign, .leakedPages]

        /// Reads the word alone.
        public init(from decoder: any Decoder) throws {
            rawValue = try decoder.singleValueContainer().decode(String.self)
        }

        /// Writes the word alone.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }
    }
}

extension FileFinding: CustomStringConvertible {
    /// The place, and what was found there, on one line.
    public var description: String {
        var place: [String] = []
        if let page { place.append("page \(page)") }
        if let table { place.append("table \(Self.printable(table))") }
        if let index { place.append("entry \(index)") }
        if let key { place.append("key \(Self.hexadecimal(key))") }
        return (place.isEmpty ? "" : place.joined(separator: ", ") + ": ")
            + "\(Self.printable(detail)) [\(kind.rawValue)]"
    }

    /// A text whose control characters, which could trouble a terminal, are shown as escapes.
    public static func printable(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format {
                text += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// A key as findings show it: two digits a byte, at most 32 bytes.
    public static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = bytes.prefix(32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return digits.joined() + (bytes.count > 32 ? "…" : "")
    }
}

/// The findings of one walk: the first of them in full, the number of the others.
struct FindingLog {
    /// More are not kept, so that a file that is nothing but damage takes no more memory than this.
    static let most = 1000

    private(set) var findings: [FileFinding] = []
    private(set) var omitted = 0
    private(set) var damages = 0

    mutating func note(_ finding: FileFinding) {
        if finding.isDamage { damages += 1 }
        if findings.count < Self.most { findings.append(finding) } else { omitted += 1 }
    }
}
