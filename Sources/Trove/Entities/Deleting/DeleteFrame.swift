// An entity that is being deleted. A cascade is a stack of these, so that its length is not limited by the thread's
// stack.

/// An entity that is being deleted, and its progress.
final class DeleteFrame {
    var plan: DeletePlan
    let key: [UInt8]
    /// The entity; nil if its record is damaged, or if the type has no hooks of deletes.
    let entity: (any EntityModelProtocol)?
    /// The deleted entity to keep; nil if none is kept.
    let deleted: (any DeletedEntity)?
    /// The number of hooks called when the entity was last known not to be stored.
    var calledHooks: Int
    /// The number of relations whose rules have been applied.
    var done = 0
    /// The progress of the last of them, if its rule is to cascade and it had links.
    var cascade: Cascade?

    init(
        _ plan: DeletePlan, key: [UInt8], entity: (any EntityModelProtocol)?, deleted: (any DeletedEntity)?,
        calledHooks: Int
    ) {
        self.plan = plan
        self.key = key
        self.entity = entity
        self.deleted = deleted
        self.calledHooks = calledHooks
    }

    /// The links of a cascade.
    final class Cascade {
        /// The index of the relation in the plan.
        let relation: Int
        /// The targets of the links that the relation had when the cascade began.
        let targets: KeyList
        /// The number of hooks called before.
        let calledHooks: Int
        /// The number of targets that are done.
        var done = 0
        /// The target that is being deleted, whose link goes next.
        var current: [UInt8]?
        /// Whether the current target was stored, and is being deleted by this cascade.
        var deletesCurrent = false

        init(relation: Int, targets: KeyList, calledHooks: Int) {
            self.relation = relation
            self.targets = targets
            self.calledHooks = calledHooks
        }

        /// Returns the next target; nil if there is none.
        func next() -> [UInt8]? {
            guard done < targets.count else { return nil }
            defer { done += 1 }
            return targets.withKey(done) { $0.copy() }
        }
    }
}
