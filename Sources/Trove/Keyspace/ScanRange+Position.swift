// The range of the remaining keys of a scan in several transactions.

import LMDB
import TroveCoding

extension ScanRange {
    /// Creates the range of the keys after a position: all keys for an empty position.
    init(after position: [UInt8]) {
        self = position.isEmpty ? ScanRange() : ScanRange(from: KeyRange.all.after(position).lower)
    }
}
