// The parts of records needed by the caller of a query.

import LMDB
import TroveCoding

/// The parts of a query's matches needed by the caller.
@usableFromInline
enum QueryNeed: Sendable {
    case records
    /// One record at a time, perhaps not all of them.
    case each
    case keys
    /// The number of records. It does not depend on the order.
    case count
    /// The number of records before a record.
    case rank
}
