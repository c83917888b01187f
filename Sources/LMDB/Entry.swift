// A key and its value, where they lie.

/// The views of a key and of its value.
@safe @frozen @usableFromInline package struct Entry {
    @usableFromInline package let key: ByteView
    @usableFromInline package let value: ByteView

    @inlinable
    @inline(__always)
    package init(_ key: ByteView, _ value: ByteView = ByteView()) {
        self.key = key
        self.value = value
    }
}
