// The features of the format. A number never changes its meaning or its group, and is never given to another feature.

/// A feature of the format that a store uses, such as links between records.
///
/// A store lists its features from the transaction on that first uses them. A program may lack a feature, because its
/// version of Trove is older than the feature. Then the feature's ``group`` decides whether the program can read or
/// write.
public struct StoreFeature: Hashable, Sendable {
    /// The abilities of a program that lacks a feature. The raw values are for JSON, and are not stored.
    ///
    /// Later versions can add cases.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Group: String, Hashable, Sendable, Codable, CaseIterable {
        /// The program can neither read nor write the store.
        case neededToRead
        /// The program can read the store, but not write to it.
        case neededToWrite
        /// The program can read and write the store.
        case mayBeIgnored
    }

    /// The number of the feature, greater than 0.
    public let number: UInt32
    /// The abilities of a program that lacks the feature.
    public let group: Group

    package init(_ number: UInt32, _ group: Group) {
        self.number = number
        self.group = group
    }
}

extension StoreFeature {
    /// Links between records.
    package static let links = StoreFeature(1, .neededToRead)
    /// Full-text indexes.
    package static let text = StoreFeature(2, .neededToRead)
    /// Hints about the changes of the latest commits, for other processes.
    package static let changeHints = StoreFeature(3, .mayBeIgnored)
    /// Indexes of totals. Earlier programs cannot read their entries of the catalog.
    package static let totals = StoreFeature(4, .neededToRead)

    /// Ranked indexes. Earlier programs cannot read their entries of the catalog.
    package static let ranks = StoreFeature(5, .neededToRead)

    /// A history of commits. Earlier programs would write without an entry in it.
    package static let history = StoreFeature(6, .neededToWrite)

    /// The changes of a store alone, and not the store: a file of `copyChanges(since:to:)`, for reading only.
    package static let changes = StoreFeature(7, .neededToWrite)

    /// The names of all features with a number.
    private static let names: [StoreFeature: String] = [
        .links: "links", .text: "full text", .changeHints: "change hints", .totals: "totals",
        .ranks: "ranks", .history: "history", .changes: "changes",
    ]

    private static let groups = Dictionary(uniqueKeysWithValues: names.keys.map { ($0.number, $0.group) })

    /// The features that this version of Trove can read and write.
    package static let supported: Set<StoreFeature> = [
        .links, .text, .changeHints, .totals, .ranks, .history, .changes,
    ]

    /// The feature's name; nil if this version of Trove does not know the number.
    public var name: String? { Self.names[self] }

    /// Whether the number is unknown, or known as a number of the group.
    var isOfItsGroup: Bool { number > 0 && Self.groups[number, default: group] == group }
}

extension StoreFeature: Comparable {
    /// Orders features by their groups, then by their numbers.
    public static func < (left: StoreFeature, right: StoreFeature) -> Bool {
        (left.group.order, left.number) < (right.group.order, right.number)
    }
}

extension StoreFeature.Group {
    /// The position of the group's list in the store's entry.
    fileprivate var order: Int {
        switch self {
        case .neededToRead: 0
        case .neededToWrite: 1
        case .mayBeIgnored: 2
        }
    }
}

extension StoreFeature: CustomStringConvertible {
    /// The number, and the name if it is known, such as `1 (links)`.
    public var description: String { name.map { "\(number) (\($0))" } ?? "\(number)" }
}

extension StoreFeature: Encodable {
    private enum CodingKeys: String, CodingKey { case number, name, group }

    /// Writes the number, the name if it is known, and the group.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(number, forKey: .number)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encode(group, forKey: .group)
    }
}
