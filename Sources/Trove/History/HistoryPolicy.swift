// The rules of a history, as a program declares them.

import TroveCoding

/// The rules for the history of a store: how long commits are kept, and what of them.
///
/// ```swift
/// let policy = HistoryPolicy.keep(days: 30, commits: 100_000)
///     .excluding(CachedImage.self)
///     .keepingDeleted(Note.self, \.title, \.folder)
/// let store = try Store(path: path, records: [Note.self], options: StoreOptions(history: policy))
/// ```
///
/// The store keeps the rules, so that each program that writes to it keeps its history. A program of an earlier version
/// cannot write to such a store.
public struct HistoryPolicy: Hashable, Sendable {
    /// The rules; nil for no history.
    private(set) var rules: CatalogHistory?
    /// Why the rules are not valid.
    private(set) var problem: String?

    /// Keeps no history, and removes the history that is there. Rules that are added to it have no effect.
    public static let off = HistoryPolicy(rules: nil)

    /// Keeps each commit until one of the limits is reached. The last commit is always kept, and the newest commit
    /// beyond the limits: so a program that has seen all commits up to it can go on from there.
    ///
    /// Later writes remove the older commits, a few at a time.
    ///
    /// - Parameters:
    ///   - days: The age in days from which a commit is removed; nil for no limit.
    ///   - commits: The number of commits of the store after which a commit is removed; nil for no limit.
    ///   - bytes: The size in the file from which the oldest commits are removed; nil for no limit.
    public static func keep(days: Double? = nil, commits: Int? = nil, bytes: Int? = nil) -> HistoryPolicy {
        var policy = HistoryPolicy(rules: CatalogHistory())
        if let days {
            let milliseconds = days * 86_400_000
            if milliseconds >= 1, milliseconds < 0x1p62 {
                policy.rules?.age = UInt64(milliseconds)
            } else {
                policy.problem = "days is \(days). Choose a positive number."
            }
        }
        for (name, number, rule) in [("commits", commits, \CatalogHistory.commits), ("bytes", bytes, \.bytes)] {
            guard let number else { continue }
            if number > 0 {
                policy.rules?[keyPath: rule] = UInt64(number)
            } else {
                policy.problem = "\(name) is \(number). Choose a positive number."
            }
        }
        return policy
    }

    /// Returns rules that leave out the changes of some types. Links are changes of types of their own, and stay.
    public func excluding(_ types: any IndexKeyRecord.Type...) -> HistoryPolicy {
        var policy = self
        for type in types { policy.rules?.excluded.insert(type.schema.keyPrefix) }
        return policy
    }

    /// Returns rules by which the history keeps some properties of each deleted record of a type. Further calls for the
    /// same type add to them.
    ///
    /// If these cannot be taken from the stored record, nothing is kept: its layout has a part whose bytes only the
    /// program's own code can read, or none of the properties.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - properties: Properties outside the key, which the history has anyway; none for the whole record.
    public func keepingDeleted<Record: IndexKeyRecord>(
        _ type: Record.Type, _ properties: PartialKeyPath<Record>...
    ) -> HistoryPolicy {
        var policy = self
        let schema = Record.schema
        var names = Set(policy.rules?.tombstones[schema.keyPrefix] ?? [])
        let keepsAll = properties.isEmpty || policy.rules?.tombstones[schema.keyPrefix] == []
        for property in properties {
            if let field = schema.fields.first(where: { $0.path?.path == property }) {
                // Records that are not migrated yet have a former name.
                names.formUnion(field.rule.oldNames + [field.name])
            } else {
                policy.problem =
                    "\(property.textWithoutAddresses) is no stored property outside the key of \(schema.name)."
            }
        }
        policy.rules?.tombstones[schema.keyPrefix] = keepsAll ? [] : names.sorted()
        return policy
    }
}

extension HistoryPolicy {
    private init(rules: CatalogHistory?) { self.rules = rules }
}
