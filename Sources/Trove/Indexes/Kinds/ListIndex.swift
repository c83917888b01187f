// The list: the links of a relation in the order of an end.
//
// An entry is the columns and the other components of the link's key. So it is no longer than the link's key and its
// position, and every entry is stored whole.

extension IndexKind {
    /// The kind with an entry for each link of a relation. Links have no Swift type; their entries are derived by their
    /// layout.
    static let list = IndexKind(.list, name: "list", repeatsKey: false)
}
