// The flags of a node.

/// The flags of a leaf's node.
enum NodeFlags {
    /// The value fills pages of its own.
    static let bigValue: UInt16 = 0x01
    /// The value is the record of a tree.
    static let table: UInt16 = 0x02
}
