// The errors of entities.

extension StoreError {
    /// An error of an entity, or of its relations.
    ///
    /// Later versions can add cases.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum EntityError: Hashable, Sendable {
        /// The identifiers of two entities are too large for a link. `relation` is the relation's name, such as
        /// `Message.chat`, and `key` has both identifiers.
        case linkTooLarge(relation: String, key: StoredKey, size: Int, limit: Int)
        /// An entity with a relation whose delete rule is `deny` was deleted, and an entity that it leads to is still
        /// stored. `key` is the key of the entity, `relation` the relation's name, and `other` the key of the linked
        /// entity.
        case deleteDenied(type: String, key: StoredKey, relation: String, other: StoredKey)
        /// A graph is nested too deeply. `key` is the key of the first entity that is too deep.
        case graphTooDeep(type: String, key: StoredKey, limit: Int)
        /// Too many hooks run within each other, such as a hook that saves its own entity. `key` is the key of the
        /// entity whose hook was to be called next.
        case hooksTooDeep(type: String, key: StoredKey, limit: Int)
        /// The inverse of a relation does not exist, or names another relation as its inverse. `inverse` is the name of
        /// the inverse, such as `Chat.messages`.
        case relationMismatch(type: String, relation: String, inverse: String)
        /// The type does not keep the records that the call reads or writes: the times of its entities' saves, or its
        /// deleted entities. The option is the argument of `@EntityModel`, such as `keepsDeleted`.
        case notKept(type: String, option: String)
    }
}

extension StoreError.EntityError: CustomStringConvertible {
    /// The error in words: what happened, where, and what to do.
    public var description: String {
        switch self {
        case .linkTooLarge(let relation, let key, let size, let limit):
            "The link \(key) of \(relation) needs \(size) bytes for both identifiers; the maximum is \(limit). Use shorter identifiers."
        case .deleteDenied(let type, let key, let relation, let other):
            "The record of \(type) with the key \(key) cannot be deleted: its relation \(relation) leads to the record of \(other.type) with the key \(other), which is stored. Detach or delete that record first."
        case .graphTooDeep(let type, let key, let limit):
            "The graph is nested more than \(limit) levels deep\(key.bytes.isEmpty ? "" : " at the \(type) with the key \(key)"). Save or read it in parts, and link or query the parts by their ids."
        case .hooksTooDeep(let type, let key, let limit):
            "A hook of the \(type) with the key \(key) would be called within \(limit) other hooks. A hook must not save or delete its own entity, or start an endless chain of entities."
        case .relationMismatch(let type, let relation, let inverse):
            "The relation \(relation) of \(type) has the inverse \(inverse), which does not exist or names another inverse. Both relations must name each other."
        case .notKept(let type, let option):
            "\(type) keeps no \(option == "keepsDeleted" ? "deleted entities" : "times of saves"). Declare it with @EntityModel(\(option): true)."
        }
    }
}

extension StoreError.EntityError {
    /// The key of the record; nil for an error about something else.
    var key: StoredKey? {
        switch self {
        case .linkTooLarge(_, let key, _, _),
            .deleteDenied(_, let key, _, _),
            .graphTooDeep(_, let key, _),
            .hooksTooDeep(_, let key, _):
            key
        // Without a default, so that the compiler reports each new case.
        case .relationMismatch, .notKept: nil
        }
    }
}
