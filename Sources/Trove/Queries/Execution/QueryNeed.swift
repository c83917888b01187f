// The parts of records that a query returns.

import LMDB
import TroveCoding

/// The data that a caller needs of the matches of a query.
@usableFromInline
enum QueryNeed: Sendable {
    case records
    /// One record at a time, perhaps not all of them.
    case each
    case keys
    /// The number of records, which does not depend on the order.
    case count
}
