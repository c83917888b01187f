// What has to be written when a record changes: the entries of the new one that the old one had not, and the other way
// round. Entries that both have cost nothing.

/// The difference of two lists of entries.
struct EntryChanges {
    /// The entries that go, by their places in the old list.
    private(set) var removed: [Int] = []
    /// The entries that come, by their places in the new list.
    private(set) var added: [Int] = []

    /// Compares two lists, each in the order of tables, and in that of bytes within a table.
    init(from old: EntryList, to new: EntryList) {
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < old.entries.count || newIndex < new.entries.count {
            switch Self.order(old, oldIndex, new, newIndex) {
            case ..<0:
                removed.append(oldIndex)
                oldIndex += 1
            case 0:
                oldIndex += 1
                newIndex += 1
            default:
                added.append(newIndex)
                newIndex += 1
            }
        }
    }

    private static func order(_ old: EntryList, _ oldIndex: Int, _ new: EntryList, _ newIndex: Int) -> Int {
        guard oldIndex < old.entries.count else { return 1 }
        guard newIndex < new.entries.count else { return -1 }
        let tables = old.entries[oldIndex].table - new.entries[newIndex].table
        if tables != 0 { return tables }
        let (oldBytes, newBytes) = (old.bytes(of: oldIndex), new.bytes(of: newIndex))
        if oldBytes == newBytes { return 0 }
        return oldBytes.lexicographicallyPrecedes(newBytes) ? -1 : 1
    }
}
