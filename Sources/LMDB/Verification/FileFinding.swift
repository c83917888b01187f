// A problem found while verifying a file: its kind, place and description.

/// A problem in a file, or a remark about it.
public struct FileFinding: Hashable, Sendable, Codable {
    /// The kind of the finding.
    public var kind: Kind
    /// Whether the finding is damage, rather than a remark.
    public var isDamage: Bool
    /// The page of the finding.
    public var page: UInt64?
    /// The table of the finding, or ``freePages`` or ``tables``.
    public var table: String?
    /// The number of the node in its page, or of the page in a freelist.
    public var index: Int?
    /// The key of the entry.
    public var key: [UInt8]?
    /// The key as a person writes it; nil if nothing is known of its bytes. A layer above can set it.
    public var keyText: String?
    /// The description.
    public var detail: String

    /// Creates a finding.
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

    /// The value of ``table`` for the freelist's tree.
    public static let freePages = "(free pages)"
    /// The value of ``table`` for the main tree, with the records of the tables.
    public static let tables = "(tables)"
}

extension FileFinding {
    /// The kind of a finding: a word. A layer above can add its own words.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// The word.
        public var rawValue: String

        /// Creates a kind from a word.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ rawValue: String) { self.rawValue = rawValue }

        /// A meta page is damaged; all other pages are found from the meta pages.
        public static let metaPage = Self("metaPage")
        /// The file is shorter than its committed size.
        public static let truncated = Self("truncated")
        /// A page could not be read from the disk.
        public static let unreadable = Self("unreadable")
        /// A reference to a page that the file does not have.
        public static let pageReference = Self("pageReference")
        /// A page is referenced twice by the trees.
        public static let pageUsedTwice = Self("pageUsedTwice")
        /// A page contains the number of another page: it was written to the wrong place, or read from it.
        public static let pageNumber = Self("pageNumber")
        /// A page is newer than the commit that leads to it.
        public static let pageTransaction = Self("pageTransaction")
        /// A page is not of the kind required by its position.
        public static let pageKind = Self("pageKind")
        /// The free space of a page has impossible bounds, or the page is empty.
        public static let pageBounds = Self("pageBounds")
        /// A node does not lie in its page, overlaps another node, or is of an unknown kind.
        public static let node = Self("node")
        /// A key is empty or too long.
        public static let keySize = Self("keySize")
        /// The keys of a page do not ascend.
        public static let keyOrder = Self("keyOrder")
        /// A key lies outside the bounds set by the pages above.
        public static let keyPlace = Self("keyPlace")
        /// The branches of a tree differ in length from each other, or from its record.
        public static let treeDepth = Self("treeDepth")
        /// The number of keys or pages of a tree differs from its record.
        public static let treeCounts = Self("treeCounts")
        /// The pages of a large value are damaged.
        public static let overflow = Self("overflow")
        /// The record of a table is invalid.
        public static let tableRecord = Self("tableRecord")
        /// A freelist is invalid.
        public static let freeList = Self("freeList")
        /// A page is in two freelists.
        public static let pageFreedTwice = Self("pageFreedTwice")
        /// A page is in use and in a freelist.
        public static let pageFreeAndUsed = Self("pageFreeAndUsed")
        /// Damage in pages used only by the commit before the last. No reader uses them, and the next commit replaces
        /// them. The cause can be disk damage, or a commit whose last write failed.
        public static let olderSnapshot = Self("olderSnapshot")
        /// A table or entry that this library never writes. Its contents were not verified.
        public static let foreign = Self("foreign")
        /// Pages neither in use nor in a freelist: lost space without further harm.
        public static let leakedPages = Self("leakedPages")

        /// The kinds that are not damage.
        static let remarks: Set<Self> = [.olderSnapshot, .foreign, .leakedPages]

        /// Reads only the word.
        public init(from decoder: any Decoder) throws {
            rawValue = try decoder.singleValueContainer().decode(String.self)
        }

        /// Writes only the word.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }
    }
}

extension FileFinding: CustomStringConvertible {
    /// The place and the description, on a single line.
    public var description: String {
        var place: [String] = []
        if let page { place.append("page \(page)") }
        if let table { place.append("table \(Self.printable(table))") }
        if let index { place.append("entry \(index)") }
        if let key { place.append("key \(keyText.map(Self.printable) ?? Self.hexadecimal(key))") }
        return (place.isEmpty ? "" : place.joined(separator: ", ") + ": ")
            + "\(Self.printable(detail)) [\(kind.rawValue)]"
    }

    /// Returns a text with its control characters, which could disturb a terminal, shown as escapes.
    public static func printable(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format {
                text += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns a key as findings show it: two digits per byte, at most 32 bytes.
    public static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = bytes.prefix(32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return digits.joined() + (bytes.count > 32 ? "…" : "")
    }
}
