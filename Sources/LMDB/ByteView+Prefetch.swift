// Prefetching of bytes into the CPU's caches.

import CTroveShims

extension ByteView {
    /// Starts to load the cache lines at an offset and directly after it, without waiting. The view has the offset.
    package func prefetch(at offset: Int) {
        if let base = unsafe pointer.baseAddress { unsafe trove_prefetch(base + offset) }
    }
}
