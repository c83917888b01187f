// The answer of a query's closure.

import LMDB

/// Whether a scan goes on after a record, or stops.
public typealias ScanControl = LMDB.ScanControl
