// Prefetching of memory into the CPU's caches.

import CLMDB

/// Starts to load the cache lines at an address and directly after it, without waiting. The address need not be valid.
@unsafe package func prefetch(_ address: UnsafeRawPointer) { unsafe trove_prefetch(address) }
