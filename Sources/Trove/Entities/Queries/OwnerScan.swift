// The run of a query that finds the owners of a source.

import LMDB
import TroveCoding

/// The plan that finds owners, and the owners once all of them are known.
///
/// The owners are counted for the choice of a plan. If few entries are found, all owners are known by then, and their
/// query does not run again. The scan belongs to a single run of a query.
final class OwnerScan: Sendable {
    let plan: QueryPlan
    private let found = Monitor<[[UInt8]]?>(nil)

    init(_ plan: QueryPlan) { self.plan = plan }

    /// The keys of all owners in order; nil if they are not known yet.
    var keys: [[UInt8]]? {
        get { found.withLock { $0 } }
        set { found.withLock { $0 = newValue } }
    }
}
