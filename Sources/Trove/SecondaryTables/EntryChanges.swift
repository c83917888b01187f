// What has to be written when a record changes: the entries of the new one that the old one had not, and the other way
// round. Entries that both have cost nothing.

/// The entries of a record before and after a change. A transaction uses the same memory for one after the other.
final class EntryChanges {
    var old = EntryList()
    var new = EntryList()

    func removeAll() {
        old.removeAll()
        new.removeAll()
    }

    /// Compares the two lists, once both are made.
    func compare() { old.keepCommon(with: &new) }
}
