// An entity that is being deleted. A cascade is a stack of these: so the thread's stack does not limit its length.

/// An entity that is being deleted, and its progress.
struct DeleteFrame {
    let entity: any EntityModelProtocol
    let key: [UInt8]
    let ends: [RelationEnd]
    /// The number of relations that are done.
    var done = 0
    /// The links of the current relation that are still to be followed.
    var cascade: Cascade?

    /// The links of a cascade, in batches.
    struct Cascade {
        /// The position of the last link when the cascade began; nil if the links have no order.
        let last: Int64?
        /// The next targets, the last one first.
        var targets: [[UInt8]] = []
        /// The target that is being deleted, whose link goes next.
        var current: [UInt8]?
    }
}
