// An entity that is being deleted. A cascade is a stack of these, so that its length is not limited by the thread's
// stack.

/// An entity that is being deleted, and its progress.
struct DeleteFrame {
    let type: any EntityModelProtocol.Type
    let key: [UInt8]
    /// The entity; nil if its record is damaged.
    let entity: (any EntityModelProtocol)?
    let ends: [RelationEnd]
    /// The number of hooks called when the entity was last known not to be stored.
    var calledHooks: Int
    /// The number of relations that are done.
    var done = 0
    /// The progress of the current relation, if its rule is to cascade.
    var cascade: Cascade?

    /// The links of a cascade.
    struct Cascade {
        /// The targets of the links that the relation had when the cascade began.
        let targets: KeyList
        /// The number of hooks called before.
        let calledHooks: Int
        /// The number of targets that are done.
        var done = 0
        /// The target that is being deleted, whose link goes next.
        var current: [UInt8]?

        /// Returns the next target; nil if there is none.
        mutating func next() -> [UInt8]? {
            guard done < targets.count else { return nil }
            defer { done += 1 }
            return Array(targets[done])
        }
    }
}
