// Memory that will be read.

import CLMDB

/// Has the CPU fetch what lies at an address and shortly behind it, and go on meanwhile. Nothing need be there.
@unsafe package func prefetch(_ address: UnsafeRawPointer) { unsafe trove_prefetch(address) }
