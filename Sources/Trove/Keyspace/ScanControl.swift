// The result of a query's closure: continue or stop.

import LMDB

/// Whether a scan continues after a record, or stops.
public typealias ScanControl = LMDB.ScanControl
