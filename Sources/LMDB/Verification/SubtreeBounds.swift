// The bounds of the keys of a subtree.

/// The bounds of the keys in a subtree: the lower bound is inclusive, the upper bound exclusive.
struct SubtreeBounds {
    var lower: ArraySlice<UInt8>?
    var upper: ArraySlice<UInt8>?
}
