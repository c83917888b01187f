// The errors of live objects.

extension StoreError {
    /// An error of a live object, or of a live list.
    ///
    /// Later versions can add cases.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LiveError: Hashable, Sendable {
        /// A live object was saved with the rule ``EditConflictRule/throw``, and its record was changed elsewhere since
        /// it was edited. `properties` are the stored names of the properties changed elsewhere.
        case changedElsewhere(type: String, key: StoredKey, properties: [String])
        /// A live object was saved, and its record was deleted.
        case recordGone(type: String, key: StoredKey)
        /// A live object was saved or deleted in a transaction of another store. `path` is the path of its own store.
        case ofOtherStore(type: String, key: StoredKey, path: String)
        /// A closure of a live list's query has called a method that reads pages of the same list.
        case listIsReading(type: String)
    }
}

extension StoreError.LiveError: CustomStringConvertible {
    /// The error in words: what happened, where, and what to do.
    public var description: String {
        switch self {
        case .changedElsewhere(let type, let key, let properties):
            "The record of \(type) with the key \(key) was changed elsewhere since it was edited here: \(properties.joined(separator: ", ")). Save it with the rule .merge, .mine or .theirs, or revert it."
        case .recordGone(let type, let key):
            "The record of \(type) with the key \(key) was deleted. Save it with the rule .mine to store it again, or revert it."
        case .ofOtherStore(let type, let key, let path):
            "The live object of \(type) with the key \(key) belongs to the store at \(path), and the transaction to another store. Save it in a transaction of its own store; to store a copy here, insert its value."
        case .listIsReading(let type):
            "A closure in the query of a live list of \(type) has called a method that reads the list, for which it would wait. Use the list's properties there, and call the method elsewhere."
        }
    }
}

extension StoreError.LiveError {
    /// The key of the record; nil for an error about something else.
    var key: StoredKey? {
        switch self {
        case .changedElsewhere(_, let key, _),
            .recordGone(_, let key),
            .ofOtherStore(_, let key, _):
            key
        // Without a default, so that the compiler reports each new case.
        case .listIsReading: nil
        }
    }
}
